import { expect, test } from "vitest";
import { frozenPrefix } from "./frozen-prefix.ts";

const facts = {
  model: "m",
  agent: "build",
  permission: [{ permission: "skill", pattern: "*", action: "allow" as const }],
  tools: "t1",
};

test("the text stays while nothing it depends on changes, and is made anew otherwise", () => {
  const first = frozenPrefix(null, facts, () => "one");
  expect(frozenPrefix(first, { ...facts, permission: [...facts.permission] }, () => "two")).toBe(first);
  const changes = [
    { model: "n" },
    { agent: "plan" },
    { tools: "t2" },
    { permission: [] },
    { permission: [{ permission: "skill", pattern: "*", action: "deny" as const }] },
  ];
  for (const change of changes)
    expect(frozenPrefix(first, { ...facts, ...change }, () => "two").text).toBe("two");
});
