import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSkills } from "../../src/host/open-skills.ts";
import type { OpenOptions, Skills } from "../../src/host/skills.ts";
import { type PullSkillsOptions, pullSkills } from "../../src/remote/pull/pull-skills.ts";
import type { PullResult } from "../../src/remote/pull/pull-sources.ts";

/** A home, a project and a data folder of one test. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  readonly data: string;
  /** Writes the user's settings. */
  configure(settings: unknown): void;
  /** Opens the skills there; no built-in ones. */
  open(options?: OpenOptions): Skills;
  /** Pulls and opens again. */
  pull(
    options?: PullSkillsOptions,
    opened?: OpenOptions,
  ): Promise<PullResult & { readonly skills: Skills; readonly names: readonly string[] }>;
  remove(): void;
}

/** Makes one in the system's folder for temporary files. */
export function makePlace(): Place {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "skillet-remote-")));
  const [home, project, data] = [join(root, "home"), join(root, "project"), join(root, "data")];
  for (const folder of [join(home, ".config/skillet"), project]) mkdirSync(folder, { recursive: true });
  const open = (options: OpenOptions = {}): Skills =>
    openSkills({
      cwd: project,
      home,
      data,
      ...options,
      env: { SKILLET_DISABLE_BUILTIN_SKILLS: "1", ...options.env },
    });
  return {
    root,
    home,
    project,
    data,
    configure: (settings) =>
      writeFileSync(join(home, ".config/skillet/skillet.jsonc"), JSON.stringify(settings)),
    open,
    async pull(options = {}, opened = {}) {
      const result = await pullSkills(open(opened), options);
      const skills = open(opened);
      return { ...result, skills, names: remoteNames(skills) };
    },
    remove: () => rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** Pulled skills that a list shows. */
export function remoteNames(skills: Skills): readonly string[] {
  return skills.entries
    .filter(({ skill, hidden }) => skill.root.scope === "remote" && hidden === null)
    .map(({ skill }) => skill.name);
}

/** Every finding of a pull as `code: message`. */
export function findingsOf({ outcomes }: PullResult): readonly string[] {
  return outcomes
    .flatMap(({ diagnostics, changes }) => [...diagnostics, ...changes.flatMap(({ findings }) => findings)])
    .map(({ code, message }) => `${code}: ${message}`);
}

/** A SKILL.md of that name. */
export function skillText(name: string, body = "Do it."): string {
  return `---\nname: ${name}\ndescription: About ${name}.\n---\n${body}\n`;
}
