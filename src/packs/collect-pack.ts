import { createHash } from "node:crypto";
import { type Dirent, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import {
  isLeftOver,
  type LocalizedTexts,
  type Pack,
  type PackFile,
  type PackSkill,
} from "../core/packs/pack.ts";

/** Bounds for folders that are not ours; a mistake like naming the root of the disk must end soon. */
export interface PackLimits {
  readonly files: number;
  readonly bytes: number;
}

export class PackTooLarge extends Error {}

/** A pack with its bytes. */
export interface CollectedPack {
  readonly pack: Pack;
  readonly bytes: Uint8Array;
  /** Links and special files, which are never part of a pack; paths below the pack's folder. */
  readonly leftOut: readonly string[];
}

/**
 * Reads a folder of skill folders as a pack: every file byte for byte, with its execute bit; names in code-unit order,
 * so that equal folders give equal packs. Folders without a file are dropped. An optional `pack.json` says what skills
 * need: `{"skills": {"NAME": {"requires": {"bins": ["PROGRAM"]}}}}`. Feature M1. The build and development share it.
 */
export function collectPack(
  folder: string,
  options: { readonly name: string; readonly locales?: PackLocales; readonly limits?: PackLimits },
): CollectedPack {
  const limits = options.limits ?? { files: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
  let count = 0;
  const leftOut: string[] = [];
  const parts: Uint8Array[] = [];
  const needs = readNeeds(join(folder, "pack.json"));
  let offset = 0;
  const skills: PackSkill[] = [];
  for (const entry of entriesOf(folder)) {
    if (entry.isFile() || isLeftOver(entry.name) || entry.name.startsWith(".")) continue;
    if (!entry.isDirectory()) {
      leftOut.push(entry.name);
      continue;
    }
    const files: PackFile[] = [];
    const leaveOut = (inner: string): number => leftOut.push(`${entry.name}/${inner}`);
    for (const path of filesBelow(join(folder, entry.name), leaveOut)) {
      const full = join(folder, entry.name, path);
      count += 1;
      if (count > limits.files || offset + statSync(full).size > limits.bytes) throw new PackTooLarge(folder);
      const bytes = readFileSync(full);
      files.push({
        path,
        size: bytes.length,
        executable: (statSync(full).mode & 0o111) !== 0,
        digest: sha256(bytes),
        offset,
      });
      parts.push(bytes);
      offset += bytes.length;
    }
    if (files.length > 0)
      skills.push({
        name: entry.name,
        bins: needs.get(entry.name) ?? [],
        locales: localesOf(entry.name, options.locales ?? new Map()),
        files,
      });
  }
  const digest = sha256(Buffer.from(JSON.stringify([options.name, skills]), "utf8"));
  const blob = { name: `${options.name}-${digest.slice(0, 12)}.bin`, size: offset };
  return { pack: { name: options.name, digest, blob, skills }, bytes: Buffer.concat(parts), leftOut };
}

/** Texts of one pack by language, then by skill folder. */
export type PackLocales = ReadonlyMap<string, Readonly<Record<string, unknown>>>;

function localesOf(name: string, locales: PackLocales): Readonly<Record<string, LocalizedTexts>> {
  const found: Record<string, LocalizedTexts> = {};
  for (const [language, skills] of locales) {
    const texts = Object.hasOwn(skills, name) ? skills[name] : undefined;
    if (typeof texts !== "object" || texts === null) continue;
    const { title, description, aliases } = texts as Partial<Record<keyof LocalizedTexts, unknown>>;
    found[language] = {
      title: typeof title === "string" ? title : null,
      description: typeof description === "string" ? description : null,
      aliases: Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === "string") : [],
    };
  }
  return found;
}

function readNeeds(path: string): ReadonlyMap<string, readonly string[]> {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch {
    return new Map();
  }
  const { skills = {} } = JSON.parse(text) as {
    readonly skills?: Readonly<Record<string, { readonly requires?: { readonly bins?: readonly string[] } }>>;
  };
  return new Map(Object.entries(skills).map(([name, { requires }]) => [name, requires?.bins ?? []]));
}

/** Paths of regular files, with `/`, in code-unit order. */
function filesBelow(folder: string, leaveOut: (path: string) => void): readonly string[] {
  const found: string[] = [];
  const walk = (inner: string): void => {
    for (const entry of entriesOf(join(folder, inner))) {
      if (isLeftOver(entry.name)) continue;
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) found.push(path);
      else leaveOut(path);
    }
  };
  walk("");
  return found.sort();
}

function entriesOf(folder: string): readonly Dirent[] {
  return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
