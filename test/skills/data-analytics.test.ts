import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { runScript, type ScriptRun } from "./run-script.ts";

const endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)";
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "skillet-data-"));
  put(
    "sales.csv",
    [
      "id;day;region;amount;zip;price",
      ...Array.from({ length: 100 }, (_, i) =>
        [
          i,
          `2026-01-${String((i % 28) + 1).padStart(2, "0")}`,
          i % 3 === 0 ? "south " : i % 3 === 1 ? "South" : "东部",
          i < 2 ? 9999 : i === 5 ? "" : 100 + i,
          `0${1000 + i}`,
          `${i + 1}.5 €`,
        ].join(";"),
      ),
      "",
    ].join("\n"),
  );
  put(
    "regions.json",
    JSON.stringify({
      items: [
        { region: "South", boss: { name: "A|b" } },
        { region: "东部", boss: { name: "<Lee>" } },
      ],
    }),
  );
  put("events.jsonl", '{"kind":"a","n":1}\n{"kind":"b","n":2,"ok":true}\n');
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const put = (name: string, text: string | Buffer): void => writeFileSync(join(folder, name), text);
const run = (...args: readonly string[]): Promise<ScriptRun> =>
  runScript("data-analytics", args, { cwd: folder });
const rows = async (...args: readonly string[]): Promise<unknown> =>
  JSON.parse((await run("query", "--format", "json", ...args)).out);

describe("profile", () => {
  test("names types, keys, gaps and what looks wrong", async () => {
    const { tables } = JSON.parse((await run("profile", "sales.csv", "--json")).out) as {
      tables: {
        rows: number;
        keys: string[];
        columns: { name: string; type: string; filled: number; remarks: string[] }[];
      }[];
    };
    const [table] = tables;
    expect(table).toMatchObject({ rows: 100, keys: ["id", "zip", "price"] });
    expect(table?.columns.map(({ name, type, filled }) => [name, type, filled])).toEqual([
      ["id", "number", 100],
      ["day", "date", 100],
      ["region", "text", 100],
      ["amount", "number", 99],
      ["zip", "text", 100],
      ["price", "text", 100],
    ]);
    const said = table?.columns.flatMap(({ remarks }) => remarks).join("\n") ?? "";
    for (const remark of [
      "34 values begin or end with a space",
      "spelled in several ways",
      "2 far from the rest",
      '9999 may stand for "unknown"',
      "numbers written as text",
    ])
      expect(said).toContain(remark);
    expect((await run("profile", "sales.csv")).out).toContain(
      "sales: 100 rows, 6 columns, key: id or zip or price",
    );
  });

  test("quartiles, mean and deviation are right", async () => {
    put("n.csv", `v\n${Array.from({ length: 101 }, (_, i) => i).join("\n")}\n`);
    const { tables } = JSON.parse((await run("profile", "n.csv", "--json")).out) as {
      tables: { columns: { numbers: object }[] }[];
    };
    expect(tables[0]?.columns[0]?.numbers).toEqual({
      min: 0,
      q1: 25,
      median: 50,
      q3: 75,
      max: 100,
      mean: 50,
      deviation: expect.closeTo(29.3002, 3),
    });
  });
});

