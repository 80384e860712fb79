import { readdirSync } from "node:fs";
import { deflateSync } from "node:zlib";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { desk, picture, withoutPrograms } from "./documents.ts";
import { runScript } from "./run-script.ts";

const at = desk("pdf");
afterAll(() => at.clean());

beforeAll(async () => {
  at.put(
    "a.md",
    "# 报告 Report\n\n这是第一段，with English.\n\n| 名称 | 数量 |\n|---|---:|\n| 苹果 | 10 |\n| 香蕉 | 20 |\n\n- 一\n- 二\n\n<!-- pagebreak -->\n\n## 第二页\n\nTwo\n",
  );
  at.put("pic.png", picture);
  await at.ok("create", "a.pdf", "--from", "a.md", "--page-numbers");
  await at.ok("create", "b.pdf", "--from", "pic.png");
});

const pages = async (name: string): Promise<number> => JSON.parse(await at.ok("info", name)).pages;

describe("a PDF that was made from Markdown", () => {
  test("is read back with headings, tables and lists", async () => {
    const text = await at.ok("read", "a.pdf");
    for (const part of [
      "# 报告 Report",
      "这是第一段，with English.",
      "| 名称 | 数量 |",
      "| 香蕉 | 20 |",
      "- 二",
      "第二页",
    ])
      expect(text).toContain(part);
    expect(await at.ok("read", "a.pdf", "--format", "text", "--pages", "2")).toContain("Two");
    expect(await at.ok("info", "a.pdf")).toContain("报告 Report");
  });

  test("Chinese that the viewer's font draws is read, too", async () => {
    await at.ok("create", "c.pdf", "--from", "a.md", "--no-system-fonts");
    expect(await at.ok("read", "c.pdf")).toContain("这是第一段");
  });

  test("is merged, split, taken apart, turned; bad page lists are named", async () => {
    await at.ok("merge", "m.pdf", "a.pdf", "b.pdf", "a.pdf[2]");
    expect(await pages("m.pdf")).toBe(4);
    await at.ok("split", "m.pdf", "parts", "--every", "3");
    expect(readdirSync(at.path("parts"))).toEqual(["m-1-3.pdf", "m-4.pdf"]);
    await at.ok("pages", "m.pdf", "p.pdf", "--keep", "4,1");
    expect(await at.ok("read", "p.pdf", "--format", "text")).toMatch(/第二页[\s\S]*报告/);
    await at.ok("rotate", "m.pdf", "r.pdf", "--by", "90", "--pages", "1");
    expect(JSON.parse(await at.ok("info", "r.pdf")).size.width).toBeGreaterThan(800);
    expect(await at.run("pages", "m.pdf", "x.pdf", "--keep", "9")).toMatchObject({
      code: 2,
      err: expect.stringContaining("the document has 4"),
    });
  });

  test("gets a watermark and page numbers, on turned pages as well", async () => {
    await at.ok("rotate", "a.pdf", "t.pdf", "--by", "270", "--pages", "2");
    await at.ok("watermark", "t.pdf", "w.pdf", "--text", "机密 DRAFT");
    await at.ok(
      "stamp",
      "w.pdf",
      "s.pdf",
      "--text",
      "第 {page} 页，共 {pages} 页",
      "--place",
      "bottom-right",
    );
    const text = await at.ok("read", "s.pdf", "--format", "text");
    expect(text).toContain("第 2 页，共 2 页");
  });

  test("a password is set, asked for and removed", async () => {
    await at.ok("properties", "a.pdf", "locked.pdf", "--protect", "geheim");
    expect(await at.run("read", "locked.pdf")).toMatchObject({
      code: 1,
      err: expect.stringContaining("--password"),
    });
    await at.ok("properties", "locked.pdf", "free.pdf", "--password", "geheim");
    expect(await at.ok("read", "free.pdf")).toContain("报告");
  });
});

describe("forms", () => {
  beforeAll(async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 300]);
    const form = document.getForm();
    form.createTextField("name").addToPage(page, { x: 50, y: 220, width: 200, height: 20 });
    const notes = form.createTextField("notes");
    notes.enableMultiline();
    notes.addToPage(page, { x: 50, y: 120, width: 200, height: 80 });
    form.createCheckBox("agree").addToPage(page, { x: 50, y: 90, width: 14, height: 14 });
    const list = form.createDropdown("country");
    list.addOptions(["China", "Germany"]);
    list.addToPage(page, { x: 50, y: 50, width: 120, height: 20 });
    at.put("form.pdf", await document.save());
  });

  test("are listed and filled in any script; wrong names and choices write nothing", async () => {
    expect(JSON.parse(await at.ok("fields", "form.pdf")).map((one: { kind: string }) => one.kind)).toEqual([
      "text",
      "text",
      "checkbox",
      "choice",
    ]);
    at.put(
      "d.json",
      JSON.stringify({ name: "张三 Ünï", notes: "第一行\n第二行", agree: true, country: "Germany" }),
    );
    await at.ok("fill", "form.pdf", "filled.pdf", "--data", "d.json");
    expect(JSON.parse(await at.ok("fields", "filled.pdf"))).toMatchObject([
      { value: "张三 Ünï" },
      { value: "第一行\n第二行" },
      { value: true },
      { value: ["Germany"] },
    ]);
    await at.ok("fill", "form.pdf", "flat.pdf", "--data", "d.json", "--flatten");
    const text = await at.ok("read", "flat.pdf", "--format", "text");
    for (const part of ["张三 Ünï", "第二行", "Germany"]) expect(text).toContain(part);
    expect(await at.run("fill", "form.pdf", "x.pdf", "--data", '{"nobody":1}')).toMatchObject({
      code: 2,
      err: expect.stringContaining("country"),
    });
    expect(await at.run("fill", "form.pdf", "x.pdf", "--data", '{"country":"Mars"}')).toMatchObject({
      code: 2,
    });
    expect(readdirSync(at.folder)).not.toContain("x.pdf");
  });

  test("a read-only field is filled with a warning", async () => {
    const document = await PDFDocument.load(at.bytes("form.pdf"));
    document.getForm().getTextField("name").enableReadOnly();
    at.put("locked.pdf", await document.save());
    expect(await at.run("fill", "locked.pdf", "locked-filled.pdf", "--data", '{"name":"A"}')).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^warning: .*read-only\): name\n$/),
    });
  });
});

