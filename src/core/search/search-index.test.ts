import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { autoLoadFrom } from "./decide.ts";
import { createSearchIndex, type SearchDocument } from "./search-index.ts";

const skill = (name: string, description: string, more: Partial<SearchDocument> = {}): SearchDocument => ({
  name,
  location: `/skills/${name}/SKILL.md`,
  aliases: [],
  localized: [],
  description,
  whenToUse: "",
  body: "# Steps\n\nDo the small task and stop.\n",
  ...more,
});

/** Processor time in milliseconds: unlike the clock it does not depend on what else the machine does. */
const cpu = (): number => process.cpuUsage().user / 1_000;

// Case s-rank.
const farm = createSearchIndex([
  skill(
    "hive-notes",
    "Notes for hives. Unlike bee-log this keeps photos; import from bee-log, export to bee-log.",
  ),
  skill("pdf-press", "Convert documents to PDF."),
  skill("oven", "Bake bread on stones."),
  skill("letter-desk", "Write and edit a word document."),
  skill("bee-log", "Write down hive checks."),
]);
const names = (query: string, limit?: number): string[] =>
  farm.search(query, limit === undefined ? {} : { limit }).map(({ name }) => name);

describe("the five skills of case s-rank", () => {
  it.each([
    ["bee-log", "bee-log"],
    ["BEE LOG", "bee-log"],
    ["bee_log", "bee-log"],
    ["beelog", "bee-log"],
    ["/bee-log for today", "bee-log"],
    ['start "bee log" now', "bee-log"],
    ["use bee-log for the hives and photos", "bee-log"],
    ["bread", "oven"],
    ["baking", "oven"],
    ["stone", "oven"],
    ["bresd", "oven"],
    ["docuemnts to convert", "pdf-press"],
  ])("%j finds %s first", (query, first) => expect(names(query)[0]).toBe(first));

  it("ranks what shares any word, and nothing else", () => {
    expect(names("convert word document to pdf")).toEqual(["pdf-press", "letter-desk"]);
  });

  it.each(["zzz", "the", "how do I", "...", "数据", "\u200b"])("%j finds nothing", (query) => {
    expect(names(query)).toEqual([]);
  });

  it("lists all in the given order for an empty query", () => {
    const all = farm.search(" \n");
    expect(all.map(({ name }) => name)).toEqual([
      "hive-notes",
      "pdf-press",
      "oven",
      "letter-desk",
      "bee-log",
    ]);
    expect(all.every(({ score, probability }) => score === 0 && probability === 0)).toBe(true);
    expect(names("", 2)).toEqual(["hive-notes", "pdf-press"]);
  });

  it("says why", () => {
    const [first, second] = farm.search("convert word document to pdf", { explain: true });
    expect(first?.reason).toBe('"pdf" in the name; "convert", "document" in the description');
    expect(first?.explain).toContainEqual({ term: "pdf", field: "name", weight: expect.any(Number) });
    expect(second?.explain?.map(({ term }) => term).sort()).toEqual([
      "document",
      "letters in common",
      "word",
      "word document",
    ]);
    expect(farm.search("bee-log")[0]).toMatchObject({
      score: 1,
      probability: 0.99,
      reason: "asked for by name",
    });
    expect(farm.search("bee-log")[0]).not.toHaveProperty("explain");
  });

  it('tells the word "letters" from letters in common', () => {
    const index = createSearchIndex([skill("post", "Stamps for a letterbox."), skill("bread", "Bake.")]);
    const [first] = index.search("letters stamps", { explain: true });
    expect(first?.reason).toBe('"stamps" in the description');
    expect(first?.explain?.map(({ term }) => term)).toEqual(["stamps", "letters in common"]);
  });
});

describe("what counts as the same word", () => {
  const index = createSearchIndex([
    skill("数据分析", "分析数据，生成图表。"),
    skill("slides", "Make presentations.", { localized: ["幻灯片", "制作演示文稿"], aliases: ["deck"] }),
    skill("cpp", "Review C++ code."),
    skill("sharp", "Review C# code for .NET."),
    skill("office", "Edits .docx and .xlsx files with parseHTMLTable."),
    skill("café", "Ｆｕｌｌｗｉｄｔｈ naïve résumé."),
    skill("wide", "Nothing of note.", { body: "# Kubernetes rollout\n\nRestart the pods.\n" }),
    skill("when", "Nothing of note.", { whenToUse: "Use for invoices." }),
  ]);

  it.each([
    ["帮我分析一下数据", "数据分析"],
    ["数据分析", "数据分析"],
    ["做一个幻灯片", "slides"],
    ["presentation", "slides"],
    ["deck", "slides"],
    ["c++", "cpp"],
    ["c#", "sharp"],
    [".net", "sharp"],
    ["a docx file", "office"],
    ["html table", "office"],
    ["fullwidth", "café"],
    ["NAÏVE", "café"],
    ["KUBERNETES pods", "wide"],
    ["invoice", "when"],
  ])("%j finds %s", (query, first) => expect(index.search(query, { limit: 1 })[0]?.name).toBe(first));

  it("does not match a Chinese text by one character alone", () => {
    expect(index.search("表面")).toEqual([]);
  });
});

