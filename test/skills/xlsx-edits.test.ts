import { readdirSync } from "node:fs";
import { afterAll, describe, expect, test, vi } from "vitest";
import { readZip } from "../../skills-src/common/zip-read.ts";
import { writeZip } from "../../skills-src/common/zip-write.ts";
import { parseCsv } from "../../skills-src/xlsx/csv.ts";
import { desk, withoutPrograms } from "./documents.ts";

// Workbooks as Excel writes them, with what other programs rarely make; LibreOffice calculates what comes of them.

vi.setConfig({ testTimeout: 900_000 });
const at = desk("xlsx");
afterAll(() => at.clean());

const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const kind = "application/vnd.openxmlformats-officedocument.spreadsheetml";
const packages = "http://schemas.openxmlformats.org/package/2006";

interface Book {
  /** Name and what stands in the worksheet. */
  readonly sheets: readonly (readonly [name: string, content: string])[];
  readonly strings?: string;
  readonly names?: string;
  /** A table of the first sheet. */
  readonly table?: string;
}

function xlsx({ sheets, strings, names = "", table }: Book): Buffer {
  const space = `xmlns="${main}" xmlns:r="${office}"`;
  const relations = (list: readonly (readonly [id: string, type: string, target: string])[]): string =>
    `<Relationships xmlns="${packages}/relationships">${list.map(([id, type, target]) => `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`).join("")}</Relationships>`;
  const override = (part: string, type: string): string =>
    `<Override PartName="/xl/${part}" ContentType="${kind}.${type}+xml"/>`;
  const files: (readonly [string, string])[] = [
    [
      "[Content_Types].xml",
      `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${override("workbook.xml", "sheet.main")}${sheets.map((_, sheet) => override(`worksheets/sheet${sheet + 1}.xml`, "worksheet")).join("")}${strings ? override("sharedStrings.xml", "sharedStrings") : ""}${table ? override("tables/table1.xml", "table") : ""}</Types>`,
    ],
    ["_rels/.rels", relations([["rId1", "officeDocument", "xl/workbook.xml"]])],
    [
      "xl/workbook.xml",
      `<workbook ${space}><sheets>${sheets.map(([name], sheet) => `<sheet name="${name}" sheetId="${sheet + 1}" r:id="rId${sheet + 1}"/>`).join("")}</sheets>${names}</workbook>`,
    ],
    [
      "xl/_rels/workbook.xml.rels",
      relations([
        ...sheets.map(
          (_, sheet) => [`rId${sheet + 1}`, "worksheet", `worksheets/sheet${sheet + 1}.xml`] as const,
        ),
        ...(strings ? [["rIdS", "sharedStrings", "sharedStrings.xml"] as const] : []),
      ]),
    ],
    ...sheets.map(
      ([, content], sheet) =>
        [`xl/worksheets/sheet${sheet + 1}.xml`, `<worksheet ${space}>${content}</worksheet>`] as const,
    ),
  ];
  if (strings) files.push(["xl/sharedStrings.xml", `<sst ${space}>${strings}</sst>`]);
  if (table)
    files.push(
      ["xl/tables/table1.xml", table],
      ["xl/worksheets/_rels/sheet1.xml.rels", relations([["rId1", "table", "../tables/table1.xml"]])],
    );
  return writeZip(new Map(files));
}

/** Rows of cells: numbers, text, or XML of a whole cell without its place. */
const data = (...rows: readonly (readonly (string | number)[])[]): string =>
  `<sheetData>${rows
    .map((cells, row) => {
      const place = (column: number): string => `${String.fromCharCode(65 + column)}${row + 1}`;
      const xml = cells.map((cell, column) =>
        typeof cell === "number"
          ? `<c r="${place(column)}"><v>${cell}</v></c>`
          : cell.startsWith("<c")
            ? cell.replace("<c", `<c r="${place(column)}"`)
            : `<c r="${place(column)}" t="inlineStr"><is><t>${cell}</t></is></c>`,
      );
      return `<row r="${row + 1}">${xml.join("")}</row>`;
    })
    .join("")}</sheetData>`;
