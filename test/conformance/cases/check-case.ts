import { expect } from "vitest";
import { listJson } from "../../../src/cli/json/list-json.ts";
import type { Diagnostic } from "../../../src/core/diagnostic.ts";
import { openSkills } from "../../../src/host/open-skills.ts";
import { openSession } from "../../../src/host/session/open-session.ts";
import type { OpenOptions, Skills } from "../../../src/host/skills.ts";
import { checkAgreement, checkNothingLost } from "./agreement.ts";
import { type Case, type Setup, unknownKeys } from "./case-format.ts";
import { checkDiagnostics } from "./check-diagnostics.ts";
import { checkSkills, listed, skillFolder } from "./check-skills.ts";
import { checkLookups } from "./check-tables.ts";
import { type LaidOut, layOut, type Tree } from "./lay-out.ts";
import type { Reading } from "./readings.ts";
import { flagsFor, runCommand } from "./run-command.ts";

export interface CaseRun {
  readonly one: Case;
  readonly setup: Setup;
  readonly from: string | Tree;
  readonly reading: Reading;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
  /** Beyond what the set-up says, e.g. an agent's name. */
  readonly options?: Partial<OpenOptions> | undefined;
  /** Names of the list, in its order, where the case gives them all. */
  readonly offered?: readonly string[] | undefined;
  /** What only this case wants to see. */
  readonly more?: ((skills: Skills, laid: LaidOut) => void | Promise<void>) | undefined;
}

/** Runs one case: every field that it expects, and what holds for all of them. */
export async function checkCase(run: CaseRun): Promise<void> {
  const { one, setup, from, reading, config, more } = run;
  expect(unknownKeys(one, setup)).toEqual([]);
  const plain = layOut({ from, setup, config });
  const laid = { ...plain, options: { ...plain.options, ...run.options } };
  try {
    const skills = openSkills(laid.options);
    const { folder } = laid;
    if (run.offered !== undefined) expect(listed(skills).map(({ skill }) => skill.name)).toEqual(run.offered);
    checkSkills(one, { folder, skills, reading });
    const findings = reading.check === true ? await findingsOf(laid) : [];
    checkDiagnostics(one, skills.diagnostics, { folder, reading, findings });
    checkLookups(one.expected.lookups ?? {}, skills);
    await checkPreload(one.expected.preload ?? {}, skills);
    checkVariants(one, laid);
    checkAgreement(skills);
    checkNothingLost(skills);
    await more?.(skills, laid);
    const before = bytesOf(skills);
    expect(skills.reload(), "nothing changed").toBe(false);
    expect(bytesOf(openSkills(laid.options))).toBe(before);
    await checkCommand(skills, laid);
    await checkLookupCommands(one.expected.lookups ?? {}, laid);
    skills.close();
  } finally {
    laid.remove();
  }
}

/** Everything that a user or a model sees of a set of skills, as one text. */
export function bytesOf(skills: Skills): string {
  const part = {
    listed: listed(skills),
    shadowed: skills.shadowed,
    hidden: skills.entries.filter(({ hidden }) => hidden !== null),
    skipped: skills.skipped,
  };
  const names = skills.entries.slice(0, 20).map(({ skill }) => skill.name);
  return JSON.stringify([
    listJson(skills, part),
    skills.catalog(),
    skills.commands(),
    names.map((name) => skills.explain(name)),
    skills.search("", { limit: 1000 }),
  ]);
}

/** What a session of the agent begins with, and word on what it does not get. */
async function checkPreload(preload: Readonly<Record<string, string>>, skills: Skills): Promise<void> {
  if (Object.keys(preload).length === 0) return;
  const { parts, injected, diagnostics } = await openSession(skills).start();
  const whole = Object.keys(preload).filter((name) => preload[name]?.startsWith("full text") === true);
  expect(injected).toEqual(whole);
  expect(parts.map(({ text }) => text)).toEqual(
    whole.map((name) => skills.load(name, { by: "user" }).output),
  );
  const reported = Object.keys(preload).filter((name) => !whole.includes(name));
  for (const name of reported)
    expect(
      diagnostics.some(({ message }) => message.includes(`"${name}"`)),
      name,
    ).toBe(true);
}

