import { realpathSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";
import { contains } from "../../../src/core/path.ts";
import type { VisibleSkill } from "../../../src/core/profile.ts";
import type { Skills } from "../../../src/host/skills.ts";
import { skillsOnDisk } from "./skills-on-disk.ts";

/**
 * "Every decision is recorded as data at the moment it is made": what `why` says of any name equals what list,
 * catalog, search, load and commands do, and every step they took is among its steps.
 */
export function checkAgreement(skills: Skills, others: readonly string[] = []): void {
  const known = skills.snapshot.trails.flatMap(({ names }) => names);
  const all = [...new Set([...known, ...skills.entries.map(({ skill }) => skill.name)])];
  // A catalog is rendered for every question, so that of a large set some names have to do.
  const some = all.length > 50 ? all.filter((_, at) => at % Math.ceil(all.length / 25) === 0) : all;
  const catalog = skills.catalog();
  for (const name of [...some, ...others, "no-such-skill"]) {
    const entry = skills.entries.find(({ skill }) => skill.name === name);
    if (entry === undefined) checkWithout(name, skills);
    else checkEntry(entry, skills, catalog);
  }
  checkEveryCandidateOnce(skills);
}

function checkEntry(entry: VisibleSkill, skills: Skills, catalog: ReturnType<Skills["catalog"]>): void {
  const { skill } = entry;
  const { name } = skill;
  const why = skills.explain(name);
  expect(why.name).toBe(name);
  expect(why.verdict, name).toBe(entry.hidden === null ? "offered" : "hidden");
  const line = catalog.skills.find((one) => one.name === name);
  expect(why.catalog, `catalog of ${name}`).toBe(line?.state ?? "absent");
  if (!entry.modelInvocable) expect(line, `catalog of ${name}`).toBeUndefined();

  const [byModel, byUser] = [skills.load(name), skills.load(name, { by: "user" })];
  expect(byUser.status === "loaded", `${name} by the user: ${byUser.status}`).toBe(entry.hidden === null);
  if (entry.modelInvocable) expect(byModel.status, name).toBe(entry.permission === "ask" ? "ask" : "loaded");
  // The answer must not give away that there is something hidden, so another spelling's skill may be given.
  if (entry.hidden !== null) expect(byModel.status === "unknown" || byModel.name !== name, name).toBe(true);
  const found = skills.search(name, { limit: 1000 }).results.some((hit) => hit.name === name);
  expect(found, `search for ${name}`).toBe(entry.modelInvocable);
  const reserved = skills.preparation.commands.some((command) => command.name === name);
  const command = skills.commands().some((one) => one.skill === name);
  const callable = entry.userInvocable && entry.hidden === null && !reserved;
  // Not every system makes commands of all its skills.
  if (command || skills.profile.id === "skillet") expect(command, `/${name}`).toBe(callable);

  const steps = why.steps.map(({ stage, outcome, reason, path }) => [stage, outcome, reason, path].join(" "));
  for (const { stage, outcome, reason, path } of entry.decisions)
    expect(steps).toContain([stage, outcome, reason, path ?? skill.location].join(" "));
  const won = why.steps.filter(({ stage, outcome }) => stage === "precedence" && outcome === "won");
  expect(won.map(({ path }) => path)).toContain(skill.location);
  for (const lost of skills.shadowed.filter((one) => one.skill.name === name))
    expect(steps).toContain(["precedence", "shadowed", lost.reason, lost.skill.location].join(" "));
  if (entry.hidden !== null) expect(why.summary).toContain(entry.hidden.message);
  checkRoots(name, skills);
}

/** Every folder that was or was not searched is a step, with its outcome. */
function checkRoots(name: string, skills: Skills): void {
  const roots = skills
    .explain(name)
    .steps.filter(({ stage }) => stage === "root")
    .map(({ path }) => path);
  for (const { root } of skills.snapshot.roots) expect(roots).toContain(root.path);
}

function checkWithout(name: string, skills: Skills): void {
  const why = skills.explain(name);
  const lookup = skills.find(name);
  if (lookup.kind === "found") {
    const offered = lookup.entry.hidden === null;
    expect(why, name).toMatchObject({
      name: lookup.entry.skill.name,
      verdict: offered ? "offered" : "hidden",
    });
    return;
  }
  expect(["skipped", "shadowed", "absent"], name).toContain(why.verdict);
  // A model does not know of what is kept from it, so a spelling may be clear to it that is not to the user.
  const byModel = skills.load(name);
  if (byModel.status !== "unknown") expect(lookup, name).toMatchObject({ kind: "ambiguous" });
  if (lookup.kind === "ambiguous" && byModel.status !== "unknown")
    expect(lookup.names).toContain(byModel.name);
  expect(skills.load(name, { by: "user" }).status, name).toBe("unknown");
  expect(why.catalog).toBe("absent");
  const skipped = skills.skipped.filter(({ names }) => names.includes(name));
  if (skipped.length > 0) {
    expect(["skipped", "shadowed"], name).toContain(why.verdict);
    for (const { path, reason } of skipped)
      expect(
        why.steps.some((step) => step.path === path && step.reason === reason),
        path,
      ).toBe(true);
  }
  if (why.verdict === "absent") expect(why.summary).toMatch(/no skill|declare/i);
}

/** Winners, losers and rejects are the trails, each once. */
function checkEveryCandidateOnce(skills: Skills): void {
  const { snapshot } = skills;
  const places = [
    ...snapshot.skills.map(({ location }) => location),
    ...snapshot.shadowed.map(({ skill }) => skill.location),
    ...snapshot.skipped.map(({ path }) => path),
  ].sort();
  expect(snapshot.trails.map(({ location }) => location).sort()).toEqual(places);
  for (const { decisions, location } of snapshot.trails)
    expect(["won", "shadowed", "skipped"], location).toContain(decisions.at(-1)?.outcome);
}

/** Every skill folder that a walk of the test's own finds below a searched root is in the record. */
export function checkNothingLost(skills: Skills): void {
  const recorded = new Set<string>();
  for (const { location } of skills.snapshot.trails) {
    for (const path of [location, dirname(location)]) {
      try {
        recorded.add(realpathSync(path));
      } catch {
        // A link to nothing has no real path, and no skill behind it.
      }
    }
  }
  // What lies behind a link that is not followed is explained by the link.
  const refused = skills.skipped
    .filter(({ reason }) => reason === "link-outside")
    .map(({ path }) => realpathSync(path));
  for (const { root, decision } of skills.snapshot.roots) {
    if (decision.outcome !== "searched") continue;
    for (const folder of skillsOnDisk(root.path, skills.configuration.limits.scanDepth)) {
      const behind = refused.some((place) => contains(place, folder));
      expect(behind || recorded.has(folder), `${folder}, below ${root.path}, is explained`).toBe(true);
    }
  }
}