describe("query", () => {
  test("joins files of different kinds", async () => {
    expect(
      await rows(
        "SELECT r.boss_name AS boss, count(*) AS n FROM sales s JOIN regions r ON r.region = trim(s.region) GROUP BY 1 ORDER BY 1",
        "sales.csv",
        "regions.json",
      ),
    ).toEqual([
      { boss: "<Lee>", n: 33 },
      { boss: "A|b", n: 33 },
    ]);
    expect(await rows("SELECT * FROM e", "e=events.jsonl")).toEqual([
      { kind: "a", n: 1, ok: null },
      { kind: "b", n: 2, ok: 1 },
    ]);
  });

  test("keeps leading zeros and tells empty from nought", async () => {
    expect(await rows("SELECT zip, amount FROM sales WHERE id IN (5, 6) ORDER BY id", "sales.csv")).toEqual([
      { zip: "01005", amount: null },
      { zip: "01006", amount: 106 },
    ]);
  });

  test.each([
    ["md", "| region | boss_name |\n| --- | --- |\n| South | A\\|b |\n| 东部 | <Lee> |\n"],
    ["csv", "region,boss_name\nSouth,A|b\n东部,<Lee>\n"],
    ["jsonl", '{"region":"South","boss_name":"A|b"}\n{"region":"东部","boss_name":"<Lee>"}\n'],
    ["text", "region  boss_name\n------  ---------\nSouth   A|b\n东部    <Lee>\n"],
  ])("prints %s", async (format, text) => {
    expect(
      (await run("query", "--format", format, "SELECT region, boss_name FROM regions", "regions.json")).out,
    ).toBe(text);
  });

  test("what it writes is read the same again", async () => {
    put("odd.csv", 'a,"b ""x""",C\n"line\nbreak","1,5",-0.5\n=cmd,,2e3\n');
    const before = await rows("SELECT * FROM odd", "odd.csv");
    expect((await run("query", "--out", "again.csv", "SELECT * FROM odd", "odd.csv")).out).toContain(
      "2 rows",
    );
    expect(await rows("SELECT * FROM again", "again.csv")).toEqual(before);
    const second = await run("query", "--out", "again.csv", "SELECT 1", "odd.csv");
    expect([second.code, second.err]).toEqual([2, expect.stringContaining("--force")]);
  });

  test("reads an SQLite file that another program wrote, and leaves it alone", async () => {
    const made =
      "import sqlite3,sys\nd=sqlite3.connect(sys.argv[1])\nd.execute('create table t(a,b)')\nd.execute(\"insert into t values(1,'中'),(2,null)\")\nd.commit()";
    execFileSync("python3", ["-c", made, join(folder, "x.db")]);
    const before = readFileSync(join(folder, "x.db"));
    expect(await rows("SELECT * FROM t", "x.db")).toEqual([
      { a: 1, b: "中" },
      { a: 2, b: null },
    ]);
    await run("query", "DELETE FROM t", "x.db");
    expect(readFileSync(join(folder, "x.db")).equals(before)).toBe(true);
  });

  test.each([
    [["query", "SELEC", "sales.csv"], 1, /syntax error/],
    [["query", "SELECT * FROM nowhere", "sales.csv"], 1, /tables: sales/],
    [["query", "SELECT 1", "nowhere.csv"], 3, /no such file/],
    [
      ["query", "SELECT nope FROM sales", "sales.csv"],
      1,
      /no such column: nope\n {2}sales: id, day, region, amount/,
    ],
    [["query", "SELECT 1", "sales.csv", "--timeout", "1e9"], 2, /--timeout must be/],
    [
      ["query", `${endless} SELECT count(*) FROM c`, "sales.csv", "--timeout", "1"],
      1,
      /did not end within 1 s and was stopped/,
    ],
    [
      ["chart", "bar", "sales.csv", "--x", "x", "--sql", `${endless} SELECT sum(x) FROM c`, "--timeout", "1"],
      1,
      /did not end within 1 s and was stopped/,
    ],
    [["query", "SELECT 1", "bad.json"], 1, /bad\.json is not JSON/],
    [["query", "SELECT 1", "bad.jsonl"], 1, /bad\.jsonl:2 is not JSON/],
    [["query", "SELECT 1", "zip.csv"], 1, /skill xlsx/],
    [["query", "SELECT 1", "broken.db"], 1, /damaged/],
    [["query", "SELECT 1", "sales.csv", "s/sales.csv"], 3, /no such file/],
    [["query", "--format", "yaml", "SELECT 1", "sales.csv"], 2, /no format/],
    [["chart", "pie", "sales.csv", "--x", "id"], 2, /no kind of chart/],
    [["chart", "bar", "sales.csv", "--x", "id", "--y", "region"], 2, /holds texts/],
    [["chart", "bar", "sales.csv", "--x", "nope", "--y", "id"], 2, /columns: id, day/],
  ])("says what is wrong: %j", async (args, code, said) => {
    put("bad.json", "{");
    put("bad.jsonl", '{"a":1}\n{"a":\n');
    put("zip.csv", Buffer.from("PK\u0003\u0004....", "latin1"));
    put("broken.db", Buffer.concat([Buffer.from("SQLite format 3\0", "latin1"), Buffer.alloc(200, 7)]));
    const answer = await run(...args);
    expect(answer.err).toMatch(said);
    expect(answer.code).toBe(code);
  });

  test("100,000 rows are nothing special", async () => {
    put("big.csv", `a,b\n${Array.from({ length: 100_000 }, (_, i) => `${i},${i % 7}`).join("\n")}\n`);
    expect(await rows("SELECT b, count(*) AS n FROM big GROUP BY b LIMIT 1", "big.csv")).toEqual([
      { b: 0, n: 14_286 },
    ]);
  });
});

describe("chart", () => {
  test.each([
    [
      "bar",
      [
        "--x",
        "region",
        "--y",
        "n",
        "--sql",
        "SELECT trim(region) AS region, count(*) AS n FROM sales GROUP BY 1",
      ],
      /<rect[^>]+fill="#c2410c"/g,
      3,
    ],
    ["line", ["--x", "day", "--y", "id", "--by", "region"], /<polyline/g, 3],
    ["scatter", ["--x", "id", "--y", "amount"], /<circle/g, 99],
    ["hist", ["--x", "amount", "--bins", "8"], /fill="#c2410c"/g, 8],
  ])("draws a %s", async (kind, args, marks, count) => {
    const out = `${kind}.svg`;
    const title = `<${kind}> & "东部"`;
    const made = await run("chart", kind, "sales.csv", ...args, "--out", out, "--title", title);
    expect([made.code, made.err]).toEqual([0, ""]);
    const svg = readFileSync(join(folder, out), "utf8");
    expect(svg.match(marks)).toHaveLength(count);
    expect(svg).toContain(`&lt;${kind}&gt; &amp; &quot;东部&quot;</title>`);
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
    expect(existsSync(join(folder, "chart.svg"))).toBe(false);
  });
});
