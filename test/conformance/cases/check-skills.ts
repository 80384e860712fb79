import { basename, dirname, join } from "node:path";
import { expect } from "vitest";
import type { VisibleSkill } from "../../../src/core/profile.ts";
import type { Skills } from "../../../src/host/skills.ts";
import type { Case, ExpectedSkill } from "./case-format.ts";
import type { Reading } from "./readings.ts";

export interface Checked {
  readonly folder: string;
  readonly skills: Skills;
  readonly reading: Reading;
}

/** Compares every field that the case gives of its skills with the library's answers. */
export function checkSkills(one: Case, at: Checked): void {
  const { skills } = at;
  for (const wanted of one.expected.skills ?? []) {
    if (wanted.name === "(five)") {
      expect(listed(skills)).toHaveLength(5);
      continue;
    }
    if (wanted.dir !== undefined) checkByFolder(wanted, wanted.dir, at);
    else checkByName(wanted, wanted.name ?? "", at);
  }
}

/** What `list` shows. */
export function listed(skills: Skills): readonly VisibleSkill[] {
  return skills.entries.filter(({ hidden }) => hidden === null);
}

function checkByFolder(wanted: ExpectedSkill, dir: string, { folder, skills }: Checked): void {
  const found = listed(skills).filter(({ skill }) => skill.directory === join(folder, "skills", dir));
  if (wanted.included === false && found.length > 0)
    expect(found.map(({ skill }) => skill.name)).toEqual([wanted.orIncludedAs]);
}

function checkByName(wanted: ExpectedSkill, name: string, at: Checked): void {
  const { skills, reading } = at;
  const included = typeof wanted.included === "boolean" ? wanted.included : at.reading.included?.[name];
  expect(included, `${name}: "${wanted.included}" needs a reading`).toBeDefined();
  const entry = listed(skills).find(({ skill }) => skill.name === name);
  expect(entry !== undefined, `${name} is offered`).toBe(included);
  expect(skills.explain(name).verdict === "offered", `why ${name}`).toBe(included);
  checkLoads(wanted, name, skills);
  if (entry === undefined) return;
  checkDocument(wanted, entry, skills);
  if (wanted.winner !== undefined || wanted.shadowed !== undefined || wanted.from !== undefined)
    checkPlaces(wanted, entry, at);
  if (wanted.files !== undefined) expect(ownFiles(entry, skills), `files of ${name}`).toEqual(wanted.files);
  if (wanted.derived !== undefined) {
    const derived = wanted.derived.map((word) => word.split(" ")[0]);
    expect(entry.skill.nameFrom === "folder", `name of ${name} is derived`).toBe(derived.includes("name"));
    expect(entry.skill.descriptionFrom === "body", `description of ${name} is derived`).toBe(
      derived.includes("description"),
    );
  }
  if (wanted.scope !== undefined) expect(reading.sources?.[wanted.scope]).toBe(entry.skill.root.source);
}

function checkDocument(wanted: ExpectedSkill, entry: VisibleSkill, skills: Skills): void {
  const { skill } = entry;
  if (wanted.description !== undefined) expect(skill.description).toBe(wanted.description);
  if (wanted.license !== undefined) expect(skill.license).toBe(wanted.license);
  if (wanted.allowedTools !== undefined) expect(skill.allowedTools).toEqual(wanted.allowedTools);
  if (wanted.argumentHint !== undefined) {
    expect(skill.argumentHint).toBe(wanted.argumentHint);
    const command = skills.commands().find(({ name }) => name === skill.name);
    expect(command?.argumentHint).toBe(wanted.argumentHint);
  }
  if (wanted.body !== undefined) expect(skills.body(skill).trim()).toBe(wanted.body);
  if (wanted.userInvocable !== undefined) expect(entry.userInvocable).toBe(wanted.userInvocable);
  if (wanted.modelInvocable !== undefined)
    expect(entry.modelInvocable, `${skill.name} for models`).toBe(wanted.modelInvocable);
  if (wanted.listedToModel !== undefined)
    expect(entry.modelInvocable, `${skill.name} for models`).toBe(wanted.listedToModel);
}

function checkLoads(wanted: ExpectedSkill, name: string, skills: Skills): void {
  for (const [by, result] of [
    ["model", wanted.loadByModel],
    ["user", wanted.loadByUser],
  ] as const) {
    if (result === undefined) continue;
    const { status, output } = skills.load(name, { by });
    if (result === "refused") {
      expect(["denied", "unknown"], `load of ${name} by ${by}`).toContain(status);
      const entry = skills.entries.find(({ skill }) => skill.name === name);
      if (entry !== undefined) expect(output).not.toContain(skills.body(entry.skill).trim());
    } else expect(status, `load of ${name} by ${by}`).toBe(result === "ask" ? "ask" : "loaded");
  }
}

function checkPlaces(wanted: ExpectedSkill, entry: VisibleSkill, { folder, skills, reading }: Checked): void {
  const { skill } = entry;
  const winner = wanted.winner === undefined ? undefined : (reading.winners?.[skill.name] ?? wanted.winner);
  if (winner !== undefined) expect(skill.directory).toBe(skillFolder(folder, winner));
  if (wanted.from !== undefined) expect(skill.directory).toBe(skillFolder(folder, wanted.from));
  if (wanted.shadowed !== undefined) {
    const behind = skills.shadowed.filter((lost) => lost.winner === skill);
    expect(behind.map((lost) => lost.skill.directory)).toEqual(
      wanted.shadowed.map((path) => skillFolder(folder, path)),
    );
  }
}

/** Cases name a skill by its folder or by its SKILL.md. */
export function skillFolder(folder: string, path: string): string {
  const full = join(folder, path);
  return basename(full) === "SKILL.md" ? dirname(full) : full;
}

function ownFiles(entry: VisibleSkill, skills: Skills): readonly string[] {
  return skills.files(entry.skill).files.filter((file) => file.toLowerCase() !== "skill.md");
}