describe("how sure", () => {
  const sureness = (query: string, one: SearchDocument): number =>
    createSearchIndex([
      one,
      skill("oven", "Bake bread on stones."),
      skill("bee-log", "Write down hive checks."),
    ])
      .search(query)
      .find(({ name }) => name === one.name)?.probability ?? 0;

  it("what stands in a body or an example alone is less than what a skill says of itself", () => {
    const said = skill("fonts", "Choose letters and spacing.");
    const inBody = skill("fonts", "Typography.", { body: "Choose letters and spacing.\n" });
    const inExample = skill("fonts", "Typography.", { examples: ["choose letters and spacing"] });
    const query = "choose letters";
    expect(sureness(query, said)).toBeGreaterThan(autoLoadFrom);
    expect(sureness(query, inBody)).toBeLessThan(autoLoadFrom);
    expect(sureness(query, inExample)).toBeLessThan(autoLoadFrom);
  });

  it("a sum is no wish for a skill that holds its numbers", () => {
    expect(
      sureness("what is 17 * 23", skill("fonts", "Typography.", { body: "At 17 px, never 23.\n" })),
    ).toBeLessThan(0.5);
    const ranked = createSearchIndex([
      skill("seventeen", "Number 17 of the series."),
      skill("sorter", "Sort seeds into bags."),
    ]).search("sort 17 bags of seeds");
    expect(ranked[0]?.name).toBe("sorter");
  });
});

describe("order", () => {
  it("is score, then name, then location", () => {
    const index = createSearchIndex([
      skill("b", "equal words", { body: "" }),
      skill("a", "equal words", { body: "", location: "/2" }),
      skill("a", "equal words", { body: "", location: "/1" }),
    ]);
    expect(index.search("equal").map(({ location }) => location)).toEqual(["/1", "/2", "/skills/b/SKILL.md"]);
  });

  it("holds for names that objects inherit", () => {
    const index = createSearchIndex(["constructor", "__proto__", "toString"].map((name) => skill(name, "x")));
    for (const name of ["constructor", "__proto__", "toString"])
      expect(index.search(name)[0]?.name).toBe(name);
    expect(index.search("valueOf")).toEqual([]);
  });
});

describe("any documents and query", () => {
  const text = fc
    .array(
      fc.constantFrom(
        "pdf",
        "Convert",
        "bee-log",
        "the",
        "数据",
        "x",
        ".docx",
        "c++",
        "\n# Head",
        "\ud83d",
        "👩‍👩‍👧",
        "/",
        '"',
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(" "));
  const document = fc.record({
    name: text,
    location: fc.string(),
    description: text,
    whenToUse: text,
    body: text,
    aliases: fc.array(text, { maxLength: 2 }),
    localized: fc.array(text, { maxLength: 2 }),
  });

  it("gives sound, repeatable results, and a prefix of them under a limit", () => {
    fc.assert(
      fc.property(fc.array(document, { maxLength: 30 }), text, (documents, query) => {
        const index = createSearchIndex(documents);
        const all = index.search(query, { explain: true });
        expect(createSearchIndex(documents).search(query, { explain: true })).toEqual(all);
        expect(index.search(query, { explain: true, limit: 3 })).toEqual(all.slice(0, 3));
        for (const [place, hit] of all.entries()) {
          expect(hit.score).toBeGreaterThanOrEqual(0);
          expect(hit.score).toBeLessThanOrEqual(1);
          expect(hit.probability).toBeGreaterThanOrEqual(0);
          expect(hit.probability).toBeLessThanOrEqual(1);
          if (place > 0) expect(hit.score).toBeLessThanOrEqual(all[place - 1]?.score ?? 0);
          // No hit is named here (those have 0.9 and more).
          if (place > 0 && (all[0]?.score ?? 1) < 0.9)
            expect(hit.probability).toBeLessThanOrEqual(all[place - 1]?.probability ?? 0);
          if (query.trim() !== "" && hit.score < 0.9) expect(hit.explain?.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});

it("a skill that is refused stands where its score puts it, also behind hundreds", () => {
  const many = Array.from({ length: 700 }, (_, number) =>
    skill(`maker-${number}`, `Draws a chart of kind ${number}.`),
  );
  const index = createSearchIndex([
    ...many,
    skill("plotter-desk", "Cleans the desk.", { body: "A chart lies on it." }),
  ]);
  const hits = index.search("a chart, not plotter-desk");
  const place = hits.findIndex(({ name }) => name === "plotter-desk");
  expect(place === -1 || place >= 64).toBe(true);
  for (const [at, hit] of hits.entries())
    if (at > 64) expect(hit.score).toBeLessThanOrEqual(hits[at - 1]?.score ?? 0);
});

describe("a large set", () => {
  const words = Array.from({ length: 4_000 }, (_, index) => `w${(index * 7919) % 10_007}`);
  const pick = (seed: number, count: number): string =>
    Array.from(
      { length: count },
      (_, index) => words[(seed * 31 + index * index * 17 + index) % words.length],
    ).join(" ");
  const documents = Array.from({ length: 6_000 }, (_, index) =>
    skill(`skill-${index}`, pick(index, 40), { body: `# ${pick(index + 1, 5)}\n\n${pick(index + 2, 150)}` }),
  );

  it("is indexed in seconds and searched in milliseconds", () => {
    const start = cpu();
    const index = createSearchIndex(documents);
    expect(cpu() - start).toBeLessThan(10_000);
    const from = cpu();
    for (let query = 0; query < 41; query++) index.search(pick(query * 3, 8), { limit: 10 });
    expect((cpu() - from) / 41).toBeLessThan(40);
  });
});
