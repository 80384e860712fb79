import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readGlossTable } from "./gloss-table.ts";
import { createSearchIndex, type SearchDocument } from "./search-index.ts";
import { simplify } from "./simplify.ts";

const table = readGlossTable(readFileSync(new URL("../../../data/gloss.txt", import.meta.url), "utf8"));
const skill = (name: string, description: string): SearchDocument => ({
  name,
  location: `/${name}`,
  aliases: [],
  localized: [],
  description,
  whenToUse: "",
  body: "",
});
const english = [
  skill("slides", "Make presentations and slides."),
  skill("reviewer", "Review code for bugs."),
  skill("deployer", "Deploy containers to a cluster."),
  skill("cook", "Recipes for soup and bread."),
];
const chinese = [
  skill("huandeng", "制作幻灯片和演示文稿。"),
  skill("shencha", "审查代码，找出错误。"),
  skill("caipu", "做汤和面包的菜谱。"),
];

describe("one language for another", () => {
  const index = createSearchIndex([...english, ...chinese], { gloss: () => table });
  const first = (query: string, of = index): string | undefined => of.search(query, { limit: 1 })[0]?.name;
  const onlyEnglish = createSearchIndex(english, { gloss: () => table });
  const onlyChinese = createSearchIndex(chinese, { gloss: () => table });

  it.each([
    ["帮我做一个幻灯片", "slides"],
    ["審查一下這段代碼", "reviewer"],
    ["部署到集群", "deployer"],
    ["面包怎么做", "cook"],
  ])("%s finds %s among English skills", (query, name) => expect(first(query, onlyEnglish)).toBe(name));
  it.each([
    ["make a presentation", "huandeng"],
    ["review this code", "shencha"],
    ["bread recipe", "caipu"],
  ])("%s finds %s among Chinese skills", (query, name) => expect(first(query, onlyChinese)).toBe(name));
  it("prefers what is written in the language of the request", () => {
    expect(first("审查代码")).toBe("shencha");
    expect(first("review code")).toBe("reviewer");
  });
  it("says which words stand for one another", () => {
    const [hit] = onlyEnglish.search("部署", { explain: true });
    expect(hit?.reason).toMatch(/^"部署 ~ deploy/);
    expect(hit?.explain?.[0]?.term).toMatch(/^部署 ~ deploy/);
  });
  it("finds nothing for words of politeness", () => {
    expect(index.search("请问怎么可以")).toEqual([]);
  });
  it("is less sure where it does not understand the rest of a request", () => {
    const sure = index.search("面包菜谱")[0]?.probability ?? 0;
    const unsure = index.search("面包魑魅魍魉饕餮")[0]?.probability ?? 1;
    expect(unsure).toBeLessThan(sure / 2);
  });
  it("does without a table", () => {
    expect(createSearchIndex(english, { gloss: () => null }).search("幻灯片")).toEqual([]);
    expect(createSearchIndex(english).search("幻灯片")).toEqual([]);
  });
});

it("traditional characters are the same as simplified ones", () => {
  expect(simplify("數據分析 abc")).toBe("数据分析 abc");
  const index = createSearchIndex([skill("a", "數據分析")]);
  expect(index.search("数据分析")[0]?.name).toBe("a");
});
