import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readZip } from "../../skills-src/common/zip-read.ts";
import { parseCsv } from "../../skills-src/xlsx/csv.ts";
import { desk, hostilePackages, withoutPrograms } from "./documents.ts";

vi.setConfig({ testTimeout: 900_000 });
const at = desk("xlsx");
afterAll(() => at.clean());

const table = `姓名,部门,金额,日期,备注\n张三,销售,1234.5,2024-05-01,"含""引号"", 逗号"\n李四,研发,2000,2024/6/15,😀 emoji\n王五,销售,15%,2024-07-03,=1+1\n00123,研发,"1,234.00",2024-01-01,"多行\n文本"\n`;
const toCsv = '"Text - txt - csv (StarCalc)":44,34,76'.replaceAll('"', "");

beforeAll(async () => {
  at.put("t.csv", table);
  await at.ok("convert", "t.csv", "t.xlsx");
});

describe("a workbook that was made from CSV", () => {
  test("holds numbers, dates, percentages and text, and gives the table back", async () => {
    const rows = JSON.parse(await at.ok("read", "t.xlsx", "--format", "json"));
    expect(rows[1]).toEqual(["张三", "销售", 1234.5, "2024-05-01", '含"引号", 逗号']);
    expect(rows[3]).toEqual(["王五", "销售", 0.15, "2024-07-03", "=1+1"]);
    expect(rows[4]?.slice(0, 3)).toEqual(["00123", "研发", 1234]);
    expect(parseCsv(await at.ok("read", "t.xlsx", "--format", "csv", "--formatted"), ",")[4]).toEqual([
      "00123",
      "研发",
      "1,234.00",
      "2024-01-01",
      "多行\n文本",
    ]);
    expect(await at.ok("read", "t.xlsx", "--format", "csv", "--safe")).toContain("'=1+1");
  });

  test("Chinese of another encoding and other delimiters are understood", async () => {
    at.put("gb.csv", Buffer.from("d0d5c3fb3bcafdc1bf0ad5c5c8fd3b350a", "hex"));
    await at.ok("convert", "gb.csv", "gb.xlsx");
    expect(JSON.parse(await at.ok("read", "gb.xlsx", "--format", "json"))).toEqual([
      ["姓名", "数量"],
      ["张三", 5],
    ]);
  });

  test("is split by a column, merged and stacked", async () => {
    await at.ok("split", "t.xlsx", "parts", "--by", "部门");
    expect(readdirSync(at.path("parts")).sort()).toEqual(["研发.xlsx", "销售.xlsx"].sort());
    await at.ok("merge", "all.xlsx", "parts/研发.xlsx", "parts/销售.xlsx", "--stack");
    expect(JSON.parse(await at.ok("info", "all.xlsx")).sheets[0].rows).toBe(5);
  });

  test("placeholders are filled with their own kind", async () => {
    at.put("form.csv", "a,b\n{{name}},{{n}}\nDear {{name}}!,x\n");
    await at.ok("convert", "form.csv", "form.xlsx");
    await at.ok("fill", "form.xlsx", "filled.xlsx", "--data", '{"name":"李雷","n":7}');
    expect(JSON.parse(await at.ok("read", "filled.xlsx", "--format", "json")).slice(1)).toEqual([
      ["李雷", 7],
      ["Dear 李雷!", "x"],
    ]);
  });
});