function checkVariants(one: Case, laid: LaidOut): void {
  const [named] = one.expected.skills ?? [];
  for (const { config, winner } of one.expected.variants ?? []) {
    const variant = layOut({ from: laid.folder, setup: places(laid), config: { ...laid.config, ...config } });
    const skills = openSkills(variant.options);
    const entry = skills.entries.find(({ skill }) => skill.name === named?.name);
    expect(entry?.skill.directory).toBe(skillFolder(variant.folder, winner));
    checkAgreement(skills);
    skills.close();
    variant.remove();
  }
}

/** The set-up of a case that is laid out already: only its places are left to say. */
function places({ folder, options }: LaidOut): Setup {
  const inside = (path: string | undefined): string | undefined =>
    path?.startsWith(`${folder}/`) === true ? path.slice(folder.length + 1) : undefined;
  const [home, cwd] = [inside(options.home), inside(options.cwd)];
  return { ...(home === undefined ? {} : { home }), ...(cwd === undefined ? {} : { cwd }) };
}

/** The command answers as the library does. */
async function checkCommand(skills: Skills, { options }: LaidOut): Promise<void> {
  const { code, stdout } = await runCommand(["list", "--all", "--json", ...flagsFor(options)]);
  expect(code).toBe(0);
  const shown = JSON.parse(stdout) as {
    readonly skills: readonly {
      readonly name: string;
      readonly location: string;
      readonly modelInvocable: boolean;
    }[];
    readonly shadowed: readonly { readonly location: string }[];
    readonly hidden: readonly { readonly name: string }[];
    readonly skipped: readonly { readonly path: string }[];
    readonly diagnostics: readonly Diagnostic[];
  };
  expect(shown.skills.map(({ name, location, modelInvocable }) => [name, location, modelInvocable])).toEqual(
    listed(skills).map(({ skill, modelInvocable }) => [skill.name, skill.location, modelInvocable]),
  );
  expect(shown.shadowed.map(({ location }) => location)).toEqual(
    skills.shadowed.map(({ skill }) => skill.location),
  );
  expect(shown.skipped.map(({ path }) => path)).toEqual(skills.skipped.map(({ path }) => path));
  expect(shown.diagnostics.map(({ code, path, message }) => [code, path, message])).toEqual(
    skills.diagnostics.map(({ code, path, message }) => [code, path, message]),
  );
}

/** `load` by a model: the text on stdout, code 3 for what is not there or must not be known. */
async function checkLookupCommands(
  lookups: Readonly<Record<string, string>>,
  { options }: LaidOut,
): Promise<void> {
  for (const [spelling, wanted] of Object.entries(lookups)) {
    if (!/^[^-\0]/.test(spelling)) continue;
    const { code, stdout } = await runCommand(["load", spelling, "--by", "model", ...flagsFor(options)]);
    const found = !/^(?:not found|refused)/.test(wanted);
    expect([spelling, code]).toEqual([spelling, found ? 0 : 3]);
    expect(stdout).not.toBe("");
    const why = await runCommand(["why", spelling, "--json", ...flagsFor(options)]);
    const { verdict } = JSON.parse(why.stdout) as { readonly verdict: string };
    expect([spelling, verdict === "offered"]).toEqual([spelling, found]);
  }
}

async function findingsOf({ folder, options }: LaidOut): Promise<readonly Diagnostic[]> {
  const { stdout, stderr } = await runCommand(["check", folder, "--strict", "--json", ...flagsFor(options)]);
  expect(stdout, stderr).not.toBe("");
  return (JSON.parse(stdout) as { readonly findings: readonly Diagnostic[] }).findings;
}
