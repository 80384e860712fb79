import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs";
import { join } from "node:path";
import {
  type ProvenFile,
  type ProvenMarker,
  parseProvenMarker,
  provenMarker,
} from "../../core/packs/marker.ts";
import { isLeftOver, type Pack } from "../../core/packs/pack.ts";
import { PackDamage } from "../../packs/pack-store.ts";
import { flushFolder, writeFileAtomic } from "../atomic-write.ts";
import { looksUnchanged } from "./inspect-skill.ts";
import { moveAside } from "./keep-aside.ts";
import { type Mended, mendSkill } from "./mend-skill.ts";
import { makeFolder, type PackFolders, refuseForeign } from "./pack-folder.ts";
import type { FileBytes } from "./publish-skill.ts";
import type { Steps } from "./steps.ts";

export interface ProvenRequest {
  readonly folders: PackFolders;
  readonly pack: Pack;
  readonly version: string;
  /** Names of skills that are to be there; others stay as they are (row K02). */
  readonly enabled: readonly string[];
  readonly bytes: FileBytes;
}

export interface ProvenState {
  /** Nothing had to be looked at by content. */
  readonly unchanged: boolean;
  /** Where edits and extra files are kept now. */
  readonly kept: readonly string[];
  /** Skills in which something damaged was made right. */
  readonly repaired: readonly string[];
  /** Skills that are damaged in the package itself and not right on disk either (row K07). */
  readonly damaged: readonly string[];
}

const nothingToDo: ProvenState = { unchanged: true, kept: [], repaired: [], damaged: [] };

/** Whether everything is as the marker says, without reading a skill; costs some microseconds a skill. */
export function isUnchanged(request: ProvenRequest): boolean {
  const { folders, pack, enabled } = request;
  const marker = readMarker(folders);
  if (marker === null || marker.pack !== pack.digest) return false;
  const known = new Map(pack.skills.map((skill) => [skill.name, skill]));
  const wanted = new Set(enabled);
  try {
    for (const entry of readdirSync(folders.skills, { withFileTypes: true })) {
      const skill = known.get(entry.name);
      if (skill === undefined || !entry.isDirectory()) {
        if (isLeftOver(entry.name)) continue;
        return false;
      }
      if (!wanted.delete(entry.name)) continue;
      const prefix = `${entry.name}/`;
      if (!looksUnchanged(join(folders.skills, entry.name), skill, (path) => marker.files.get(prefix + path)))
        return false;
    }
  } catch {
    return false;
  }
  return wanted.size === 0;
}

/**
 * Rule `proven`: every enabled skill is whole and as in the pack when this returns; edits are kept aside first. Throws
 * when the folder cannot be used; whatever was done until then is whole. The marker comes last: a crash before it only
 * costs the next start a look at the contents. Rows K01, K03, K04, G02.
 */
export function* provePack(request: ProvenRequest): Steps<ProvenState> {
  const { folders, pack, enabled } = request;
  refuseForeign([folders.top, folders.version, folders.skills]);
  if (isUnchanged(request)) return nothingToDo;
  for (const folder of [folders.top, folders.version, folders.skills]) makeFolder(folder);
  yield;
  const marker = readMarker(folders);
  const recorded = (path: string): string | undefined => marker?.files.get(path)?.digest;
  const kept: string[] = [...clearStrangers(request)];
  const repaired: string[] = [];
  const damaged: string[] = [];
  const files = new Map<string, ProvenFile>();
  for (const skill of fromOwnPlace(pack.skills.filter(({ name }) => enabled.includes(name)))) {
    let mended: Mended;
    try {
      mended = yield* mendSkill({ folders, skill, bytes: request.bytes, recorded });
    } catch (error) {
      if (!(error instanceof PackDamage)) throw error;
      damaged.push(skill.name);
      continue;
    }
    kept.push(...mended.kept);
    if (mended.repaired) repaired.push(skill.name);
    for (const [path, file] of mended.files) files.set(`${skill.name}/${path}`, file);
  }
  // What is switched off now was proven before and is not looked at; its record stays true or is found wrong later.
  for (const [path, file] of marker?.pack === pack.digest ? marker.files : [])
    if (!files.has(path)) files.set(path, file);
  const inOrder = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  yield;
  flushFolder(folders.skills);
  writeMarker(folders, {
    version: request.version,
    pack: pack.digest,
    skills: [...enabled].sort(),
    files: inOrder,
  });
  return { unchanged: false, kept: kept.sort(), repaired: repaired.sort(), damaged };
}

/**
 * The same skills, begun at another one in each process: of many that start at once, each finds most of the work done by
 * others instead of all doing the same. Nothing depends on the order.
 */
function fromOwnPlace<T>(skills: readonly T[]): readonly T[] {
  const first = process.pid % Math.max(skills.length, 1);
  return [...skills.slice(first), ...skills.slice(0, first)];
}

/** Whatever lies among the skills and is none of the pack: a user's, so it is kept and not served as built-in. */
function clearStrangers({ folders, pack }: ProvenRequest): readonly string[] {
  const known = new Set(pack.skills.map(({ name }) => name));
  const kept: string[] = [];
  for (const name of readdirSync(folders.skills).sort()) {
    if (known.has(name) || isLeftOver(name)) continue;
    const place = moveAside(folders, join(folders.skills, name), name);
    if (place !== null) kept.push(place);
  }
  return kept;
}

function readMarker(folders: PackFolders): ProvenMarker | null {
  try {
    const stats: Stats | undefined = lstatSync(folders.marker, { throwIfNoEntry: false });
    if (stats?.isFile() !== true || stats.size > 16 * 1_048_576) return null;
    return parseProvenMarker(readFileSync(folders.marker, "utf8"));
  } catch {
    return null;
  }
}

function writeMarker(folders: PackFolders, marker: ProvenMarker): void {
  try {
    writeFileAtomic(folders.marker, provenMarker(marker), { action: "note what was extracted", mode: 0o600 });
  } catch {
    // Without a marker everything is looked at again next time; a read-only copy that is right is served all the same.
  }
}