test("text from right to left is drawn with a warning", async () => {
  at.put("rtl.md", "Word שלום\n");
  expect(await at.run("create", "rtl.pdf", "--from", "rtl.md")).toMatchObject({
    code: 0,
    err: expect.stringContaining("from right to left"),
  });
});

test("a turned page is read line by line", async () => {
  at.put("turn.md", "First line here.\n\nSecond line there.\n");
  await at.ok("create", "turn.pdf", "--from", "turn.md");
  for (const by of ["90", "180", "270"]) {
    await at.ok("rotate", "turn.pdf", `turn-${by}.pdf`, "--by", by);
    const text = await at.ok("read", `turn-${by}.pdf`, "--format", "text");
    expect([by, text]).toEqual([by, expect.stringMatching(/First line here\.[\s\S]*Second line there\./)]);
  }
});

describe.skipIf(withoutPrograms !== null)(
  `compared with LibreOffice, poppler and qpdf (${withoutPrograms ?? "here"})`,
  () => {
    test("what is written is valid and shows its text", async () => {
      await at.ok("watermark", "a.pdf", "wm.pdf", "--text", "机密");
      await at.ok("fill", "form.pdf", "ff.pdf", "--data", '{"name":"张三"}');
      await at.ok("merge", "mm.pdf", "a.pdf", "b.pdf");
      for (const name of ["a.pdf", "wm.pdf", "ff.pdf", "mm.pdf"]) at.tool("qpdf", "--check", at.path(name));
      expect(at.tool("pdftotext", at.path("wm.pdf"), "-")).toMatch(/机\s*密/);
      expect(at.tool("pdftotext", at.path("ff.pdf"), "-")).toContain("张三");
      expect(at.tool("pdfinfo", at.path("mm.pdf"))).toMatch(/Pages:\s+3/);
    });

    test("a PDF by LibreOffice is read with headings and tables", async () => {
      at.put("source.md", "# 标题 Title\n\n第一段 text.\n\n| A | 乙 |\n|---|---|\n| 1 | 二 |\n| 3 | 四 |\n");
      await runScript("docx", ["create", "source.docx", "--from", "source.md"], { cwd: at.folder });
      const text = await at.ok("read", at.office("source.docx", "pdf"));
      for (const part of ["# 标题 Title", "第一段 text.", "| 3 | 四 |"]) expect(text).toContain(part);
    });
  },
);

test("two hundred pages are made, read, merged and numbered", async () => {
  at.put(
    "long.md",
    Array.from(
      { length: 200 },
      (_, i) =>
        `# 第 ${i + 1} 章\n\n${"这一章讲了很多事情。 Lorem ipsum dolor sit amet. ".repeat(20)}\n\n<!-- pagebreak -->\n`,
    ).join("\n"),
  );
  await at.ok("create", "long.pdf", "--from", "long.md");
  expect(await pages("long.pdf")).toBe(200);
  await at.ok("stamp", "long.pdf", "long2.pdf");
  await at.ok("merge", "long3.pdf", "long2.pdf", "long.pdf");
  expect(await pages("long3.pdf")).toBe(400);
  expect(await at.ok("read", "long3.pdf", "--pages", "200")).toContain("第 200 章");
});

describe("what goes wrong", () => {
  test("bombs are refused, damage is named, and nothing is written", async () => {
    const stream = (bytes: Buffer, filter: string): Buffer =>
      Buffer.concat([
        Buffer.from(
          `%PDF-1.7\n1 0 obj\n<< /Type /ObjStm /N 1 /First 4 /Filter ${filter} /Length ${bytes.length} >>\nstream\n`,
        ),
        bytes,
        Buffer.from("\nendstream\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF"),
      ]);
    at.put("bomb.pdf", stream(deflateSync(Buffer.alloc(300 * 1024 * 1024)), "/FlateDecode"));
    at.put(
      "nested.pdf",
      stream(deflateSync(deflateSync(Buffer.alloc(300 * 1024 * 1024))), "[/FlateDecode /FlateDecode]"),
    );
    for (const name of ["bomb.pdf", "nested.pdf"])
      for (const command of [
        ["read", name],
        ["merge", "x.pdf", name, "a.pdf"],
      ])
        expect(await at.run(...command)).toMatchObject({
          code: 1,
          out: "",
          err: expect.stringContaining("refused"),
        });
    at.put("no.pdf", "hello");
    at.put("cut.pdf", at.bytes("a.pdf").subarray(0, 900));
    for (const name of ["no.pdf", "cut.pdf"])
      expect(await at.run("read", name)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/no PDF|damaged/),
      });
    const half = at.bytes("a.pdf");
    at.put("noxref.pdf", half.subarray(0, half.lastIndexOf("xref\n0")));
    expect((await at.run("read", "noxref.pdf")).code).toBeLessThanOrEqual(1);
    expect((await at.run("read", "nowhere.pdf")).code).toBe(3);
    expect(readdirSync(at.folder)).not.toContain("x.pdf");
  });
});
