import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type Stats,
} from "node:fs";
import { dirname, join, posix } from "node:path";
import type { ProvenFile } from "../../core/packs/marker.ts";
import { isLeftOver, type PackSkill } from "../../core/packs/pack.ts";
import { systemCode } from "../file-error.ts";

/** One thing that is not as the pack has it. Paths are below the skill's folder, with `/`. */
export type Deviation =
  | { readonly kind: "missing"; readonly path: string }
  /** A file with another content. */
  | { readonly kind: "different"; readonly path: string; readonly digest: string; readonly size: number }
  /** A link, folder or special file where a file belongs, or the other way round. */
  | { readonly kind: "other-kind"; readonly path: string }
  /** Not part of the skill. */
  | { readonly kind: "extra"; readonly path: string }
  | { readonly kind: "mode"; readonly path: string };

export interface Inspection {
  /** There is nothing of that name, or an empty folder, which a whole one can take the place of in one step. */
  readonly absent: boolean;
  readonly deviations: readonly Deviation[];
  /** What the right files are, by path below the skill's folder. */
  readonly files: ReadonlyMap<string, ProvenFile>;
}

const reading = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Compares a skill's folder with the pack, by content; links are looked at, never followed. Row K03. */
export function inspectSkill(folder: string, skill: PackSkill): Inspection {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) return { absent: true, deviations: [], files: new Map() };
  if (!stats.isDirectory())
    return { absent: false, deviations: [{ kind: "other-kind", path: "" }], files: new Map() };
  if (readdirSync(folder).length === 0) return { absent: true, deviations: [], files: new Map() };
  const wanted = new Map(skill.files.map((file) => [file.path, file]));
  const folders = foldersOf(skill);
  const deviations: Deviation[] = [];
  const files = new Map<string, ProvenFile>();
  const seen = new Set<string>();

  const walk = (inner: string): void => {
    for (const entry of entriesOf(join(folder, inner))) {
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      const isFolder = folders.has(path);
      const file = wanted.get(path);
      if (isFolder || file !== undefined) seen.add(path);
      if (isFolder) {
        if (entry.isDirectory()) walk(path);
        else deviations.push({ kind: "other-kind", path });
      } else if (file === undefined) {
        if (!isLeftOver(entry.name)) deviations.push({ kind: "extra", path });
      } else if (entry.isFile()) {
        const found = readIdentity(join(folder, path));
        if (found === null) deviations.push({ kind: "other-kind", path });
        else if (found.digest !== file.digest)
          deviations.push({ kind: "different", path, digest: found.digest, size: found.size });
        else if (file.executable && (found.mode & 0o100) === 0) deviations.push({ kind: "mode", path });
        else files.set(path, found);
      } else deviations.push({ kind: "other-kind", path });
    }
  };
  walk("");
  const blocked = (path: string): boolean =>
    deviations.some((one) => one.kind === "other-kind" && path.startsWith(`${one.path}/`));
  for (const { path } of skill.files)
    if (!seen.has(path) && !blocked(path)) deviations.push({ kind: "missing", path });
  return { absent: false, deviations, files };
}

/**
 * Whether a skill's folder is as it was when the marker was written, by names, sizes and times alone: no file is read.
 * `entries` of the skills folder have shown that it is a real folder.
 */
export function looksUnchanged(
  folder: string,
  skill: PackSkill,
  known: (path: string) => ProvenFile | undefined,
): boolean {
  const folders = foldersOf(skill);
  let count = 0;
  const walk = (inner: string): boolean => {
    for (const entry of readdirSync(join(folder, inner), { withFileTypes: true })) {
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (entry.isDirectory() && folders.has(path)) {
        if (!walk(path)) return false;
        continue;
      }
      if (isLeftOver(entry.name)) continue;
      const before = known(path);
      if (!entry.isFile() || before === undefined) return false;
      if (!sameIdentity(lstatSync(join(folder, path)), before)) return false;
      count += 1;
    }
    return true;
  };
  return walk("") && count === skill.files.length;
}

function sameIdentity(stats: Stats, before: ProvenFile): boolean {
  return (
    stats.isFile() &&
    stats.size === before.size &&
    stats.mtimeMs === before.modified &&
    stats.ctimeMs === before.changed
  );
}

/** Identity and digest of a regular file; null for anything else. */
export function readIdentity(path: string): (ProvenFile & { readonly mode: number }) | null {
  let descriptor: number;
  try {
    descriptor = openSync(path, reading);
  } catch (error) {
    if (["ELOOP", "EMLINK", "ENOENT", "ENXIO", "EISDIR"].includes(systemCode(error))) return null;
    throw error;
  }
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return null;
    const digest = createHash("sha256").update(readFileSync(descriptor)).digest("hex");
    const { size, mtimeMs, ctimeMs, mode } = stats;
    return { size, modified: mtimeMs, changed: ctimeMs, digest, mode };
  } finally {
    closeSync(descriptor);
  }
}

/** Folders inside a skill that hold its files. */
export function foldersOf(skill: PackSkill): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { path } of skill.files)
    for (let folder = dirname(path); folder !== "."; folder = posix.dirname(folder)) found.add(folder);
  return found;
}

function entriesOf(folder: string): readonly Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}
