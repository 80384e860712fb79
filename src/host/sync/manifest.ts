import { lstatSync, readFileSync, unlinkSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { SkilletError } from "../../core/error.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { fileError, systemCode } from "../file-error.ts";
import { toNative, toPortable } from "../native-path.ts";

/** One skill that `sync` put into a folder: what it may look like there, more than one while it is being replaced. */
export interface PlacedEntry {
  /** Where it comes from: absolute here, relative to the folder in the file, so that a project can be moved. */
  readonly from: string;
  /** The target of our link as the system gives it back. */
  readonly links: readonly string[];
  /** `treeDigest` of our copy. */
  readonly digests: readonly string[];
}

/** What `sync` put into one folder; the file `.skillet-sync.json` in it. */
export interface SyncManifest {
  readonly skills: ReadonlyMap<string, PlacedEntry>;
  /** How many folders were made for it, from the skills folder outward. */
  readonly made: number;
}

export const manifestName = ".skillet-sync.json";
const byteBound = 16 * 1024 * 1024;
const emptyManifest: SyncManifest = { skills: new Map(), made: 0 };

/** One folder's name and nothing that leads elsewhere or that another system reads differently. */
export function isFolderName(name: string): boolean {
  return (
    name.length <= 200 &&
    /^[^/\\:*?"<>|\p{Cc}]+$/u.test(name) &&
    !/^\.|[. ]$/.test(name) &&
    !/^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(name)
  );
}

/**
 * Reads the record of a folder; an absent one is empty. Throws `SkilletError` "failed" when it cannot be understood,
 * because then nothing in the folder can be told from a user's own. `folder` is the system's own path.
 */
export function readManifest(folder: string): SyncManifest {
  const path = join(folder, manifestName);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return emptyManifest;
  if (!stats.isFile() || stats.size > byteBound) throw unusable(path, "it is not a file of ours");
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (systemCode(error) !== "unknown error") throw fileError(error, { action: "read the record", path });
    throw unusable(path, "it is no JSON");
  }
  const manifest = manifestFrom(value, folder);
  if (typeof manifest === "string") throw unusable(path, manifest);
  return manifest;
}

function manifestFrom(value: unknown, folder: string): SyncManifest | string {
  if (!isRecord(value)) return "it is no object";
  if (value.version !== 1) return "it is of another version of Skillet";
  const { skills, made } = value;
  if (!isRecord(skills)) return "its list of skills is damaged";
  const entries = new Map<string, PlacedEntry>();
  for (const [name, entry] of Object.entries(skills)) {
    const placed = isFolderName(name) && isRecord(entry) ? entryFrom(entry, folder) : null;
    if (placed === null) return `its entry "${name.slice(0, 80)}" is damaged`;
    entries.set(name, placed);
  }
  return { skills: entries, made: made === 1 || made === 2 || made === 3 ? made : 0 };
}

function entryFrom(
  { from, links, digests }: Readonly<Record<string, unknown>>,
  folder: string,
): PlacedEntry | null {
  return typeof from === "string" && isTexts(links) && isTexts(digests)
    ? { from: resolve(folder, toNative(from)), links, digests }
    : null;
}

/** Relative where both lie on one drive, with slashes. */
function relativeFrom({ from, ...entry }: PlacedEntry, folder: string): PlacedEntry {
  return { from: toPortable(relative(folder, from)), ...entry };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

/** Stores the record whole or not at all; removes it where nothing is recorded any more. */
export function writeManifest(folder: string, manifest: SyncManifest): void {
  const path = join(folder, manifestName);
  if (manifest.skills.size === 0) {
    if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === true) unlinkSync(path);
    return;
  }
  const skills = Object.fromEntries(
    [...manifest.skills]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, entry]) => [name, relativeFrom(entry, folder)]),
  );
  const about = "Written by skillet sync. skillet sync --undo removes what is listed here.";
  const value = { version: 1, about, made: manifest.made, skills };
  const text = `${JSON.stringify(value, null, 2)}\n`;
  if (textOrNull(path) !== text)
    writeFileAtomic(toPortable(path), text, { action: "record what was put into the folder" });
}

function textOrNull(path: string): string | null {
  try {
    return lstatSync(path).isFile() ? readFileSync(path, "utf8") : null;
  } catch {
    return null;
  }
}

function unusable(path: string, reason: string): SkilletError {
  return new SkilletError("failed", `${toPortable(path)} cannot be used: ${reason}. Nothing was changed.`, {
    hint: "If you don't need it, remove this file; what it lists is yours then",
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
