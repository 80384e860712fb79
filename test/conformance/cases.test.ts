import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openSkills } from "../../src/host/open-skills.ts";
import { openSession } from "../../src/host/session/open-session.ts";
import type { Case, Setup } from "./cases/case-format.ts";
import { bytesOf, type CaseRun, checkCase } from "./cases/check-case.ts";
import { checkCalls, checkQueries, checkTouched, tableOf } from "./cases/check-tables.ts";
import { layOut } from "./cases/lay-out.ts";
import { readings } from "./cases/readings.ts";

// Trees made after real reports (test/fixtures/cases). Those that are about pulling, locking, unpacking and removing have
// tests of their own (remote-index here, test/remote/install-cases), and so have w-limits, w-reload and win-link (limits,
// reload, place).
const elsewhere = new Set([
  ...["r-index", "r-lock-hash", "r-archive-shapes", "r-remove", "w-reload"],
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

/** Cases that are about an agent. */
const options: Readonly<Record<string, CaseRun["options"]>> = { "c-subagent": { agent: "gardener" } };

/** Tables and remarks of single cases. */
const more: Readonly<Record<string, CaseRun["more"]>> = {
  "a-substitution": (skills, { folder }) => checkCalls(tableOf(folder, "calls.json") ?? [], skills),
  "b-long-body": (skills) => {
    const { output } = skills.load("almanac");
    expect(output).toMatch(/LAST LINE.*\n\nSkill folder/);
    expect(output.split("\n").length).toBeGreaterThan(690);
  },
  "c-subagent": async (skills, { options: opened }) => {
    const session = openSession(skills);
    const { parts, injected, diagnostics } = await session.start();
    expect([injected, diagnostics.length]).toEqual([["soil", "manual-step"], 1]);
    expect(session.activations.map(({ name, by }) => [name, by])).toEqual([
      ["soil", "preload"],
      ["manual-step", "preload"],
    ]);
    expect((await session.start()).parts, "once").toEqual([]);
    const main = await openSession(openSkills(opened)).expand("Water the beds.");
    expect(main.parts.slice(0, 2), "a main session of the agent").toEqual(parts);
    const none = await openSession(openSkills({ ...opened, agent: "build" })).start();
    expect(none).toEqual({ parts: [], injected: [], diagnostics: [] });
    const untrusted = openSkills({ ...opened, trust: false });
    expect(untrusted.start).toBeNull();
    expect(untrusted.diagnostics.map(({ code }) => code)).toContain("agent/untrusted");
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
    await checkCase({ ...readCase(id), options: options[id], more: more[id] });
  });
});
