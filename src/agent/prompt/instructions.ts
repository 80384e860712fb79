import type { Environment } from "../../core/environment.ts";
import type { FileSystem } from "../../core/file-system.ts";
import { join } from "../../core/path.ts";
import { configFolder } from "../../core/places.ts";
import { printable } from "../../core/text/printable.ts";

/** A text that goes into the prompt, and where it stands. */
export interface PromptFile {
  readonly path: string;
  readonly text: string;
}

export interface PromptFiles {
  /** Global first, then the project's from the repository's top to the working folder. */
  readonly instructions: readonly PromptFile[];
  readonly memory: readonly PromptFile[];
  /** Files that are there and were not read, with the reason. */
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** Bytes of one such file. */
const limit = 128 * 1024;

const names = ["AGENTS.md", "CLAUDE.md"] as const;

/**
 * AGENTS.md of the user and of the project (in a folder without one, CLAUDE.md), and MEMORY.md of both. Links are not
 * followed out of a project: what a repository brings must not pull in other files.
 */
export function readPromptFiles(
  environment: Environment,
  levels: readonly string[],
  fileSystem: Pick<FileSystem, "readFile">,
): PromptFiles {
  const skipped: { path: string; reason: string }[] = [];
  const read = (path: string, follow: boolean): PromptFile | null => {
    const found = fileSystem.readFile(path, { limit, follow });
    if (found.kind === "absent") return null;
    if (found.kind === "file") {
      const text = new TextDecoder().decode(found.bytes).trim();
      return text === "" ? null : { path, text };
    }
    skipped.push({
      path,
      reason: found.kind === "too-large" ? `larger than ${limit / 1024} KB` : found.kind,
    });
    return null;
  };
  const firstOf = (folder: string, follow: boolean): readonly PromptFile[] => {
    for (const name of names) {
      const found = read(join(folder, name), follow);
      if (found !== null) return [found];
    }
    return [];
  };
  const own = configFolder(environment);
  const global = read(join(own, "AGENTS.md"), true);
  const project = [...levels].reverse();
  const instructions = [
    ...(global === null ? [] : [global]),
    ...project.flatMap((folder) => firstOf(folder, false)),
  ];
  const memory = [
    read(join(own, "MEMORY.md"), true),
    ...project.map((folder) => read(join(folder, ".skillet/MEMORY.md"), false)),
  ];
  return { instructions, memory: memory.filter((file) => file !== null), skipped };
}

/** One such text as a layer of the prompt. */
export function instructionLayer({ path, text }: PromptFile): string {
  return `Instructions from ${printable(path)}:\n${text}`;
}

export function memoryLayer(files: readonly PromptFile[]): string | null {
  if (files.length === 0) return null;
  return [
    "What earlier sessions wrote down:",
    ...files.map(({ path, text }) => `From ${printable(path)}:\n${text}`),
  ].join("\n\n");
}
