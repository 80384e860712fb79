import { expect, it } from "vitest";
import { NameCollector, nameTable } from "./name-table.ts";
import { namedSkills } from "./named-skills.ts";
import { TextList } from "./text-list.ts";

const names = ["bee-log", "oven", "pdf-press"];
const collector = new NameCollector();
for (const [number, name] of names.entries()) collector.add(name, number * 2);
const table = nameTable(collector.slots(), TextList.of(names), new Map());
const named = namedSkills(table, (key) => key !== "oven");
const said = (query: string): Record<string, string> =>
  Object.fromEntries(
    [...named(query).naming].map(([number, { directness, passing, wish }]) => [
      names[number],
      `${directness}${passing ? " passing" : ""} ${wish}`,
    ]),
  );

it.each([
  ["bee-log", { "bee-log": "2 wanted" }],
  ["use bee-log for this hive", { "bee-log": "1 wanted" }],
  ["/bee-log what does it do", { "bee-log": "1 wanted" }],
  ["please explain this with the bee-log skill", { "bee-log": "1 wanted" }],
  ["What does the bee-log skill do?", { "bee-log": "1 known" }],
  ["Explain when I should use bee-log", { "bee-log": "1 known" }],
  ["compare bee-log with pdf-press", { "bee-log": "0 passing known", "pdf-press": "0 passing wanted" }],
  ["介绍一下 bee-log 技能", { "bee-log": "1 known" }],
  ["which one should handle this, and why is it not bee-log?", { "bee-log": "0 refused" }],
  ["不要用 bee-log", { "bee-log": "0 refused" }],
  ["I just ran bee-log", {}],
  ["clean the oven", {}],
  ["not oven, use bee-log", { oven: "0 refused", "bee-log": "1 wanted" }],
  ["bee log not oven", { oven: "0 refused", "bee-log": "1 wanted" }],
  ["please don't load the oven", { oven: "0 refused" }],
  [
    "use pdf press instead of oven or bee log",
    {
      "pdf-press": "1 wanted",
      oven: "0 refused",
      "bee-log": "0 refused",
    },
  ],
  ["不要用oven，用bee-log", { oven: "0 refused", "bee-log": "1 wanted" }],
  ["别加载oven", { oven: "0 refused" }],
  ["what does oven do?", { oven: "0 passing known" }],
  ["explain when to use the oven", { oven: "0 passing known" }],
  ["what does /bee-log do", { "bee-log": "1 known" }],
  ["oven是做什么的", { oven: "0 passing known" }],
  ["why does my oven not open", {}],
  ["the page does not oven well", {}],
  ["not an oven expert", {}],
  ["what does this oven cost", {}],
  ["don't lose the heat of the oven", {}],
  ["bake it without the oven", {}],
  ["the oven is fine, but do not use the oven", {}],
  ["要不要用oven", {}],
  ["能不能用oven", {}],
])("%j", (query, expected) => expect(said(query)).toEqual(expected));

it("takes out of a request what it says is not there or not meant, and keeps all places", () => {
  for (const [query, wanted] of [
    ["print it, not with bee-log, please", "print it, not with        , please"],
    ["train it (no Warp or tape anywhere)", "train it (no              anywhere)"],
    ["no idea how to print it", "no idea how to print it"],
    ["a cake, not with the oven", "a cake, not with the     "],
  ] as const)
    expect(named(query).wanted).toBe(wanted);
});

it("tells single words that are refused as things, for they may be part of a name", () => {
  for (const [query, words] of [
    ["print, but not the log", ["log"]],
    ["don't use the press", ["press"]],
    ["the log is not ready", []],
    ["keep the log, not the log of bees", []],
  ] as const)
    expect([query, [...named(query).refusedWords]]).toEqual([query, [...words]]);
});

it("tells a name that is the ending of a file's name", () => {
  const ending = (query: string) => named(query).naming.get(1)?.ending === true;
  expect(["bake big_bread.oven", "bread.OVEN, please"].map(ending)).toEqual([true, true]);
  expect(["bake bread. Oven is hot", "oven.txt", "bread.oven.txt", "a.oven-door"].map(ending)).toEqual(
    Array.from({ length: 4 }, () => false),
  );
});
