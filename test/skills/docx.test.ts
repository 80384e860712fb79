import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readZip } from "../../skills-src/common/zip-read.ts";
import { desk, hostilePackages, picture, scriptOf, withoutPrograms } from "./documents.ts";

const at = desk("docx");
afterAll(() => at.clean());

const report = `# 年度报告 Annual report

这是**重要**的段落，with *italics*, \`code\` and [链接](https://example.com)。Emoji 😀。脚注[^1]。Łódź, Ελληνικά.

[^1]: 脚注的内容。

- 第一项
  - nested
- 第二项

1. one
2. two

| 产品 | 数量 |
|---|---:|
| 苹果 | 10 |
| a \\| b | 200 |

> A quotation.

![图](pic.png)

<!-- pagebreak -->

## Second chapter

The end.
`;

beforeAll(async () => {
  at.put("report.md", report);
  at.put("pic.png", picture);
  await at.ok(
    "create",
    "report.docx",
    "--from",
    "report.md",
    "--page-numbers",
    "--header",
    "机密 Confidential",
    "--toc",
  );
});

describe("a document that was made from Markdown", () => {
  test("is read back with its structure", async () => {
    const text = await at.ok("read", "report.docx");
    for (const part of [
      "# 年度报告 Annual report",
      "**重要**",
      "*italics*",
      "`code`",
      "[链接](https://example.com)",
      "😀",
      "[^1]: 脚注的内容。",
      "- 第一项",
      "   - nested",
      "2. two",
      "| 苹果 | 10 |",
      "| a \\| b | 200 |",
      "> A quotation.",
      "## Second chapter",
    ])
      expect(text).toContain(part);
    const info = JSON.parse(await at.ok("info", "report.docx"));
    expect(info).toMatchObject({
      title: "年度报告 Annual report",
      tables: 1,
      pictures: 1,
      comments: 0,
      changes: 0,
    });
  });

  test("refuses to take an existing output, and takes it with --force", async () => {
    const { code, err } = await at.run("create", "report.docx", "--from", "report.md");
    expect([code, err]).toEqual([2, expect.stringContaining("--force")]);
  });

  test("names pictures that are not taken", async () => {
    at.put("sub/p.md", "![a](../pic.png) ![b](https://example.com/x.png) ![c](none.png)\n");
    const { code, err } = await at.run("create", "p.docx", "--from", "sub/p.md");
    expect(code).toBe(0);
    for (const part of ["outside the document's folder", "addresses are not fetched", "no such file"])
      expect(err).toContain(part);
  });
});

