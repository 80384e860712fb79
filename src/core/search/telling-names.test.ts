import { expect, it } from "vitest";
import { createSearchIndex } from "./search-index.ts";

const skill = (name: string, description: string) => ({
  name,
  location: name,
  aliases: [],
  localized: [],
  description,
  whenToUse: "",
  body: "Code and review.",
});
const index = createSearchIndex([
  skill("code-review", "Reads changes."),
  skill("bread", "Bakes."),
  skill("oven", "Heats."),
  skill("hive", "Counts bees."),
]);

it("one word of a compound name tells less than all of them", () => {
  const weight = (query: string): number =>
    (index.search(query, { explain: true })[0]?.explain ?? []).find(
      ({ term, field }) => term === "code" && field === "name",
    )?.weight ?? 0;
  expect(weight("code")).toBeGreaterThan(0);
  expect(weight("code review")).toBeGreaterThan(weight("code") * 1.1);
});
