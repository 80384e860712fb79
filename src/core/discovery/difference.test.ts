import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../diagnostic.ts";
import type { VisibleSkill } from "../profile.ts";
import type { ShadowedSkill, Skill, SkippedPath, Snapshot } from "../snapshot.ts";
import { differenceBetween, isSame, type SkillsView } from "./difference.ts";
import { halfWritten } from "./half-written.ts";

interface State {
  readonly entries?: readonly VisibleSkill[];
  readonly shadowed?: readonly ShadowedSkill[];
  readonly skipped?: readonly Partial<SkippedPath>[];
  readonly diagnostics?: readonly Diagnostic[];
}

function skill(name: string, fields: Partial<Skill> = {}): Skill {
  const location = `/r/${name}/SKILL.md`;
  return { name, location, description: "D.", digest: "1", aliases: [], ...fields } as Skill;
}

function entry(of: Skill, fields: Partial<VisibleSkill> = {}): VisibleSkill {
  return {
    skill: of,
    permission: "allow",
    enabled: true,
    trusted: true,
    modelInvocable: true,
    userInvocable: true,
    hidden: null,
    decisions: [],
    ...fields,
  };
}

function view({ entries = [], shadowed = [], skipped = [], diagnostics = [] }: State): SkillsView {
  const skills = entries.map((one) => one.skill);
  return {
    snapshot: { skills, shadowed, skipped, diagnostics } as unknown as Snapshot,
    entries,
    diagnostics,
  };
}

const warning = (path: string, code = "frontmatter/unclosed"): Diagnostic => {
  return { code, profileCode: null, severity: "warning", message: "m", path, hint: null };
};

describe("differenceBetween", () => {
  it("is nothing for equal states, also when files have other times", () => {
    const [before, after] = [view({ entries: [entry(skill("a"))] }), view({ entries: [entry(skill("a"))] })];
    expect(isSame(differenceBetween(before, after))).toBe(true);
  });

  it("names what came, what went and why, in code-unit order", () => {
    const before = view({ entries: ["c", "b", "a"].map((name) => entry(skill(name))) });
    const moved = skill("z", { location: "/r/a/SKILL.md" });
    const after = view({
      entries: [entry(moved), entry(skill("y"))],
      skipped: [{ path: "/r/b/SKILL.md", message: "It is empty" }],
    });
    const { added, removed } = differenceBetween(before, after);
    expect(added.map(({ name }) => name)).toEqual(["y", "z"]);
    expect(removed.map(({ name, reason, message }) => [name, reason, message])).toEqual([
      ["a", "renamed", "Its name is z now."],
      ["b", "broken", "Its file can no longer be used: It is empty."],
      ["c", "gone", "It was removed."],
    ]);
  });

  it.each<readonly [string, Partial<Skill>, readonly string[]]>([
    ["a new description", { digest: "2", description: "E." }, ["description"]],
    ["a new text", { digest: "2" }, ["text"]],
    ["other fields", { digest: "2", aliases: ["x"] }, ["details"]],
  ])("tells %s", (_what, fields, what) => {
    const before = view({ entries: [entry(skill("a"))] });
    const after = view({ entries: [entry(skill("a", fields))] });
    expect(differenceBetween(before, after).changed.map((change) => change.what)).toEqual([what]);
  });

  it.each<readonly [string, Partial<VisibleSkill>, string]>([
    [
      "is switched off",
      { enabled: false, modelInvocable: false, hidden: { reason: "disabled", message: "Off." } },
      "It is no longer offered. Off.",
    ],
    [
      "waits for trust",
      {
        trusted: false,
        modelInvocable: false,
        decisions: [{ stage: "trust", outcome: "hidden", reason: "new", path: null, message: "New." }],
      },
      "Models are no longer told of it. New.",
    ],
    ["asks first", { permission: "ask" }, 'Its permission is "ask" now.'],
    ["is for models only", { userInvocable: false }, "Users can no longer call it."],
  ])("tells that one %s, and for whom", (_what, fields, message) => {
    const [was, is] = [entry(skill("a")), entry(skill("a"), fields)];
    const [change] = differenceBetween(view({ entries: [was] }), view({ entries: [is] })).changed;
    expect(change).toMatchObject({ what: ["visibility"], message, before: { forModel: true, listed: true } });
    expect(change?.after).toMatchObject({ forModel: is.modelInvocable, listed: is.hidden === null });
  });

  it("tells that a name changed hands, and which copies came in behind", () => {
    const [first, second] = [skill("a"), skill("a", { location: "/s/a/SKILL.md" })];
    const third = skill("a", { location: "/t/a/SKILL.md" });
    const behind = (one: Skill): ShadowedSkill => {
      return { skill: one, winner: second, reason: "lower-scope", message: "M." };
    };
    const before = view({ entries: [entry(first)] });
    const after = view({ entries: [entry(second)], shadowed: [behind(first), behind(third)] });
    const difference = differenceBetween(before, after);
    expect(difference.winnerChanged).toMatchObject([
      { name: "a", from: first.location, to: second.location, message: expect.stringContaining("M.") },
    ]);
    expect(difference.shadowed.map(({ location }) => location)).toEqual([third.location]);
    expect(difference.changed).toEqual([]);
  });

  it("keeps skills of one name apart, and tells diagnostics that came and went", () => {
    const [one, two] = [skill("a"), skill("a", { location: "/s/a/SKILL.md" })];
    const before = view({ entries: [entry(one), entry(two)], diagnostics: [warning("/x")] });
    const after = view({ entries: [entry(one)], diagnostics: [warning("/y")] });
    const difference = differenceBetween(before, after);
    expect(difference.removed.map(({ location }) => location)).toEqual([two.location]);
    expect(difference.diagnosticsAdded.map(({ path }) => path)).toEqual(["/y"]);
    expect(difference.diagnosticsRemoved.map(({ path }) => path)).toEqual(["/x"]);
  });
});

describe("halfWritten", () => {
  const before = view({ entries: [entry(skill("a"))] });
  it.each<readonly [string, State, readonly string[]]>([
    ["unreadable now", { skipped: [{ path: "/r/a/SKILL.md" }] }, ["/r/a/SKILL.md"]],
    [
      "with a new problem",
      { entries: [entry(skill("a", { digest: "2" }))], diagnostics: [warning("/r/a/SKILL.md")] },
      ["/r/a/SKILL.md"],
    ],
    ["changed without a problem", { entries: [entry(skill("a", { digest: "2" }))] }, []],
    ["gone with its folder", {}, []],
    ["new and broken from the start", { entries: before.entries, skipped: [{ path: "/r/b/SKILL.md" }] }, []],
    [
      "unchanged, with a problem from elsewhere",
      { entries: before.entries, diagnostics: [warning("/r/a/SKILL.md")] },
      [],
    ],
  ])("a file that is %s", (_what, after, doubtful) => {
    expect(halfWritten(before, view(after))).toEqual(doubtful);
  });
});
