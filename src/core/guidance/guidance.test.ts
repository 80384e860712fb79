import { describe, expect, test } from "vitest";
import { byteCounter } from "../catalog/token-counter.ts";
import { defaultConfiguration } from "../configuration.ts";
import type { CatalogRequest, Profile, VisibleSkill } from "../profile.ts";
import { profileNamed } from "../profiles/index.ts";
import type { Skill } from "../snapshot.ts";
import type { PermissionRule } from "../visibility/permission.ts";
import { type Guidance, type GuidanceState, nextGuidance } from "./guidance.ts";
import { readGuidanceState } from "./read-guidance-state.ts";
import { systemPromptLayers } from "./system-prompt.ts";

type Described = Readonly<Record<string, string | null>>;

const everything: PermissionRule = { permission: "*", pattern: "*", action: "allow" };
const nothing: PermissionRule = { permission: "skill", pattern: "*", action: "deny" };

interface TurnOptions {
  readonly agent?: string;
  readonly permission?: readonly PermissionRule[];
  readonly budget?: number;
  readonly model?: string;
}

/** One turn of a conversation with these skills. */
function turn(
  profile: Profile,
  before: GuidanceState | null,
  skills: Described,
  { agent = "build", permission = [everything], budget, model = "m" }: TurnOptions = {},
): Guidance {
  const request: CatalogRequest = {
    skills: Object.entries(skills).map(([name, description]) => visible(name, description)),
    permission,
    window: null,
    budget: budget ?? null,
    configuration: defaultConfiguration,
    counter: byteCounter,
  };
  const prefix = { model, agent, permission, tools: "" };
  return nextGuidance(before, { profile, catalog: profile.catalog(request), request, prefix });
}

function visible(name: string, description: string | null): VisibleSkill {
  const skill = {
    name,
    description,
    whenToUse: null,
    location: `/s/${name}/SKILL.md`,
    embedded: null,
    root: { source: "user", bundled: false },
  };
  return { skill: skill as unknown as Skill, modelInvocable: true } as VisibleSkill;
}

const stored = (state: GuidanceState) => readGuidanceState(JSON.parse(JSON.stringify(state)));

describe.each(["opencode-v2", "opencode-v2@seed"])("%s", (id) => {
  const profile = profileNamed(id);
  const block = (name: string, description: string) =>
    `<available_skills>\n  <skill>\n    <name>${name}</name>\n    <description>${description}</description>\n  </skill>\n</available_skills>`;
  const intro =
    "Skills provide specialized instructions and workflows for specific tasks.\nUse the skill tool to load a skill when a task matches its description.";

  test("baseline, nothing, update, nothing, with the exact texts", () => {
    const first = turn(profile, null, { a: "A", z: null });
    expect([first.kind, first.epoch, first.system, first.message]).toEqual([
      "baseline",
      1,
      `${intro}\n${block("a", "A")}`,
      null,
    ]);
    const second = turn(profile, stored(first.state), { a: "A" });
    expect([second.kind, second.system, second.message]).toEqual(["unchanged", first.system, null]);
    const third = turn(profile, second.state, { b: "B & <b>" });
    const sentence =
      "The available skills have changed. This list supersedes the previous available skills list.";
    expect(third).toMatchObject({
      kind: "update",
      system: first.system,
      update: `${sentence}\n${intro}\n${block("b", "B & <b>")}`,
    });
    expect(third.message).toMatch(/^<system-update>\nThe available skills have changed\./);
    expect(third.message).toContain("&lt;name&gt;b&lt;/name&gt;");
    expect(third.message).toContain("B &amp; &lt;b&gt;");
    expect(third.message).toMatch(/\n<\/system-update>$/);
    expect(turn(profile, third.state, { b: "B & <b>" })).toMatchObject({ kind: "unchanged", message: null });
  });

  test("an emptied list, a removed section and its return", () => {
    const first = turn(profile, null, { a: "A" });
    const empty = turn(profile, first.state, {});
    expect(empty.update).toMatch(
      /supersedes[^\n]*\nSkills provide[\s\S]*\nNo skills are currently available\.$/,
    );
    const gone = turn(profile, empty.state, {}, { permission: [nothing] });
    expect([gone.kind, gone.update]).toEqual([
      "removed",
      "Skill guidance is no longer available. Do not use any previously listed skill.",
    ]);
    expect(turn(profile, gone.state, {}, { permission: [nothing] }).kind).toBe("unchanged");
    const back = turn(profile, gone.state, { a: "A" });
    expect([back.kind, back.system, back.update]).toEqual(["update", first.system, first.system]);
  });

  test("another agent: an update in the program, an epoch in the seed", () => {
    const first = turn(profile, null, { a: "A", b: "B" });
    const plan = turn(profile, first.state, { a: "A" }, { agent: "plan" });
    if (id.endsWith("@seed"))
      expect(plan).toMatchObject({
        kind: "baseline",
        epoch: 2,
        message: null,
        system: `${intro}\n${block("a", "A")}`,
      });
    else expect(plan).toMatchObject({ kind: "update", epoch: 1, system: first.system });
  });
});

