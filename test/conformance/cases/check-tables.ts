import { closeSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openSkills } from "../../../src/host/open-skills.ts";
import type { OpenOptions, Skills } from "../../../src/host/skills.ts";

/** A table beside `expect.json`, or null when the case has none. */
export function tableOf<T>(folder: string, name: string): readonly T[] | null {
  const path = join(folder, name);
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as readonly T[]) : null;
}

/** Every spelling gives the skill that it means, or a refusal that helps. */
export function checkLookups(lookups: Readonly<Record<string, string>>, skills: Skills): void {
  const visible = skills.entries.filter(({ hidden }) => hidden === null).map(({ skill }) => skill.name);
  for (const [spelling, wanted] of Object.entries(lookups)) {
    const loaded = skills.load(spelling);
    const [result = "", help = ""] = wanted.split("; ");
    if (result !== "not found" && result !== "refused") {
      const name = result.split(" ")[0];
      expect([loaded.status, loaded.name], spelling).toEqual(["loaded", name]);
      expect(skills.explain(spelling), spelling).toMatchObject({ name, verdict: "offered" });
      continue;
    }
    expect(loaded.status, spelling).toBe("unknown");
    expect(skills.explain(spelling).verdict, spelling).not.toBe("offered");
    if (help.startsWith("suggests ")) {
      const names = help.slice("suggests ".length).split(", ");
      const lookup = skills.find(spelling);
      const near =
        lookup.kind === "absent" ? lookup.nearest : lookup.kind === "ambiguous" ? lookup.names : [];
      expect([...near].sort(), spelling).toEqual(names);
      for (const name of names) expect(loaded.output, spelling).toContain(name);
      expect([...skills.explain(spelling).nearest].sort(), spelling).toEqual(names);
    }
    if (help.startsWith("lists")) for (const name of visible) expect(loaded.output, spelling).toContain(name);
  }
}

interface Query {
  readonly q: string;
  readonly first?: string;
  readonly top2?: readonly string[];
  readonly absent?: readonly string[];
  readonly results?: readonly string[] | string;
}

export function checkQueries(queries: readonly Query[], skills: Skills): void {
  for (const { q, first, top2, absent, results } of queries) {
    const names = skills.search(q, { limit: 50 }).results.map(({ name }) => name);
    if (first !== undefined) expect(names[0], q).toBe(first);
    if (top2 !== undefined) expect(names.slice(0, 2).sort(), q).toEqual([...top2].sort());
    for (const name of absent ?? []) expect(names, q).not.toContain(name);
    if (typeof results === "string") {
      const everything = skills.entries
        .filter((entry) => entry.modelInvocable)
        .map(({ skill }) => skill.name);
      expect([...names].sort(), q).toEqual([...everything].sort());
    } else if (results !== undefined) expect(names, q).toEqual(results);
    expect(skills.search(q, { limit: 50 }).results.map(({ name }) => name)).toEqual(names);
  }
}

interface Call {
  readonly skill: string;
  readonly args: string;
  readonly body?: string;
  readonly firstLine?: string;
}

/** The same text by slash command, by the user's load and by the model's. */
export function checkCalls(calls: readonly Call[], skills: Skills): void {
  for (const { skill, args, body, firstLine } of calls) {
    const entry = skills.entries.find((one) => one.skill.name === skill);
    if (entry === undefined) throw new Error(`no skill ${skill}`);
    const texts = (["user", "model"] as const).map((by) =>
      inner(skills.load(skill, { by, arguments: args }).output),
    );
    const { profile, environment } = skills;
    const command = profile.command({
      skill: entry.skill,
      body: skills.body(entry.skill),
      arguments: args,
      environment,
      limit: 10,
      // A command's text lists no files.
      get fileSystem(): never {
        throw new Error("a command reads no files");
      },
    });
    for (const text of [...texts, command.trim()]) {
      if (body !== undefined) expect(text, `${skill} ${args}`).toBe(body);
      if (firstLine !== undefined) expect(text.split("\n")[0], `${skill} ${args}`).toBe(firstLine);
    }
  }
}

/** What stands between the frame's first line and the line about the folder. */
function inner(output: string): string {
  return output.slice(output.indexOf("\n") + 1, output.lastIndexOf("\n\nSkill folder: "));
}

interface Touch {
  readonly files: readonly string[];
  readonly modelListed: readonly string[];
}

export function checkTouched(touches: readonly Touch[], options: OpenOptions): void {
  for (const { files, modelListed } of touches) {
    const skills = openSkills({ ...options, touched: files });
    const names = skills.entries.filter((entry) => entry.modelInvocable).map(({ skill }) => skill.name);
    expect(names, files.join(" ")).toEqual(modelListed);
    expect(
      skills.catalog().skills.map(({ name }) => name),
      files.join(" "),
    ).toEqual(modelListed);
    for (const entry of skills.entries) {
      const { name } = entry.skill;
      expect(skills.load(name, { by: "user" }).status, `slash call of ${name}`).toBe("loaded");
      expect(skills.load(name).status, `explicit load of ${name}`).toBe("loaded");
      expect(skills.commands().some((command) => command.name === name)).toBe(true);
    }
    skills.close();
  }
}

/** Creates what `plan.json` of a performance case asks for, a tenth of it: that is still far above every bound. */
export function createPlanned(folder: string): void {
  const plan = JSON.parse(readFileSync(join(folder, "plan.json"), "utf8")) as {
    readonly create: readonly { readonly under: string; readonly files: number }[];
  };
  for (const { under, files } of plan.create) {
    for (let at = 0; at < files / 10; at += 1) {
      const group = join(folder, under, `d${Math.floor(at / 100)}`);
      if (at % 100 === 0) mkdirSync(group, { recursive: true });
      closeSync(openSync(join(group, `f${at}.txt`), "w"));
    }
  }
}