describe.skipIf(withoutPrograms !== null)(`compared with LibreOffice (${withoutPrograms ?? "here"})`, () => {
  test("LibreOffice reads the same table", () => {
    const rows = parseCsv(at.text(at.office("t.xlsx", "csv", toCsv)), ",");
    expect(rows[1]).toEqual(["张三", "销售", "1234.5", "2024-05-01", '含"引号", 逗号']);
    expect(rows[4]).toEqual(["00123", "研发", "1,234.00", "2024-01-01", "多行\n文本"]);
  });

  test("a workbook by LibreOffice keeps its styles when cells and rows change, and its formulas are calculated anew", async () => {
    await at.ok("set", "t.xlsx", "sum.xlsx", "--cell", "A6=合计", "--cell", "C6==SUM(C2:C5)");
    const made = at.office("sum.xlsx", "xlsx");
    expect(JSON.parse(await at.ok("info", made)).sheets[0]).toMatchObject({
      rows: 6,
      formulas: 1,
      formulasWithoutResult: 0,
    });
    await at.ok("set", made, "changed.xlsx", "--cell", "C2=10000", "--cell", "B2=财务");
    const [before, after] = [made, "changed.xlsx"].map((name) => readZip(at.bytes(name), name));
    expect(after?.text("xl/styles.xml")).toBe(before?.text("xl/styles.xml"));
    const style = (xml: string | undefined): string | undefined =>
      /<c r="C2"[^>]*?\ss="(\d+)"/.exec(xml ?? "")?.[1] ?? "0";
    expect(style(after?.text("xl/worksheets/sheet1.xml"))).toBe(
      style(before?.text("xl/worksheets/sheet1.xml")),
    );
    const rows = parseCsv(at.text(at.office("changed.xlsx", "csv", toCsv)), ",");
    expect([rows[1]?.slice(1, 3), rows[5]?.[2]]).toEqual([
      ["财务", expect.stringMatching(/10,?000/)],
      expect.stringMatching(/13,?234\.15/),
    ]);
    await at.ok("append", "changed.xlsx", "more.xlsx", "--from", "t.csv", "--skip-header");
    expect(JSON.parse(await at.ok("read", "more.xlsx", "--format", "json"))[6]).toEqual([
      "张三",
      "销售",
      1234.5,
      "2024-05-01",
      '含"引号", 逗号',
    ]);
  });

  test("Excel to PDF is valid and holds the cells", async () => {
    await at.ok("convert", "t.xlsx", "t.pdf");
    at.tool("qpdf", "--check", at.path("t.pdf"));
    expect(at.tool("pdftotext", at.path("t.pdf"), "-")).toContain("张三");
  });
});

test("a hundred thousand rows are written, changed and read", async () => {
  const lines = Array.from(
    { length: 100_000 },
    (_, row) => `${row},项目${row},${row * 1.5},2024-01-${String((row % 28) + 1).padStart(2, "0")}`,
  );
  at.put("big.csv", `id,名称,value,date\n${lines.join("\n")}\n`);
  await at.ok("convert", "big.csv", "big.xlsx");
  await at.ok("set", "big.xlsx", "big2.xlsx", "--cell", "C50001=7");
  const rows = parseCsv(await at.ok("read", "big2.xlsx", "--format", "csv"), ",");
  expect([rows.length, rows[50_000], rows[100_000]?.slice(0, 2)]).toEqual([
    100_001,
    ["49999", "项目49999", "7", expect.any(String)],
    ["99999", "项目99999"],
  ]);
});

describe("what goes wrong", () => {
  test.each(
    Object.entries(
      hostilePackages(
        "xl/workbook.xml",
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml",
      ),
    ),
  )("%s is refused", async (name, bytes) => {
    at.put(`${name}.xlsx`, bytes);
    const { code, err, out } = await at.run("read", `${name}.xlsx`);
    expect([code, out, err]).toEqual([
      1,
      "",
      expect.stringMatching(name === "lying" ? /larger than it says|damaged/ : /refused/),
    ]);
  });

  test("wrong cells, sheets, tables and damage are named", async () => {
    expect(await at.run("read", "t.xlsx", "--sheet", "none")).toMatchObject({
      code: 1,
      err: expect.stringContaining("it has: t"),
    });
    expect(await at.run("set", "t.xlsx", "x.xlsx", "--cell", "ZZZ1=1")).toMatchObject({
      code: 1,
      err: expect.stringContaining("outside"),
    });
    expect(await at.run("set", "t.xlsx", "x.xlsx", "--cell", "hello")).toMatchObject({ code: 2 });
    at.put("open.csv", 'a,"b\nc');
    expect(await at.run("convert", "open.csv", "x.xlsx")).toMatchObject({
      code: 1,
      err: expect.stringContaining("never ends"),
    });
    at.put("cut.xlsx", at.bytes("t.xlsx").subarray(0, 2000));
    expect(await at.run("read", "cut.xlsx")).toMatchObject({
      code: 1,
      err: expect.stringContaining("damaged"),
    });
    expect(readdirSync(at.folder)).not.toContain("x.xlsx");
    expect((await at.run("read", "nowhere.xlsx")).code).toBe(3);
  });
});
