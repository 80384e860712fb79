import { describe, expect, test } from "vitest";
import { processorTime } from "../../../test/support/processor-time.ts";
import { markdownLiterals } from "../../host/markdown-literals.ts";
import { findMentions } from "./find-mentions.ts";

const names = new Set(["alpha", "beta", "数据分析", "node.js", "c++", "compose:plan", "поиск", "10x"]);
const found = (text: string) =>
  findMentions(text, { literals: markdownLiterals(text), isName: (name) => names.has(name) }).map(
    ({ written }) => written,
  );

describe("findMentions", () => {
  test.each([
    ["/alpha", ["alpha"]],
    ["use /alpha, /beta.", ["alpha", "beta"]],
    ["(/alpha) and [/beta]", ["alpha", "beta"]],
    ["请用 /数据分析。", ["数据分析"]],
    ["请看，/alpha帮我", ["alpha"]],
    ["/поиск! /10x", ["поиск", "10x"]],
    ["/node.js and /c++ and /compose:plan: go", ["node.js", "c++", "compose:plan"]],
    ["line\n/alpha\n", ["alpha"]],
    ["**/alpha**", []],
    ["/alphabet /Alpha- /gamma", []],
    ["/alpha/src /src/alpha //alpha ./alpha ~/alpha C:/alpha a/alpha", []],
    ["/alpha.txt", []],
    ["/alpha\\beta", []],
    ["http://x/alpha <http://x/alpha> https://example.org/alpha", []],
    ["[a link](/alpha) ![image](/beta)", []],
    ["`/alpha` ``x /alpha``", []],
    ["```\n/alpha\n```\n/beta", ["beta"]],
    ["~~~sh\n/alpha\n~~~\n", []],
    ["text\n\n    /alpha\n\nafter /beta", ["beta"]],
    ["```\n/alpha never closed", []],
    ["a `span\nover /alpha lines` /beta", ["beta"]],
    ["<b>/alpha</b> <!-- /alpha -->", []],
    ["or/alpha 和/alpha", []],
  ])("%j", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test("a long text of slashes takes little time", () => {
    const text = `${"/alpha/ ".repeat(50_000)} ${"/".repeat(100_000)}`;
    const started = processorTime();
    findMentions(text, { literals: [], isName: () => false });
    expect(processorTime() - started).toBeLessThan(2_000);
  });
});
