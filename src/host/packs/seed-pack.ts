import { lstatSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { seedMarker } from "../../core/packs/marker.ts";
import type { Pack } from "../../core/packs/pack.ts";
import { writeFileAtomic } from "../atomic-write.ts";
import { makeFolder, type PackFolders, refuseForeign } from "./pack-folder.ts";
import { type FileBytes, publishSkill, replaceFile } from "./publish-skill.ts";
import type { Steps } from "./steps.ts";

export interface SeedRequest {
  readonly folders: PackFolders;
  readonly pack: Pack;
  readonly version: string;
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
  /** What an earlier marker is compared by. */
  readonly marker: "text" | "existence";
  /** A development build: everything is written at every start. */
  readonly development: boolean;
  readonly bytes: FileBytes;
}

/**
 * Rule `seed` (features M2–M4): an equal marker skips everything; else folders of skills that are switched off or miss
 * their program are removed, files of the others are overwritten, and what else lies there stays. Edits are not looked
 * for. Unlike the mirrored program, a new skill appears at once as a whole, and no link is followed. True when something
 * was written.
 */
export function* seedPack(request: SeedRequest): Steps<boolean> {
  const { folders, pack, enabled } = request;
  const wanted = request.marker === "text" ? seedMarker(request.version, enabled) : request.version;
  const before = readMarker(folders.marker);
  if (!request.development && (request.marker === "text" ? before === wanted : before !== null)) return false;
  refuseForeign([folders.top, folders.version, folders.skills]);
  for (const folder of [folders.top, folders.version, folders.skills]) makeFolder(folder);
  for (const name of request.disabled) {
    yield;
    rmSync(join(folders.skills, name), { recursive: true, force: true });
  }
  for (const skill of pack.skills) {
    if (!enabled.includes(skill.name)) continue;
    yield;
    const target = join(folders.skills, skill.name);
    if (lstatSync(target, { throwIfNoEntry: false }) === undefined) {
      if ((yield* publishSkill(folders, skill, request.bytes)) === "published") continue;
    }
    refuseForeign([target]);
    for (const file of skill.files) {
      makeBelow(target, dirname(file.path));
      yield* replaceFile(folders, join(target, file.path), { file, bytes: request.bytes });
    }
  }
  yield;
  writeFileAtomic(folders.marker, wanted, { action: "note what was extracted" });
  return true;
}

function makeBelow(top: string, path: string): void {
  let folder = top;
  for (const part of path === "." ? [] : path.split("/")) {
    folder = join(folder, part);
    makeFolder(folder);
    refuseForeign([folder]);
  }
}

/** Null when there is none; "" when it cannot be read, which is equal to no marker's text. */
function readMarker(path: string): string | null {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return null;
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
