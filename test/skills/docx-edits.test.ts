import { readdirSync } from "node:fs";
import { afterAll, describe, expect, test, vi } from "vitest";
import { readZip } from "../../skills-src/common/zip-read.ts";
import { writeZip } from "../../skills-src/common/zip-write.ts";
import { desk, withoutPrograms } from "./documents.ts";

// Documents as Word writes them, with what other programs rarely make; LibreOffice reads what comes of them.

vi.setConfig({ testTimeout: 900_000 });
const at = desk("docx");
afterAll(() => at.clean());

const word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const kind = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const packages = "http://schemas.openxmlformats.org/package/2006";

/** A document with this body, and the headers rIdH1, rIdH2 … with these texts. */
function docx(body: string, headers: readonly string[] = []): Buffer {
  const names = `xmlns:w="${word}" xmlns:r="${office}"`;
  const files: (readonly [string, string])[] = [
    [
      "[Content_Types].xml",
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${kind}.document.main+xml"/>${headers.map((_, at) => `<Override PartName="/word/header${at + 1}.xml" ContentType="${kind}.header+xml"/>`).join("")}</Types>`,
    ],
    [
      "_rels/.rels",
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ],
    ["word/document.xml", `<w:document ${names}><w:body>${body}</w:body></w:document>`],
    [
      "word/_rels/document.xml.rels",
      `<Relationships xmlns="${packages}/relationships">${headers.map((_, at) => `<Relationship Id="rIdH${at + 1}" Type="${office}/header" Target="header${at + 1}.xml"/>`).join("")}</Relationships>`,
    ],
    ...headers.map((text, at) => [`word/header${at + 1}.xml`, `<w:hdr ${names}>${p(text)}</w:hdr>`] as const),
  ];
  return writeZip(new Map(files));
}

