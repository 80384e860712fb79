import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** What can be measured inside a process. `reload` is a second discovery of the same registry. */
export type SubjectName = LoopName | "library" | "reload" | "pi";

/** Loops over the same files that discover nothing. */
export type LoopName = "bare" | "text";

/** Where a worker finds the tree and the programs; plain data, handed over as JSON. */
export interface Places {
  readonly workspace: string;
  readonly home: string;
  readonly data: string;
  readonly skills: string;
  /** File with the paths of every SKILL.md, one a line. */
  readonly list: string;
  /** The built package. */
  readonly dist: string;
  /** Folder with the peers' `node_modules`, or null. */
  readonly peers: string | null;
}

/** Runs once and returns how many skills (or files) it met, so that nothing can be skipped unseen. */
export type Subject = () => number;

/**
 * The bare loop: opens each file, reads it into one buffer that is used again, closes it. The paths are known to it
 * before; nothing is listed, checked, decoded or kept. No reader of the files can be faster in this runtime.
 */
function bareLoop(files: readonly string[]): Subject {
  const buffer = Buffer.allocUnsafeSlow(1024 * 1024);
  return () => {
    let read = 0;
    for (const file of files) {
      const descriptor = openSync(file, constants.O_RDONLY);
      if (readSync(descriptor, buffer, 0, buffer.length, null) > 0) read++;
      closeSync(descriptor);
    }
    return read;
  };
}

/** The loop as anybody would write it: opens, reads and decodes each file by the one call that Node has for that. */
function textLoop(files: readonly string[]): Subject {
  return () => {
    let read = 0;
    for (const file of files) {
      if (readFileSync(file, "utf8") !== "") read++;
    }
    return read;
  };
}

export const loops: Readonly<Record<LoopName, (files: readonly string[]) => Subject>> = {
  bare: bareLoop,
  text: textLoop,
};

type Library = typeof import("../src/index.ts");

export async function importLibrary(dist: string): Promise<Library> {
  return await import(pathToFileURL(join(dist, "index.js")).href);
}

/** Skill files met in the tree; the skills that the package itself brings don't count. */
export function countSkills(skills: ReturnType<Library["openSkills"]>, { skills: folder }: Places): number {
  return skills.snapshot.roots.find(({ root }) => root.path === folder)?.candidates ?? 0;
}

/** Options that keep the machine's own settings and the built-in skills out, so that all subjects read the same files. */
export function isolated(places: Places): NonNullable<Parameters<Library["openSkills"]>[0]> {
  const { workspace, home, data } = places;
  const env = { SKILLET_DISABLE_BUILTIN_SKILLS: "1" };
  return { cwd: workspace, home, data, env, trust: true, profile: "skillet" };
}

/** The skills loader of `@mariozechner/pi-coding-agent`, pointed at the same folder and at nothing else. */
export async function piLoader(places: Places): Promise<Subject> {
  if (places.peers === null) throw new Error("The peers are not installed.");
  const file = join(places.peers, "node_modules/@mariozechner/pi-coding-agent/dist/core/skills.js");
  const { loadSkills }: PiModule = await import(pathToFileURL(file).href);
  const options = {
    cwd: places.workspace,
    agentDir: join(places.home, ".pi"),
    skillPaths: [places.skills],
    includeDefaults: false,
  };
  return () => loadSkills(options).skills.length;
}

interface PiModule {
  loadSkills(options: {
    readonly cwd: string;
    readonly agentDir: string;
    readonly skillPaths: readonly string[];
    readonly includeDefaults: boolean;
  }): { readonly skills: readonly unknown[] };
}