describe.skipIf(withoutPrograms !== null)(
  `compared with LibreOffice and poppler (${withoutPrograms ?? "here"})`,
  () => {
    test("our document opens in LibreOffice with all its text", () => {
      const pdf = at.office("report.docx", "pdf");
      const text = at.tool("pdftotext", at.path(pdf), "-");
      for (const part of [
        "年度报告",
        "重要",
        "第一项",
        "nested",
        "苹果",
        "脚注的内容",
        "机密 Confidential",
        "Second chapter",
        "Łódź",
      ])
        expect(text).toContain(part);
    });

    test("Word to PDF: valid, searchable, with bookmarks, fonts inside, and what is missing is named", async () => {
      const { code, err, out } = await at.run("convert", "report.docx", "own.pdf");
      expect(code).toBe(0);
      expect(out).toContain("wrote own.pdf");
      at.tool("qpdf", "--check", at.path("own.pdf"));
      const text = at.tool("pdftotext", at.path("own.pdf"), "-");
      for (const part of [
        "年度报告 Annual report",
        "第一项",
        "苹果",
        "Łódź",
        "机密 Confidential",
        "The end.",
      ])
        expect(text).toContain(part);
      expect(at.tool("pdffonts", at.path("own.pdf"))).toMatch(/CID .*yes yes yes/);
      expect(
        at.tool("pdftoppm", "-r", "20", "-png", "-f", "1", "-l", "1", at.path("own.pdf"), at.path("page")),
      ).toBe("");
      if (!text.includes("😀")) expect(err).toContain("U+1F600");
    });

    test("without fonts of the machine the viewer's Chinese font is used, and emoji are named", async () => {
      const { code, err } = await at.run("convert", "report.md", "plain.pdf", "--no-system-fonts");
      expect([code, err]).toEqual([0, expect.stringContaining("U+1F600")]);
      expect(at.tool("pdffonts", at.path("plain.pdf"))).toContain("STSong-Light");
      expect(at.tool("pdftotext", at.path("plain.pdf"), "-")).toContain("年度报告");
    });

    test("a document by LibreOffice is read, changed with its look kept, and read by LibreOffice again", async () => {
      at.put(
        "source.html",
        `<html><body><h1>标题 Title</h1><p>Hello <b>bo</b><i>ld</i> world, 你好<b>世界</b>。</p><ul><li>one<ul><li>inner</li></ul></li></ul><ol><li>first</li></ol><table border=1><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>二</td></tr></table></body></html>`,
      );
      const made = at.office("source.html", "docx", "MS Word 2007 XML");
      const text = await at.ok("read", made);
      for (const part of [
        "# 标题 Title",
        "**bo**",
        "*ld*",
        "你好**世界**",
        "- one",
        "1. first",
        "| 1 | 二 |",
      ])
        expect(text).toContain(part);
      await at.ok(
        "replace",
        made,
        "changed.docx",
        "--find",
        "bold world",
        "--with",
        "strong 地球",
        "--find",
        "世界",
        "--with",
        "宇宙",
      );
      expect(await at.ok("read", "changed.docx")).toContain("Hello **strong 地球**, 你好**宇宙**。");
      const [before, after] = [made, "changed.docx"].map((name) => readZip(at.bytes(name), name));
      for (const name of before?.names ?? [])
        if (name !== "word/document.xml")
          expect([name, Buffer.from(after?.bytes(name) ?? [])]).toEqual([
            name,
            Buffer.from(before?.bytes(name) ?? []),
          ]);
      expect(at.tool("pdftotext", at.path(at.office("changed.docx", "pdf")), "-")).toContain("strong 地球");
    });
  },
);

