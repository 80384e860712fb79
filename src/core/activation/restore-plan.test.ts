import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { byteCounter } from "../catalog/token-counter.ts";
import { forgotten, heldText, type Ledger, latestTexts, recorded } from "./activation-ledger.ts";
import { planRestore } from "./restore-plan.ts";

function framed(name: string, lines: number): string {
  const body = Array.from({ length: lines }, (_, at) => `Line ${at + 1} of ${name}.`).join("\n");
  return `<skill_content name="${name}">\n${body}\n\nSkill folder: /s/${name}\n</skill_content>`;
}

const candidate = (name: string, lines: number) => ({
  name,
  location: `/s/${name}/SKILL.md`,
  text: framed(name, lines),
  why: null,
});
const plan = (skills: readonly ReturnType<typeof candidate>[], skillTokens = 5_000, totalTokens = 25_000) =>
  planRestore(skills, { limits: { skillTokens, totalTokens }, counter: byteCounter });

describe("after a compaction", () => {
  test("what fits comes back whole, newest first", () => {
    const { text, skills } = plan([candidate("b", 3), candidate("a", 3)]);
    expect(skills.map(({ name, state }) => [name, state])).toEqual([
      ["b", "full"],
      ["a", "full"],
    ]);
    expect(text.indexOf('name="b"')).toBeLessThan(text.indexOf('name="a"'));
    expect(text).toContain(framed("a", 3));
  });

  test("a long skill is cut at a line, says so, and keeps its frame", () => {
    const { text, skills } = plan([candidate("long", 3_000)], 1_000);
    expect(skills[0]).toMatchObject({ state: "cut" });
    expect(skills[0]?.tokens).toBeLessThanOrEqual(1_000);
    expect(skills[0]?.tokens).toBeGreaterThan(900);
    expect(text).toMatch(/Line \d+ of long\.\n\n\[\d+ of 30\d\d lines are left out here/);
    expect(text).toContain("Skill folder: /s/long\n</skill_content>");
  });

  test("the newest take the room; the rest is named", () => {
    const { text, tokens, skills } = plan(
      ["a", "b", "c", "d"].map((name) => candidate(name, 2_000)),
      5_000,
      12_000,
    );
    expect(skills.map(({ state }) => state)).toEqual(["cut", "cut", "cut", "left-out"]);
    expect(tokens).toBeLessThanOrEqual(12_000);
    expect(text).toContain("Not repeated to save room: d. Load one again with the skill tool");
  });

  test("what is gone is reported and takes no room", () => {
    const gone = { name: "x", location: "/s/x", text: null, why: "It was removed." };
    const { text, skills } = planRestore([gone], {
      limits: { skillTokens: 5_000, totalTokens: 25_000 },
      counter: byteCounter,
    });
    expect([text, skills]).toEqual([
      "",
      [{ name: "x", location: "/s/x", state: "left-out", tokens: 0, reason: "It was removed." }],
    ]);
  });

  test("no limit is ever exceeded", () => {
    const skill = fc.record({
      name: fc.stringMatching(/^[a-z]{1,40}$/),
      lines: fc.integer({ min: 0, max: 400 }),
    });
    fc.assert(
      fc.property(
        fc.array(skill, { maxLength: 12 }),
        fc.integer({ min: 0, max: 3_000 }),
        fc.integer({ min: 0, max: 8_000 }),
        (list, skillTokens, totalTokens) => {
          const made = plan(
            list.map(({ name, lines }) => candidate(name, lines)),
            skillTokens,
            totalTokens,
          );
          expect(made.tokens).toBe(byteCounter.count(made.text));
          expect(made.tokens).toBeLessThanOrEqual(totalTokens);
          expect(made.skills.map(({ name }) => name)).toEqual(list.map(({ name }) => name));
          for (const { tokens, state, reason } of made.skills) {
            expect(tokens).toBeLessThanOrEqual(skillTokens);
            expect(reason === null).toBe(state === "full");
          }
        },
      ),
      { numRuns: 150 },
    );
  });
});

describe("ledger", () => {
  const one = {
    name: "a",
    location: "/a",
    digest: "1",
    by: "model",
    arguments: "",
    given: "text",
    tokens: 5,
  } as const;

  test("holds a text while digest and arguments are equal and nothing was forgotten", () => {
    const ledger = recorded([], one);
    expect(heldText(ledger, one)?.order).toBe(1);
    expect(heldText(ledger, { ...one, digest: "2" })).toBeNull();
    expect(heldText(ledger, { ...one, arguments: "x" })).toBeNull();
    expect(heldText(forgotten(ledger), one)).toBeNull();
    expect(heldText(recorded([], { ...one, given: "note" }), one)).toBeNull();
  });

  test("names the last text of each skill, newest first", () => {
    let ledger: Ledger = [];
    for (const location of ["/a", "/b", "/a", "/c"]) ledger = recorded(ledger, { ...one, location });
    expect(latestTexts(ledger).map(({ location, order }) => [location, order])).toEqual([
      ["/c", 4],
      ["/a", 3],
      ["/b", 2],
    ]);
  });
});