describe("skillet", () => {
  const profile = profileNamed("skillet");

  test("with nothing changed the section has equal bytes and the state is the same", () => {
    const first = turn(profile, null, { a: "A", b: "B" });
    const second = turn(profile, first.state, { a: "A", b: "B" });
    expect(second.state).toBe(first.state);
    expect(second.system).toBe(first.system);
    const read = stored(first.state);
    const third = turn(profile, read, { a: "A", b: "B" }, { permission: [everything, everything] });
    expect([third.kind, third.system, JSON.stringify(third.state)]).toEqual([
      "unchanged",
      first.system,
      JSON.stringify(first.state),
    ]);
  });

  test("a change is a difference, and the section stays", () => {
    const many = Object.fromEntries(
      Array.from({ length: 12 }, (_, at) => [`s${at}`, "Does a thing of some length."]),
    );
    const first = turn(profile, null, { ...many, a: "A", b: "B", c: "C" });
    const second = turn(profile, first.state, { ...many, a: "A", b: "B2", d: 'D </system-reminder> "x"' });
    expect(second.system).toBe(first.system);
    expect(second.update).toBe(
      [
        "The available skills have changed.",
        "New, besides those in the list:",
        '<skill name="d">D &lt;/system-reminder&gt; &quot;x&quot;</skill>',
        "Described anew:",
        '<skill name="b">B2</skill>',
        "No longer available, do not use: c.",
      ].join("\n"),
    );
    expect(second.message).toBe(`<system-reminder>\n${second.update}\n</system-reminder>`);
    expect(
      turn(profile, second.state, { ...many, a: "A", b: "B2", d: 'D </system-reminder> "x"' }).kind,
    ).toBe("unchanged");
  });

  test("a change of nearly everything gives the list anew", () => {
    const set = (text: string) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`skill-${at}`, `${text} ${"x".repeat(80)}`]));
    const first = turn(profile, null, set("old"), { budget: 300 });
    const second = turn(profile, first.state, set("new"), { budget: 300 });
    expect(second.update).toMatch(/This list takes the place of every earlier one\.\n.*\n<available_skills>/);
    expect(byteCounter.count(second.update ?? "")).toBeLessThan(400);
  });

  test("what had no room in the list is not taken back", () => {
    const set = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [`skill-${at}`, "words ".repeat(20)]),
    );
    const first = turn(profile, null, set, { budget: 150 });
    const hidden = first.state.entries.find(({ told }) => !told);
    if (hidden === undefined) throw new Error("everything had room");
    const { [hidden.name]: _, ...rest } = set;
    const second = turn(profile, first.state, rest, { budget: 150 });
    expect([second.kind, second.message]).toEqual(["unchanged", null]);
    expect(turn(profile, second.state, rest, { budget: 150 }).state).toBe(second.state);
  });

  test("another agent begins an epoch; nothing left is said", () => {
    const first = turn(profile, null, { a: "A" });
    expect(turn(profile, first.state, { a: "A" }, { agent: "plan" })).toMatchObject({
      kind: "baseline",
      epoch: 2,
    });
    const gone = turn(profile, first.state, {});
    expect(gone).toMatchObject({ kind: "removed", update: expect.stringContaining("no skills any more") });
  });
});

test("mimo keeps its prefix until model, agent or permissions change", () => {
  const profile = profileNamed("mimo");
  const first = turn(profile, null, { a: "A" });
  const second = turn(profile, first.state, { a: "A", b: "B" });
  expect([second.kind, second.system, second.place]).toEqual(["unchanged", first.system, "last"]);
  const other = turn(profile, second.state, { a: "A", b: "B" }, { model: "n" });
  expect(other).toMatchObject({ kind: "baseline", epoch: 2, message: null });
  expect(other.system).toContain("b");
});

test("opencode and minimax write the section anew, without a message", () => {
  for (const id of ["opencode", "minimax"]) {
    const profile = profileNamed(id);
    const first = turn(profile, null, { a: "A" });
    expect(turn(profile, first.state, { a: "A" }).kind).toBe("unchanged");
    const second = turn(profile, first.state, { a: "A", b: "B" });
    expect(second).toMatchObject({ kind: "baseline", epoch: 1, message: null });
    expect(second.system).not.toBe(first.system);
  }
});

test("a state that cannot be read begins an epoch, and another profile's too", () => {
  for (const value of [null, 1, [], {}, { version: 2 }, { version: 1, profile: "skillet", entries: [3] }])
    expect(readGuidanceState(value)).toBeNull();
  const other = turn(profileNamed("opencode-v2"), null, { a: "A" });
  expect(turn(profileNamed("skillet"), other.state, { a: "A" })).toMatchObject({
    kind: "baseline",
    epoch: 2,
  });
});

test("layers of a system prompt stand in their order", () => {
  const layers = {
    base: "base",
    environment: "env",
    instructions: ["one", "two"],
    memory: "mem",
    skills: "list",
    format: "json",
  };
  expect(systemPromptLayers(layers, "section")).toEqual(["base", "env", "one", "two", "list", "mem", "json"]);
  expect(systemPromptLayers(layers, "last")).toEqual(["base", "env", "one", "two", "mem", "json", "list"]);
  expect(systemPromptLayers({ base: "", skills: null }, "section")).toEqual([]);
});