const f = (formula: string, attributes = "", value = 0): string =>
  `<c><f${attributes}>${formula.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</f><v>${value}</v></c>`;

const part = (name: string, path: string): string => readZip(at.bytes(name), name).text(path);
const sheetOf = (name: string, number = 1): string => part(name, `xl/worksheets/sheet${number}.xml`);
const formulas = async (name: string, ...more: readonly string[]): Promise<unknown> =>
  JSON.parse(await at.ok("read", name, "--format", "json", "--formulas", ...more));

/** First sheets as LibreOffice calculates them. */
const calculated = (...names: readonly string[]): readonly string[][][] =>
  at
    .offices(names, "csv", "Text - txt - csv (StarCalc):44,34,76")
    .map((name) => parseCsv(at.text(name), ","));

const compared = describe.skipIf(withoutPrograms !== null);

compared(`edits and formulas (${withoutPrograms ?? "here"})`, () => {
  test("setting a cell leaves the formulas of others that shared its own", async () => {
    const shared = (text: string, range = ""): string => f(text, ` t="shared" si="0"${range}`, 2);
    at.put(
      "shared.xlsx",
      xlsx({
        sheets: [
          [
            "S",
            data(
              [1, shared('A1*2&amp;"A1"', ' ref="B1:B3"').replace("&amp;amp;", "&amp;")],
              [2, shared("")],
              [3, shared("")],
            ),
          ],
        ],
      }),
    );
    await at.ok("set", "shared.xlsx", "shared-1.xlsx", "--cell", "B1=100");
    await at.ok(
      "set",
      "shared.xlsx",
      "shared-2.xlsx",
      "--cell",
      "B1=100",
      "--cell",
      "B2==A2+1",
      "--cell",
      "A3=7",
    );
    expect(calculated("shared-1.xlsx", "shared-2.xlsx")).toEqual([
      [
        ["1", "100"],
        ["2", "4A1"],
        ["3", "6A1"],
      ],
      [
        ["1", "100"],
        ["2", "3"],
        ["7", "14A1"],
      ],
    ]);
  });

  test("a part of an array formula is not set; all of it is", async () => {
    at.put(
      "array.xlsx",
      xlsx({ sheets: [["S", data([1, f("A1:A2*2", ' t="array" ref="B1:B2"', 2)], [2, 4])]] }),
    );
    for (const cell of ["B1=5", "B2=5"])
      expect(await at.run("set", "array.xlsx", "never.xlsx", "--cell", cell)).toMatchObject({
        code: 1,
        err: expect.stringContaining("array formula in B1:B2"),
      });
    await at.ok("set", "array.xlsx", "array-all.xlsx", "--cell", "B1=5", "--cell", "B2=6");
    expect(calculated("array-all.xlsx")).toEqual([
      [
        ["1", "5"],
        ["2", "6"],
      ],
    ]);
  });

  test("headings of a table keep their columns, and rows below it belong to it", async () => {
    const table = `<table xmlns="${main}" id="1" name="T" displayName="T" ref="A1:B2"><autoFilter ref="A1:B2"/><tableColumns count="2"><tableColumn id="1" name="Name"/><tableColumn id="2" name="Val"/></tableColumns></table>`;
    const sum = f("SUM(T[Val])+SUM(T[[#All],[Val]])");
    at.put(
      "table.xlsx",
      xlsx({
        sheets: [
          [
            "S",
            `${data(["Name", "Val", sum], ["x", 5])}<tableParts count="1"><tablePart r:id="rId1"/></tableParts>`,
          ],
        ],
        table,
      }),
    );
    at.put("more.csv", "y,7\n");
    await at.ok("set", "table.xlsx", "table-1.xlsx", "--cell", "B1=2024");
    await at.ok("append", "table-1.xlsx", "table-2.xlsx", "--from", "more.csv");
    await at.ok("replace", "table-2.xlsx", "table-3.xlsx", "--find", "Name", "--with", "Who [#]");
    expect(part("table-3.xlsx", "xl/tables/table1.xml")).toMatch(
      /ref="A1:B3".*<autoFilter ref="A1:B3"\/>.*name="Who \[#\]".*name="2024"/,
    );
    expect(sheetOf("table-3.xlsx")).toContain("SUM(T[2024])+SUM(T[[#All],[2024]])");
    expect(calculated("table-3.xlsx")[0]?.map((row) => row.slice(0, 2))).toEqual([
      ["Who [#]", "2024"],
      ["x", "5"],
      ["y", "7"],
    ]);
    expect(calculated("table-3.xlsx")[0]?.[0]?.[2]).toBe("24");
    for (const [cell, why] of [
      ["B1=name", "second heading"],
      ["B1=", "cannot be empty"],
      ["B1==A2", "must be text"],
    ] as const)
      expect(await at.run("set", "table.xlsx", "never.xlsx", "--cell", cell)).toMatchObject({
        code: 1,
        err: expect.stringContaining(why),
      });
  });

  test("a renamed sheet is renamed wherever it is meant, and nowhere else", async () => {
    const calc = data(
      [
        f("'Data Sheet'!A1+1"),
        f("SUM('Data Sheet:Last'!A1)"),
        f("\"data sheet!\"&'DATA SHEET'!A1&\"'Data Sheet'!\""),
      ],
      [f("SUM('Data Sheet'!A1:'Data Sheet'!A2)"), f("IF(1,Calc!A1,2)"), f("N")],
    );
    const rules = `<conditionalFormatting sqref="A1"><cfRule type="expression" priority="1"><formula>'Data Sheet'!$A$1&gt;0</formula></cfRule></conditionalFormatting><dataValidations count="1"><dataValidation type="list" sqref="A9"><formula1>'Data Sheet'!$A$1:$A$2</formula1></dataValidation></dataValidations><hyperlinks><hyperlink ref="A1" location="'Data Sheet'!A1"/></hyperlinks>`;
    at.put(
      "names.xlsx",
      xlsx({
        sheets: [
          ["Calc", calc + rules],
          ["Data Sheet", data([1], [2])],
          ["Last", data([10])],
        ],
        names: "<definedNames><definedName name=\"N\">'Data Sheet'!$A$2</definedName></definedNames>",
      }),
    );
    await at.ok("sheet", "names.xlsx", "named.xlsx", "--rename", "Data Sheet", "--to", "Of 2024");
    await at.ok("sheet", "named.xlsx", "quoted.xlsx", "--rename", "Of 2024", "--to", "It's");
    await at.ok("sheet", "quoted.xlsx", "plain.xlsx", "--rename", "It's", "--to", "Plain");
    const values = [
      ["2", "11", "data sheet!1'Data Sheet'!"],
      ["3", "2", "2"],
    ];
    const [named, plain] = calculated("named.xlsx", "plain.xlsx");
    expect(plain).toEqual(values);
    // LibreOffice reads no range of sheets in quotes; Excel writes it so.
    expect([named?.[0]?.[0], named?.[0]?.[2], named?.[1]]).toEqual([
      values[0]?.[0],
      values[0]?.[2],
      values[1],
    ]);
    const xml = sheetOf("quoted.xlsx");
    expect(xml.match(/Data Sheet/gi)).toHaveLength(2);
    for (const place of [
      "<formula>'It''s'!$A$1&gt;0<",
      "<formula1>'It''s'!$A$1:$A$2<",
      "location=\"'It''s'!A1\"",
      ">SUM('It''s:Last'!A1)<",
    ])
      expect(xml).toContain(place);
    expect(await formulas("plain.xlsx")).toEqual([
      ["=Plain!A1+1", "=SUM(Plain:Last!A1)", '="data sheet!"&Plain!A1&"\'Data Sheet\'!"'],
      ["=SUM(Plain!A1:Plain!A2)", "=IF(1,Calc!A1,2)", "=N"],
    ]);
  });

  test("what referred to a deleted sheet says so", async () => {
    at.put(
      "whole.xlsx",
      xlsx({
        sheets: [
          ["Calc", data([f("Old!A1+[1]Old!A1"), f("SUM(Old!$A$1:$B$2,1)"), f("A9+1")])],
          ["Old", data([1])],
        ],
        names: '<definedNames><definedName name="N">Old!$A$1</definedName></definedNames>',
      }),
    );
    const { code, err } = await at.run("sheet", "whole.xlsx", "less.xlsx", "--delete", "Old");
    expect([code, err]).toEqual([0, expect.stringContaining("#REF! now: Calc!A1, Calc!B1, the name N")]);
    expect(await formulas("less.xlsx")).toEqual([["=#REF!+[1]Old!A1", "=SUM(#REF!,1)", "=A9+1"]]);
    expect(part("less.xlsx", "xl/workbook.xml")).toContain(">#REF!</definedName>");
    expect(calculated("less.xlsx")[0]?.[0]?.[2]).toBe("1");
  });
});

