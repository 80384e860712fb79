import type { FileSystem } from "../file-system.ts";

export interface ListFilesOptions {
  /** Paths at most. */
  readonly limit: number;
  /** Levels below the folder. */
  readonly depth: number;
  /** Folders and files whose name starts with a dot. */
  readonly hidden: boolean;
  readonly ignore: ReadonlySet<string>;
  /** Whether a file belongs in the list, by its path relative to the folder. */
  readonly accept: (relative: string) => boolean;
}

export interface FileList {
  readonly files: readonly string[];
  /** The list is not complete. */
  readonly more: boolean;
  /** How many files are not named; at least that many where `counted` is false, because the search was ended. */
  readonly unnamed: number;
  readonly counted: boolean;
}

/** Entries looked at while listing one skill; a dependency tree must not make a load slow (case w-limits). */
const entryBound = 20_000;

/**
 * Files of a skill's folder as relative paths, breadth first by level, each level sorted in code-unit order, at most
 * `limit`. Links are named but never followed.
 */
export function listFiles(fileSystem: FileSystem, folder: string, options: ListFilesOptions): FileList {
  const files: string[] = [];
  let unnamed = 0;
  let [seen, counted] = [0, true];
  let level: readonly string[] = [""];
  for (let depth = 0; level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const prefix of level) {
      const read = fileSystem.readDirectory(prefix === "" ? folder : `${folder}/${prefix}`, {
        limit: entryBound,
      });
      if (read.kind !== "directory") continue;
      if (read.truncated) counted = false;
      for (const entry of read.entries) {
        seen += 1;
        if (seen > entryBound) return { files, more: true, unnamed, counted: false };
        if ((!options.hidden && entry.name.startsWith(".")) || options.ignore.has(entry.name)) continue;
        const relative = prefix === "" ? entry.name : `${prefix}/${entry.name}`;
        if (entry.type === "directory") {
          if (depth < options.depth) next.push(relative);
          continue;
        }
        if (!options.accept(relative)) continue;
        if (files.length < options.limit) files.push(relative);
        else unnamed += 1;
      }
    }
    level = next;
  }
  return { files, more: unnamed > 0 || !counted, unnamed, counted };
}