describe("changing a document", () => {
  test("tracked replacement can be accepted and rejected", async () => {
    await at.ok(
      "replace",
      "report.docx",
      "tracked.docx",
      "--find",
      "重要",
      "--with",
      "紧急",
      "--track",
      "张三",
    );
    const changes = JSON.parse(await at.ok("changes", "tracked.docx"));
    expect(
      changes.map((one: { kind: string; author: string; text: string }) => [one.kind, one.author, one.text]),
    ).toEqual([
      ["deleted", "张三", "重要"],
      ["inserted", "张三", "紧急"],
    ]);
    expect(await at.ok("read", "tracked.docx", "--show-changes")).toContain("{--**重要**--}{++**紧急**++}");
    await at.ok("changes", "tracked.docx", "yes.docx", "--accept");
    await at.ok("changes", "tracked.docx", "no.docx", "--reject");
    expect(await at.ok("read", "yes.docx")).toContain("这是**紧急**的段落");
    expect(await at.ok("read", "no.docx")).toBe(await at.ok("read", "report.docx"));
  });

  test("templates are filled: values, rows, sections; what has no value is named", async () => {
    at.put(
      "t.md",
      "Dear {{name}} of {{org.city}}, {{nothing}}\n\n| Item | Price |\n|---|---|\n| {{items.title}} | {{items.price}} |\n\n{{#notes}}\n\nNote {{index}}: {{text}}\n\n{{/notes}}\n\nEnd\n",
    );
    await at.ok("create", "t.docx", "--from", "t.md");
    at.put(
      "data.json",
      JSON.stringify({
        name: "李雷 & <Co>",
        org: { city: "上海" },
        items: [
          { title: "甲", price: 1 },
          { title: "乙", price: 2 },
        ],
        notes: [{ text: "x" }, { text: "y" }],
      }),
    );
    const { code, err } = await at.run("fill", "t.docx", "filled.docx", "--data", "data.json");
    expect([code, err]).toEqual([0, expect.stringContaining("nothing")]);
    const text = await at.ok("read", "filled.docx");
    for (const part of [
      "Dear 李雷 & \\<Co> of 上海",
      "| 甲 | 1 |",
      "| 乙 | 2 |",
      "Note 1: x",
      "Note 2: y",
      "End",
    ])
      expect(text.replace("\\<", "\\<")).toContain(part);
    expect(text).not.toContain("items");
  });

  test("comments, insertion, removal, merging, splitting", async () => {
    await at.ok("comment", "report.docx", "c.docx", "--on", "重要", "--text", "真的吗？", "--author", "李四");
    expect(await at.ok("read", "c.docx")).toContain("李四 on “重要”: 真的吗？");
    at.put("new.md", "### Inserted\n\n- 新的一项\n");
    await at.ok("insert", "report.docx", "i.docx", "--from", "new.md", "--before", "Second chapter");
    expect(await at.ok("read", "i.docx")).toMatch(/### Inserted[\s\S]*新的一项[\s\S]*## Second chapter/);
    await at.ok("remove", "i.docx", "r.docx", "--section", "Second chapter");
    expect(await at.ok("read", "r.docx")).not.toContain("The end.");
    await at.ok("merge", "m.docx", "report.docx", "i.docx");
    const merged = await at.ok("read", "m.docx");
    expect(merged.match(/# 年度报告/g)?.length).toBe(2);
    expect(JSON.parse(await at.ok("info", "m.docx")).pictures).toBe(2);
    await at.ok("split", "report.docx", "parts", "--level", "2");
    expect(readdirSync(at.path("parts"))).toEqual(
      [
        expect.stringContaining("1"),
        expect.stringContaining("年度报告"),
        expect.stringContaining("Second-chapter"),
      ].slice(-readdirSync(at.path("parts")).length),
    );
  });
});

describe("what goes wrong", () => {
  test("usage and missing files have their exit codes, --help is there for each command", async () => {
    expect((await at.run("read", "nowhere.docx")).code).toBe(3);
    expect((await at.run("nonsense")).code).toBe(2);
    expect((await at.run("read", "--nonsense")).code).toBe(2);
    const help = await at.ok("--help");
    for (const [, name] of help.matchAll(/^ {2}(\w+) {2}/gm))
      expect(await at.ok(name ?? "", "--help")).toContain("Usage: node docx.mjs");
  });

  test.each(
    Object.entries(
      hostilePackages(
        "word/document.xml",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml",
      ),
    ),
  )("%s is refused", async (name, bytes) => {
    at.put(`${name}.docx`, bytes);
    const { code, err, out } = await at.run("read", `${name}.docx`);
    expect([code, out, err]).toEqual([
      1,
      "",
      expect.stringMatching(name === "lying" ? /larger than it says|damaged/ : /refused/),
    ]);
  });

  test("damaged documents are named and nothing is written", async () => {
    const whole = at.bytes("report.docx");
    at.put("cut.docx", whole.subarray(0, whole.length / 2));
    const broken = Buffer.from(whole);
    broken.fill(0xff, 2000, 2400);
    at.put("broken.docx", broken);
    at.put("old.docx", Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.alloc(600)]));
    for (const name of ["cut.docx", "broken.docx", "old.docx"]) {
      const { code, err } = await at.run("convert", name, "never.pdf");
      expect([name, code, err]).toEqual([
        name,
        1,
        expect.stringMatching(/damaged|old binary|larger than it says/),
      ]);
    }
    expect(readdirSync(at.folder)).not.toContain("never.pdf");
  });

  test("a write that fails leaves the old file and nothing beside it", () => {
    at.put(
      "long.md",
      `# T\n\n${Array.from({ length: 20_000 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7919) % 20_000))).join("")}`,
    );
    at.put("keep.docx", "precious");
    let status = 0;
    try {
      execFileSync(
        "sh",
        [
          "-c",
          `trap '' XFSZ; ulimit -f 8; exec "${process.execPath}" "${scriptOf("docx")}" convert long.md keep.docx --force`,
        ],
        { cwd: at.folder, stdio: "pipe" },
      );
    } catch (error) {
      status = (error as { status: number }).status;
    }
    expect(status).toBe(1);
    expect(at.text("keep.docx")).toBe("precious");
    expect(readdirSync(at.folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });
});
