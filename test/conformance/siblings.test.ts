import { describe, expect, it } from "vitest";
import { checkCase } from "./cases/check-case.ts";
import { discovery } from "./siblings/discovery.ts";
import { names } from "./siblings/names.ts";
import { offers } from "./siblings/offers.ts";
import { parsing } from "./siblings/parsing.ts";
import { parsingMore } from "./siblings/parsing-more.ts";
import { permissions } from "./siblings/permissions.ts";
import { precedence } from "./siblings/precedence.ts";
import { caseOf } from "./siblings/sibling.ts";

// Cases of our own, of the same kinds as those from real reports and run by the same runner.
const kinds = { discovery, names, offers, parsing, parsingMore, permissions, precedence };

describe.each(Object.entries(kinds))("%s", (kind, siblings) => {
  it.each(siblings.map((sibling) => [sibling.id, sibling] as const))("%s", async (_, sibling) => {
    await checkCase(caseOf(kind, sibling));
  });
});

it("has one case an id", () => {
  const ids = Object.values(kinds).flatMap((siblings) => siblings.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
});