const p = (text: string, properties = ""): string =>
  `<w:p>${properties === "" ? "" : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
const by = 'w:id="1" w:author="A" w:date="2020-01-01T00:00:00Z"';
const page = (size: string, header = ""): string =>
  `<w:sectPr>${header === "" ? "" : `<w:headerReference w:type="default" r:id="${header}"/>`}${size}</w:sectPr>`;
const [wide, tall, letter] = [
  '<w:pgSz w:w="16838" w:h="11906" w:orient="landscape"/>',
  '<w:pgSz w:w="11906" w:h="16838"/>',
  '<w:pgSz w:w="12240" w:h="15840"/>',
];
const row = (cell: string, properties = ""): string =>
  `<w:tr>${properties}<w:tc><w:tcPr/>${cell}</w:tc></w:tr>`;
const grid = '<w:tblPr/><w:tblGrid><w:gridCol w:w="4000"/></w:tblGrid>';
const xmlOf = (name: string): string => readZip(at.bytes(name), name).text("word/document.xml");
const count = (name: string, part: string): number => xmlOf(name).split(part).length - 1;

/** Text and page size of each page of the documents, as LibreOffice lays them out. */
function pagesOf(...names: readonly string[]): readonly (readonly string[])[] {
  return at.offices(names, "pdf").map((name) => {
    const pdf = at.path(name);
    const sizes = at
      .tool("pdfinfo", "-f", "1", "-l", "99", pdf)
      .matchAll(/Page\s+\d+ size:\s+([\d.]+) x ([\d.]+)/g);
    const texts = at.tool("pdftotext", "-layout", pdf, "-").split("\f");
    return [...sizes].map(
      ([, width, height], index) =>
        `${Number(width) > Number(height) ? "wide" : "tall"}: ${(texts[index] ?? "").replace(/\s+/g, " ").trim()}`,
    );
  });
}

const compared = describe.skipIf(withoutPrograms !== null);

compared(`rejected changes (${withoutPrograms ?? "here"})`, () => {
  test("of formatting leave sections, headers and the look of paragraph ends", async () => {
    const changed = `<w:jc w:val="center"/><w:rPr><w:b/></w:rPr>${page(wide, "rIdH1")}<w:pPrChange ${by}><w:pPr><w:jc w:val="right"/></w:pPr></w:pPrChange>`;
    const last = page(tall, "rIdH2").replace(
      "</w:sectPr>",
      `<w:sectPrChange ${by}>${page(letter)}</w:sectPrChange></w:sectPr>`,
    );
    at.put("format.docx", docx(p("first", changed) + p("second") + last, ["HEADER-ONE", "HEADER-TWO"]));
    await at.ok("changes", "format.docx", "format-back.docx", "--reject");
    expect(pagesOf("format-back.docx")).toEqual([["wide: HEADER-ONE first", "tall: HEADER-TWO second"]]);
    const xml = xmlOf("format-back.docx");
    expect(xml).toMatch(/<w:pPr><w:jc w:val="right"\/><w:rPr><w:b\/><\/w:rPr><w:sectPr>/);
    expect([xml.includes('w:w="12240"'), xml.includes("Change")]).toEqual([true, false]);
  });

  test("of rows, cells and paragraph ends leave tables that are whole", async () => {
    const inserted = `<w:trPr><w:ins ${by}/></w:trPr>`;
    const end = `<w:p><w:pPr><w:rPr><w:ins ${by}/></w:rPr></w:pPr></w:p>`;
    at.put(
      "rows.docx",
      docx(
        `<w:tbl>${grid}${row(p("gone"), inserted)}</w:tbl>${p("between")}<w:tbl>${grid}${row(end)}${row(`<w:tbl>${grid}${row(p("gone too"), inserted)}</w:tbl>${end}`)}<w:tr><w:tc><w:tcPr><w:cellIns ${by}/></w:tcPr>${p("new cell")}</w:tc></w:tr></w:tbl>${p("end")}${page(tall)}`,
      ),
    );
    await at.ok("changes", "rows.docx", "rows-back.docx", "--reject");
    expect([count("rows-back.docx", "<w:tbl>"), count("rows-back.docx", "<w:tr>")]).toEqual([1, 2]);
    for (const cell of xmlOf("rows-back.docx").match(/<w:tc>.*?<\/w:tc>/g) ?? [])
      expect(cell).toMatch(/(?:<w:p\/>|<\/w:p>)<\/w:tc>$/);
    await at.ok("changes", "rows.docx", "rows-kept.docx", "--accept");
    expect(pagesOf("rows-back.docx", "rows-kept.docx")).toEqual([
      ["tall: between end"],
      ["tall: gone between gone too new cell end"],
    ]);
  });
});

compared(`removed blocks (${withoutPrograms ?? "here"})`, () => {
  const three = docx(
    `${p("one")}${p("one ends", page(wide, "rIdH1"))}${p("two only", page(tall, "rIdH2"))}${p("three")}${page(wide)}`,
    ["FIRST", "SECOND"],
  );

  test("keep the page and the header of what stays", async () => {
    at.put("three.docx", three);
    await at.ok("remove", "three.docx", "ends.docx", "--text", "one ends");
    await at.ok("remove", "three.docx", "two.docx", "--text", "two only");
    await at.ok("remove", "three.docx", "last.docx", "--text", "three");
    expect(pagesOf("three.docx", "ends.docx", "two.docx", "last.docx")).toEqual([
      ["wide: FIRST one one ends", "tall: SECOND two only", "wide: SECOND three"],
      ["wide: FIRST one", "tall: SECOND two only", "wide: SECOND three"],
      // A section without anything goes; what it lent to the next one stays.
      ["wide: FIRST one one ends", "wide: SECOND three"],
      ["wide: FIRST one one ends", "tall: SECOND two only"],
    ]);
  });

  test("splitting gives each part its own page and header", async () => {
    const heading = (text: string): string => p(text, '<w:outlineLvl w:val="0"/>');
    at.put(
      "parts.docx",
      docx(
        `${heading("A")}${p("a ends", page(wide, "rIdH1"))}${heading("B")}${p("b ends", page(tall, "rIdH2"))}${heading("C")}${page(wide)}`,
        ["FIRST", "SECOND"],
      ),
    );
    await at.ok("split", "parts.docx", "parts");
    expect(readdirSync(at.path("parts")).sort()).toEqual(["1-A.docx", "2-B.docx", "3-C.docx"]);
    expect(pagesOf(...["1-A", "2-B", "3-C"].map((name) => `parts/${name}.docx`))).toEqual([
      ["wide: FIRST A a ends"],
      ["tall: SECOND B b ends"],
      ["wide: SECOND C"],
    ]);
  });

  test("leave no half of a field or mark", async () => {
    const sign = (type: string): string => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
    const text = (words: string): string => `<w:r><w:t>${words}</w:t></w:r>`;
    at.put(
      "field.docx",
      docx(
        `${p("before")}<w:p><w:bookmarkStart w:id="0" w:name="b"/>${sign("begin")}<w:r><w:instrText>TOC</w:instrText></w:r>${sign("separate")}${text("line 1")}</w:p><w:p>${text("line 2")}</w:p><w:p>${text("line 3")}${sign("end")}<w:bookmarkEnd w:id="0"/></w:p>${p("after")}${page(tall)}`,
      ),
    );
    const cases = [
      ["line 1", "before line 2 line 3 after"],
      ["line 2", "before line 1 line 3 after"],
      ["line 3", "before line 1 line 2 after"],
      ["line", "before after"],
    ] as const;
    const out = (gone: string): string => `${gone.replace(" ", "-")}.docx`;
    for (const [gone] of cases) {
      await at.ok("remove", "field.docx", out(gone), "--text", gone);
      const signs = xmlOf(out(gone)).match(/(?<=fldCharType=")\w+|<w:instrText|bookmark\w+/g) ?? [];
      const order = ["bookmarkStart", "begin", "<w:instrText", "separate", "end", "bookmarkEnd"];
      expect([gone, signs]).toEqual([gone, gone === "line" ? [] : order]);
    }
    expect(pagesOf(...cases.map(([gone]) => out(gone)))).toEqual(cases.map(([, left]) => [`tall: ${left}`]));
  });
});

describe("text that is put in", () => {
  test("is not looked through again", async () => {
    at.put("swap.docx", docx(p("Alice pays Bob, not Alicent") + page(tall)));
    await at.ok(
      "replace",
      "swap.docx",
      "swapped.docx",
      "--pairs",
      '{"Alice":"Bob","Bob":"Alice","Alicent":"C"}',
    );
    expect((await at.ok("read", "swapped.docx", "--format", "text")).trim()).toBe("Bob pays Alice, not C");
    const table = `<w:tbl>${grid}${row(p("{{items.name}} {{secret}}"))}</w:tbl>`;
    at.put(
      "fill.docx",
      docx(`${p("{{a}} {{b}}")}${p("{{#items}}")}${p("- {{name}}")}${p("{{/items}}")}${table}${page(tall)}`),
    );
    const data = { a: "{{b}}", b: "{", secret: "S", items: [{ name: "{{secret}}" }, { name: "{{#items}}" }] };
    await at.ok("fill", "fill.docx", "filled.docx", "--data", JSON.stringify(data));
    const text = await at.ok("read", "filled.docx", "--format", "text");
    for (const part of ["{{b}} {", "- {{secret}}", "- {{#items}}", "{{secret}} S", "{{#items}} S"])
      expect(text).toContain(part);
  });

  test("takes the place of tabs and line breaks too, but not of page breaks", async () => {
    const runs = (...parts: readonly string[]): string =>
      `<w:p>${parts.map((one) => `<w:r>${one}</w:r>`).join("")}</w:p>`;
    const t = (text: string): string => `<w:t>${text}</w:t>`;
    at.put(
      "tabs.docx",
      docx(
        `${runs(t("one"), "<w:tab/>", `${t("two")}<w:br/>`, t("three"))}${runs(t("a"), '<w:br w:type="page"/>', t("b"))}${page(tall)}`,
      ),
    );
    const lines = async (name: string): Promise<readonly string[]> =>
      (await at.ok("read", name, "--format", "text")).trim().split(/\n+/);
    await at.ok("replace", "tabs.docx", "flat.docx", "--regex", "--find", "\\s", "--with", "_");
    expect([
      (await lines("flat.docx"))[0],
      count("flat.docx", "<w:tab/>"),
      count("flat.docx", "<w:br/>"),
    ]).toEqual(["one_two_three", 0, 0]);
    expect(count("flat.docx", '<w:br w:type="page"/>')).toBe(1);
    await at.ok(
      "replace",
      "tabs.docx",
      "over.docx",
      "--find",
      "one\ttwo\nthree",
      "--with",
      "X",
      "--track",
      "R",
    );
    await at.ok("changes", "over.docx", "over-accepted.docx", "--accept");
    await at.ok("changes", "over.docx", "over-rejected.docx", "--reject");
    expect((await lines("over-accepted.docx"))[0]).toBe("X");
    expect((await lines("over-rejected.docx")).slice(0, 2)).toEqual(["one\ttwo", "three"]);
  });
});
