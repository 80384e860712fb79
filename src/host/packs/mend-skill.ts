import { chmodSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ProvenFile } from "../../core/packs/marker.ts";
import type { PackFile, PackSkill } from "../../core/packs/pack.ts";
import { systemCode } from "../file-error.ts";
import { type Deviation, inspectSkill, readIdentity } from "./inspect-skill.ts";
import { keepBytes, moveAside } from "./keep-aside.ts";
import { makeFolder, type PackFolders, refuseForeign } from "./pack-folder.ts";
import { type FileBytes, publishSkill, replaceFile } from "./publish-skill.ts";
import type { Steps } from "./steps.ts";

/** What one skill needs to be brought into its right state. */
export interface MendRequest {
  readonly folders: PackFolders;
  readonly skill: PackSkill;
  readonly bytes: FileBytes;
  /** Digest that the marker knows for `SKILL/PATH`: such a file is an earlier state of ours, nobody's edit. */
  readonly recorded: (path: string) => string | undefined;
}

export interface Mended {
  readonly files: ReadonlyMap<string, ProvenFile>;
  /** Where a user's edits are kept now. */
  readonly kept: readonly string[];
  /** Something damaged or missing was made right. */
  readonly repaired: boolean;
}

/** What the system says when another process changed the place that is being mended. */
const interfered: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "EISDIR", "ENOTEMPTY"]);

/** Rounds in which other processes, or the user, may interfere before we give up. */
const attempts = 5;

/**
 * Brings one skill's folder into the pack's state: published whole when it is absent, else file by file, so that a
 * reader never finds it gone. What a user changed is kept aside first. Throws when that is not possible; whatever was
 * done until then is whole. Rows K01, K03, K04.
 */
export function* mendSkill(request: MendRequest): Steps<Mended> {
  const { folders, skill } = request;
  const target = join(folders.skills, skill.name);
  const kept: string[] = [];
  let repaired = false;
  for (let attempt = 0; attempt < attempts; attempt++) {
    const found = inspectSkill(target, skill);
    yield;
    if (!found.absent && found.deviations.length === 0) return { files: found.files, kept, repaired };
    if (found.absent) {
      const answer = yield* publishSkill(folders, skill, request.bytes);
      // Somebody was faster; the next round looks at what they made.
      if (answer === "published")
        repaired ||= request.recorded(`${skill.name}/${skill.files[0]?.path}`) !== undefined;
      continue;
    }
    try {
      for (const deviation of found.deviations) {
        const place = yield* mendOne(request, deviation);
        if (place === null) repaired ||= deviation.kind !== "extra" && deviation.kind !== "other-kind";
        else if (!kept.includes(place)) kept.push(place);
      }
    } catch (error) {
      if (!interfered.has(systemCode(error))) throw error;
    }
  }
  const last = inspectSkill(target, skill);
  if (!last.absent && last.deviations.length === 0) return { files: last.files, kept, repaired };
  throw Object.assign(new Error("it keeps changing"), { code: "EBUSY" });
}

function* mendOne(request: MendRequest, deviation: Deviation): Steps<string | null> {
  const { folders, skill } = request;
  const aside = deviation.path === "" ? skill.name : `${skill.name}/${deviation.path}`;
  const target = join(folders.skills, aside);
  yield;
  if (deviation.kind === "extra" || deviation.kind === "other-kind") return moveAside(folders, target, aside);
  const file = skill.files.find(({ path }) => path === deviation.path);
  if (file === undefined) return null;
  if (deviation.kind === "mode") {
    chmodSync(target, lstatSync(target).mode | 0o700);
    return null;
  }
  if (deviation.kind === "missing") {
    makeParents(folders, aside);
    yield* replaceFile(folders, target, { file, bytes: request.bytes });
    return null;
  }
  const place = keepEdit(request, { deviation, file, aside, target });
  if (place === "changed") return null;
  yield* replaceFile(folders, target, { file, bytes: request.bytes });
  return place;
}

/** Keeps what a user wrote; null when there is nothing of theirs in it, "changed" when the file is another one by now. */
function keepEdit(
  request: MendRequest,
  found: {
    readonly deviation: Deviation & { readonly kind: "different" };
    readonly file: PackFile;
    readonly aside: string;
    readonly target: string;
  },
): string | null {
  const { deviation, file, aside, target } = found;
  if (deviation.digest === request.recorded(aside)) return null;
  const now = readIdentity(target);
  if (now === null || now.digest !== deviation.digest) return "changed";
  const bytes = readFileSync(target);
  return isTorn(bytes, request.bytes(file)) ? null : keepBytes(request.folders, aside, bytes);
}

/** A beginning of the right content, perhaps with zeros behind it: what a crash leaves, and nobody's work. */
export function isTorn(bytes: Uint8Array, right: Uint8Array): boolean {
  let same = 0;
  while (same < bytes.length && same < right.length && bytes[same] === right[same]) same++;
  return bytes.subarray(same).every((byte) => byte === 0);
}

function makeParents(folders: PackFolders, path: string): void {
  const parts = path.split("/").slice(0, -1);
  for (let count = 1; count <= parts.length; count++) {
    const folder = join(folders.skills, ...parts.slice(0, count));
    makeFolder(folder);
    refuseForeign([folder]);
  }
}
