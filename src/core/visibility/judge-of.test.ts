import fc from "fast-check";
import { expect, test } from "vitest";
import { judgeOf } from "./judge-of.ts";
import { evaluate, evaluateSpellings } from "./permission.ts";

const name = fc.stringMatching(/^[a-cA:/_ -]{1,5}$/);
const pattern = fc.oneof(fc.constantFrom("*", "*", "a*", "a *", "?b", "\\\\a", "b/*", "a:*"), name);
const rule = fc.record({
  permission: fc.constantFrom("skill", "skill", "*", "edit", "s*"),
  pattern,
  action: fc.constantFrom("allow" as const, "ask" as const, "deny" as const),
});

test("says of every name what the rules say one by one", () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 6 }), fc.array(name, { maxLength: 8 }), (rules, names) => {
      for (const spellings of [true, false]) {
        const judge = judgeOf(rules, spellings);
        const thorough = spellings ? evaluateSpellings : evaluate;
        for (const one of names) expect(judge(one)).toEqual(thorough(rules, "skill", one));
      }
    }),
    { numRuns: 2000 },
  );
});
