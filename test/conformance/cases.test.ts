import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openSkills } from "../../src/host/open-skills.ts";
import type { Case, Setup } from "./cases/case-format.ts";
import { bytesOf, type CaseRun, checkCase } from "./cases/check-case.ts";
import { checkCalls, checkQueries, checkTouched, tableOf } from "./cases/check-tables.ts";
import { layOut } from "./cases/lay-out.ts";
import { readings } from "./cases/readings.ts";

// Trees made after real reports (test/fixtures/cases). Still without a test here, because what they are about does not
// exist yet:
//   r-index, r-lock-hash, r-archive-shapes, r-remove: pulling, locking, unpacking and removing skills
//   c-subagent: agents that name skills to load at start
// w-limits, w-reload and win-link have tests of their own beside this file (limits, reload, place).
const elsewhere = new Set([
  ...["r-index", "r-lock-hash", "r-archive-shapes", "r-remove", "c-subagent", "w-reload"],
  ...["w-limits", "win-link"],
]);

const fixtures = fileURLToPath(new URL("../fixtures/cases/", import.meta.url));
const ids = readdirSync(fixtures).filter((id) => !elsewhere.has(id));

function readCase(id: string): Pick<CaseRun, "one" | "setup" | "from" | "reading"> {
  const folder = join(fixtures, id);
  const json = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const setup = existsSync(join(folder, "setup.json")) ? (json("setup.json") as Setup) : {};
  return { one: json("expect.json") as Case, setup, from: folder, reading: readings[id] ?? {} };
}

/** Tables and remarks of single cases. */
const more: Readonly<Record<string, CaseRun["more"]>> = {
  "a-substitution": (skills, { folder }) => checkCalls(tableOf(folder, "calls.json") ?? [], skills),
  "b-long-body": (skills) => {
    const { output } = skills.load("almanac");
    expect(output).toMatch(/LAST LINE.*\n\nSkill folder/);
    expect(output.split("\n").length).toBeGreaterThan(690);
  },
  "d-env-roots": (_, { options, folder }) => {
    const unset = openSkills({
      ...options,
      env: { CLAUDE_CONFIG_DIR: "", CODEX_HOME: "", XDG_CONFIG_HOME: "" },
    });
    expect(unset.snapshot.skills.map(({ name }) => name)).toEqual(["stale"]);
    const usual = openSkills({ ...options, env: { CLAUDE_CONFIG_DIR: join(folder, "home/.claude") } });
    expect(bytesOf(usual)).toBe(bytesOf(unset));
  },
  "d-no-git": (_, { options, folder }) => {
    const below = openSkills({ ...options, cwd: join(folder, "plain/sub") });
    expect(below.snapshot.skills.map(({ name }) => name)).toEqual(["hello"]);
    const home = openSkills({ ...options, cwd: join(folder, "plain/sub"), home: join(folder, "plain") });
    expect(home.snapshot.skills.map(({ root }) => root.scope)).toEqual(["user"]);
  },
  "d-path-globs": (_, { folder, options }) => checkTouched(tableOf(folder, "touched.json") ?? [], options),
  "d-worktree": (_, { folder, config }) => {
    const off = layOut({
      from: folder,
      setup: { cwd: "trees/wt" },
      config: { ...config, skills: { mainCheckout: false } },
    });
    expect(openSkills(off.options).snapshot.skills.map(({ name }) => name)).toEqual(["tracked"]);
    off.remove();
  },
  "p-crlf": (skills) => expect(bytesOf(skills)).not.toContain("\\r"),
  "p-bom": (skills) => expect(skills.load("bed-log").output).not.toContain("\uFEFF"),
  "perm-patterns": (skills, laid) => {
    const names = skills.commands().map(({ name }) => name);
    expect(names).not.toContain("lark-doc");
    const none = layOut({ from: laid.folder, setup: {}, config: { permission: { skill: "deny" } } });
    expect(openSkills(none.options).catalog().text).toBeNull();
    none.remove();
  },
  "pr-same-root": (skills, { options }) => {
    const first = bytesOf(skills);
    for (let run = 0; run < 50; run += 1) expect(bytesOf(openSkills(options))).toBe(first);
  },
  "s-rank": (skills, { folder }) => checkQueries(tableOf(folder, "queries.json") ?? [], skills),
};

describe("trees from real reports", () => {
  it.each(ids)("%s", async (id) => {
    await checkCase({ ...readCase(id), more: more[id] });
  });
});
