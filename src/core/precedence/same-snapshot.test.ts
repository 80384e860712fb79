import { expect, test } from "vitest";
import type { Skill, Snapshot } from "../snapshot.ts";
import { isSameSnapshot } from "./same-snapshot.ts";

const skill = (name: string, digest = "1") => ({ name, location: `/r/${name}/SKILL.md`, digest }) as Skill;
const snapshot = (parts: Partial<Snapshot>) =>
  ({ skills: [], shadowed: [], skipped: [], ...parts }) as unknown as Snapshot;
const lost = (reason: string) => ({ skill: skill("a"), winner: skill("b"), reason, message: "" });
const skipped = (reason: string) => ({ path: "/r/x", root: null, reason, message: "", names: [] });

test("snapshots are the same when name, place, content and verdict of everything in them are", () => {
  const base = {
    skills: [skill("a"), skill("b")],
    shadowed: [lost("same-root")],
    skipped: [skipped("too-large")],
  };
  expect(isSameSnapshot(snapshot(base), snapshot(structuredClone(base)))).toBe(true);
  for (const change of [
    { skills: [skill("a")] },
    { skills: [skill("a"), skill("b", "2")] },
    { skills: [skill("b"), skill("a")] },
    { shadowed: [lost("identical")] },
    { skipped: [skipped("unreadable")] },
  ]) {
    expect(isSameSnapshot(snapshot(base), snapshot({ ...base, ...change }))).toBe(false);
  }
});
