import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { desk, hostilePackages, picture, withoutPrograms } from "./documents.ts";

// LibreOffice starts five times.
vi.setConfig({ testTimeout: 900_000 });
const at = desk("pptx");
afterAll(() => at.clean());

const deck = `# 季度汇报 Q3

销售部

## 要点

- 收入增长 **15%**
  - 华东最好 😀
- 下一步

<!-- notes: 先讲收入。 -->

## 数据

| 地区 | 收入 |
|---|---:|
| 华东 | 500 |

![图](pic.png)
`;

beforeAll(async () => {
  at.put("deck.md", deck);
  at.put("pic.png", picture);
  at.put(
    "chart.json",
    JSON.stringify({
      slides: [
        {
          title: "图表",
          chart: { type: "bar", labels: ["一月", "二月"], series: [{ name: "销量", values: [10, 20] }] },
          notes: "n",
        },
      ],
    }),
  );
  await at.ok("create", "deck.pptx", "--from", "deck.md");
  await at.ok("create", "chart.pptx", "--from", "chart.json");
});

const titles = async (name: string): Promise<readonly string[]> =>
  JSON.parse(await at.ok("info", name)).titles;

describe("a deck that was made from Markdown", () => {
  test("is read back with titles, lists, tables, notes and chart numbers", async () => {
    const text = await at.ok("read", "deck.pptx");
    for (const part of [
      "## Slide 2: 要点",
      "- 收入增长 **15%**",
      "   - 华东最好 😀",
      "> Notes: 先讲收入。",
      "| 华东 | 500 |",
    ])
      expect(text).toContain(part);
    expect(await at.ok("read", "chart.pptx")).toContain("| 二月 | 20 |");
  });

  test("its slides are kept, moved, copied, merged; words are replaced and filled", async () => {
    await at.ok("merge", "both.pptx", "deck.pptx", "chart.pptx");
    expect(await titles("both.pptx")).toEqual(["季度汇报 Q3", "要点", "数据", "图表"]);
    await at.ok("slides", "both.pptx", "some.pptx", "--keep", "4,2,2");
    expect(await titles("some.pptx")).toEqual(["图表", "要点", "要点"]);
    await at.ok("slides", "both.pptx", "less.pptx", "--delete", "1,3-4");
    expect(await titles("less.pptx")).toEqual(["要点"]);
    await at.ok("replace", "some.pptx", "new.pptx", "--find", "收入增长 15%", "--with", "营收 {{rate}}");
    await at.ok("fill", "new.pptx", "full.pptx", "--data", '{"rate":"20 %"}');
    expect((await at.ok("read", "full.pptx")).match(/营收 20 %/g)?.length).toBe(2);
    await at.ok("pictures", "deck.pptx", "pics");
    expect(readdirSync(at.path("pics")).length).toBeGreaterThan(0);
  });

  test("text without room goes on on another slide", async () => {
    at.put(
      "long.md",
      `## Long\n\n${Array.from({ length: 60 }, (_, i) => `- point ${i} with some more words to fill the line`).join("\n")}\n`,
    );
    await at.ok("create", "long.pptx", "--from", "long.md");
    expect(await titles("long.pptx")).toEqual(
      ["Long", "Long (2)", "Long (3)", "Long (4)", "Long (5)"].slice(0, (await titles("long.pptx")).length),
    );
    expect(await at.ok("read", "long.pptx")).toContain("point 59");
  });
});

describe.skipIf(withoutPrograms !== null)(
  `compared with LibreOffice and poppler (${withoutPrograms ?? "here"})`,
  () => {
    test("LibreOffice opens a merged, rearranged deck; slides to PDF is valid; a deck by LibreOffice is read", async () => {
      await at.ok("merge", "m.pptx", "deck.pptx", "chart.pptx");
      await at.ok("slides", "m.pptx", "o.pptx", "--keep", "4,2,2");
      const pdf = at.path(at.office("o.pptx", "pdf"));
      expect(at.tool("pdfinfo", pdf)).toMatch(/Pages:\s+3/);
      expect(at.tool("pdftotext", pdf, "-")).toContain("收入增长");
      await at.ok("convert", "deck.pptx", "deck.pdf");
      at.tool("qpdf", "--check", at.path("deck.pdf"));
      const text = at.tool("pdftotext", at.path("deck.pdf"), "-");
      for (const part of ["季度汇报 Q3", "华东最好", "500"]) expect(text).toContain(part);
      at.office("deck.pptx", "odp");
      const theirs = at.office("office/deck.odp", "pptx");
      const read = await at.ok("read", theirs);
      for (const part of ["季度汇报 Q3", "收入增长", "华东"]) expect(read).toContain(part);
      await at.ok("replace", theirs, "theirs.pptx", "--find", "下一步", "--with", "然后");
      expect(await at.ok("read", "theirs.pptx")).toContain("然后");
    });
  },
);

describe("what goes wrong", () => {
  test.each(
    Object.entries(
      hostilePackages(
        "ppt/presentation.xml",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml",
      ),
    ),
  )("%s is refused", async (name, bytes) => {
    at.put(`${name}.pptx`, bytes);
    const { code, err, out } = await at.run("read", `${name}.pptx`);
    expect([code, out, err]).toEqual([
      1,
      "",
      expect.stringMatching(name === "lying" ? /larger than it says|damaged/ : /refused/),
    ]);
  });

  test("usage, missing files and damage", async () => {
    expect((await at.run("read", "nowhere.pptx")).code).toBe(3);
    expect((await at.run("slides", "deck.pptx", "x.pptx", "--keep", "9")).code).toBe(2);
    at.put("cut.pptx", at.bytes("deck.pptx").subarray(0, 9000));
    expect(await at.run("convert", "cut.pptx", "x.pdf")).toMatchObject({
      code: 1,
      err: expect.stringContaining("damaged"),
    });
    expect(readdirSync(at.folder).filter((name) => name.startsWith("x."))).toEqual([]);
  });
});
