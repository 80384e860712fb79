import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defaultPrecedence } from "../../src/core/configuration.ts";
import { profileId, profiles } from "../../src/core/profiles/index.ts";
import type { Skill } from "../../src/core/snapshot.ts";
import { openSkills } from "../../src/host/open-skills.ts";
import type { Skills } from "../../src/host/skills.ts";
import { checkAgreement, checkNothingLost } from "./cases/agreement.ts";
import { bytesOf } from "./cases/check-case.ts";
import { layOut } from "./cases/lay-out.ts";
import { type RandomCase, randomCase } from "./cases/random-case.ts";

// "Every decision is recorded as data at the moment it is made": over random trees, `why` equals what list, catalog,
// search, load and commands do, nothing on disk is lost, and the same disk gives the same bytes.

function withCase(one: RandomCase, act: (skills: Skills, again: () => Skills) => void): void {
  const laid = layOut({ from: one.tree, setup: one.setup, config: one.config });
  const open = (): Skills => openSkills({ ...laid.options, trust: one.trust, touched: one.touched });
  try {
    act(open(), open);
  } finally {
    laid.remove();
  }
}

/** The rule of precedence in other words than the product's: smaller is stronger, field by field. */
function strength(skill: Skill, skills: Skills): readonly (number | string)[] {
  const { configuration } = skills;
  const { root } = skill;
  const order = configuration.precedence.length > 0 ? configuration.precedence : defaultPrecedence;
  return [
    order.indexOf(root.scope),
    root.level ?? 0,
    root.brand === null ? 0 : configuration.brands.indexOf(root.brand),
    skills.snapshot.roots.findIndex((visit) => visit.root.id === root.id),
    skill.location,
  ];
}

function isStronger(one: Skill, other: Skill, skills: Skills): boolean {
  const [left, right] = [strength(one, skills), strength(other, skills)];
  const at = left.findIndex((value, index) => value !== right[index]);
  const [mine, theirs] = [left[at], right[at]];
  return mine !== undefined && theirs !== undefined && mine < theirs;
}

describe("random projects", () => {
  it("are explained as they are offered, and nothing on disk is lost", () => {
    fc.assert(
      fc.property(randomCase, (one) => {
        withCase(one, (skills) => {
          checkAgreement(skills, ["see", "other", "d", "e", "f", "A", "Long Name", "group", "gone"]);
          checkNothingLost(skills);
        });
      }),
      { numRuns: 60 },
    );
  });

  it.each(profiles.map(profileId).filter((id) => id !== "skillet"))(
    "are explained as %s offers them",
    (profile) => {
      fc.assert(
        fc.property(randomCase, (one) => {
          const laid = layOut({ from: one.tree, setup: one.setup, config: one.config });
          try {
            checkAgreement(openSkills({ ...laid.options, profile, trust: one.trust }));
          } finally {
            laid.remove();
          }
        }),
        { numRuns: 15 },
      );
    },
  );

  it("have the winner that the order of scopes, levels and brands gives", () => {
    fc.assert(
      fc.property(randomCase, (one) => {
        withCase(one, (skills) => {
          const names = skills.snapshot.skills.map(({ name }) => name);
          expect(new Set(names).size).toBe(names.length);
          for (const { skill, winner } of skills.shadowed) {
            expect(winner.name).toBe(skill.name);
            expect(isStronger(winner, skill, skills), `${winner.location} over ${skill.location}`).toBe(true);
          }
        });
      }),
      { numRuns: 40 },
    );
  });

  it("give the same bytes in every run", () => {
    fc.assert(
      fc.property(randomCase, (one) => {
        withCase(one, (skills, again) => {
          const first = bytesOf(skills);
          expect(bytesOf(again())).toBe(first);
          expect(skills.reload()).toBe(false);
          expect(bytesOf(skills)).toBe(first);
        });
      }),
      { numRuns: 20 },
    );
  });

  it("never give a model what it may not have", () => {
    fc.assert(
      fc.property(randomCase, (one) => {
        withCase(one, (skills) => {
          const kept = skills.entries.filter((entry) => !entry.modelInvocable);
          const listed = new Set(skills.catalog().skills.map(({ name }) => name));
          const found = new Set(skills.search("", { limit: 1000 }).results.map(({ name }) => name));
          for (const { skill, hidden, trusted } of kept) {
            expect([listed.has(skill.name), found.has(skill.name)]).toEqual([false, false]);
            if (hidden !== null || !trusted)
              for (const name of [skill.name, skill.name.toUpperCase(), ...skill.aliases])
                expect(skills.load(name).name === skill.name && skills.load(name).status === "loaded").toBe(
                  false,
                );
          }
        });
      }),
      { numRuns: 40 },
    );
  });
});