describe("cells far apart", () => {
  test("are refused at once, and a range of them is read", async () => {
    at.put(
      "far.xlsx",
      xlsx({
        sheets: [
          [
            "S",
            '<sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>9</v></c></row></sheetData>',
          ],
        ],
      }),
    );
    for (const args of [
      ["read", "far.xlsx"],
      ["read", "far.xlsx", "--format", "csv"],
      ["read", "far.xlsx", "--format", "json"],
      ["convert", "far.xlsx", "far.pdf"],
      ["split", "far.xlsx", "parts-of-far"],
    ])
      expect([args, await at.run(...args)]).toEqual([
        args,
        { code: 1, out: "", err: expect.stringMatching(/too far apart: 2 cells reach over 1048576 rows/) },
      ]);
    expect(await at.ok("read", "far.xlsx", "--format", "csv", "--range", "A1:B2")).toBe("1\n");
    expect(await at.ok("read", "far.xlsx", "--format", "csv", "--range", "XFC1048576:XFD1048576")).toBe(
      ",9\n",
    );
    expect(JSON.parse(await at.ok("info", "far.xlsx")).sheets[0]).toMatchObject({
      rows: 1_048_576,
      cells: 2,
    });
  });
});

describe("small things", () => {
  test("numbers too large for a cell stay text, large ones are shown", async () => {
    at.put("large.csv", `a\n1e400\n1e300\n${"9".repeat(400)}%\n`);
    await at.ok("convert", "large.csv", "large.xlsx");
    await at.ok("set", "large.xlsx", "larger.xlsx", "--cell", "B1=1e400", "--cell", "C1=1E300");
    expect(JSON.parse(await at.ok("read", "larger.xlsx", "--format", "json"))).toEqual([
      ["a", "1e400", 1e300],
      ["1e400", null, null],
      [1e300, null, null],
      [`${"9".repeat(400)}%`, null, null],
    ]);
    expect(JSON.parse(await at.ok("info", "larger.xlsx")).sheets[0].firstRow).toEqual([
      "a",
      "1e400",
      "1e+300",
    ]);
    expect(await at.run("set", "large.xlsx", "never.xlsx", "--data", '{"A1":1e400}')).toMatchObject({
      code: 2,
    });
  });

  test("text is found where its look changes in the middle", async () => {
    const strings =
      '<si/><si><r><t xml:space="preserve">Rich </t></r><r><rPr><b/></rPr><t>Te</t></r><r><t>xt &amp; more</t></r></si><si><t>課</t><rPh sb="0" eb="1"><t>カ</t></rPh><phoneticPr fontId="1"/></si>';
    const s = (index: number): string => `<c t="s"><v>${index}</v></c>`;
    at.put("rich.xlsx", xlsx({ sheets: [["S", data([s(1), s(2)])]], strings }));
    await at.ok("replace", "rich.xlsx", "poor.xlsx", "--find", "Rich Text", "--with", "<New>");
    expect(JSON.parse(await at.ok("read", "poor.xlsx", "--format", "json"))).toEqual([
      ["<New> & more", "課"],
    ]);
    expect(part("poor.xlsx", "xl/sharedStrings.xml")).toContain("<rPr><b/></rPr>");
    expect(part("poor.xlsx", "xl/sharedStrings.xml")).toContain("<rPh");
    expect((await at.run("replace", "rich.xlsx", "never.xlsx", "--find", "カ", "--with", "x")).code).toBe(1);
  });

  test("rows go right below the last one, not below prepared ones, whose look they take", async () => {
    const prepared = Array.from(
      { length: 50 },
      (_, row) =>
        `<row r="${row + 2}" ht="30" customHeight="1"><c r="A${row + 2}" s="0"/><c r="C${row + 2}" s="0"/></row>`,
    );
    at.put(
      "prepared.xlsx",
      xlsx({ sheets: [["S", data(["a", "b"]).replace("</sheetData>", `${prepared.join("")}</sheetData>`)]] }),
    );
    at.put("two.csv", "1,2\n3,4\n");
    expect(await at.ok("append", "prepared.xlsx", "filled.xlsx", "--from", "two.csv")).toContain(
      "2 rows added from row 2",
    );
    expect(JSON.parse(await at.ok("read", "filled.xlsx", "--format", "json"))).toEqual([
      ["a", "b"],
      [1, 2],
      [3, 4],
    ]);
    const rows = sheetOf("filled.xlsx").match(/<row [^>]*>/g) ?? [];
    expect([rows.length, rows[1]]).toEqual([51, '<row r="2" ht="30" customHeight="1">']);
    expect(sheetOf("filled.xlsx")).toMatch(/<c r="A2"[^>]*>.*?<c r="B2"[^>]*>.*?<c r="C2" s="0"\/><\/row>/);
  });

  test("files of a split have whole characters and own names", async () => {
    at.put("groups.csv", `key,n\n${"😀".repeat(40)},1\na<b,2\na>b,3\n`);
    await at.ok("convert", "groups.csv", "groups.xlsx");
    await at.ok("split", "groups.xlsx", "groups", "--by", "key");
    expect(readdirSync(at.path("groups")).sort()).toEqual([
      "a-b 2.xlsx",
      "a-b.xlsx",
      `${"😀".repeat(15)}.xlsx`,
    ]);
  });

  test("what is not shown, not taken or not there is told", async () => {
    const merged = `${data(["top", f("1+1").replace("<v>0</v>", "")], ["", ""])}<mergeCells count="1"><mergeCell ref="A1:A2"/></mergeCells>`;
    at.put(
      "told.xlsx",
      xlsx({
        sheets: [
          ["One", merged],
          ["Two", data(["x"])],
        ],
      }),
    );
    expect(
      await at.run("set", "told.xlsx", "covered.xlsx", "--cell", "A2=5", "--cell", "A1=1"),
    ).toMatchObject({
      code: 0,
      err: expect.stringMatching(/merged cell covers A2:/),
    });
    for (const target of ["told.csv", "told.md", "told.pdf"]) {
      const { err } = await at.run("convert", "told.xlsx", target);
      expect([target, err]).toEqual([
        target,
        expect.stringMatching(/only the sheet "One" of 2[\s\S]*1 formulas? .*stand/),
      ]);
    }
    expect(at.text("told.csv").split("\n")[0]).toBe("top,=1+1");
    expect(at.text("told.md")).toContain("=1+1");
    expect(await at.ok("read", "told.xlsx", "--formulas")).toContain("=1+1");
    at.put("empty.csv", "");
    expect(await at.run("convert", "empty.csv", "never.xlsx")).toMatchObject({
      code: 1,
      err: expect.stringContaining("no rows"),
    });
    for (const rows of ["1.5", "1e2", "0x5"])
      expect((await at.run("read", "told.xlsx", "--rows", rows)).code).toBe(2);
    expect(readdirSync(at.folder)).not.toContain("never.xlsx");
  });
});
