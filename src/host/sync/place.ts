import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  unlinkSync,
} from "node:fs";
import { join, relative } from "node:path";
import { SkilletError } from "../../core/error.ts";
import { copySkillFolder } from "../copy-skill-folder.ts";
import { fileError } from "../file-error.ts";
import { toPortable } from "../native-path.ts";
import { placeSkill } from "../place-skill.ts";
import type { PlacedEntry } from "./manifest.ts";
import type { SyncSource } from "./sources.ts";
import type { SyncChange } from "./sync-folder.ts";
import { treeDigest } from "./tree-digest.ts";

/** What stands at a skill's place: nothing, what we put there, that changed since, or something that never was ours. */
export type Standing = "absent" | "ours" | "edited" | "foreign";

/** What became of one step, and what to record of it. */
export interface Placement extends Pick<SyncChange, "action" | "message"> {
  readonly entry: PlacedEntry | null;
}

export interface PlaceStep {
  readonly change: Pick<SyncChange, "action" | "message">;
  /** What is recorded before it is done. */
  readonly before: PlacedEntry | null;
  /** Does it and never throws; null = nothing to do. */
  readonly act: (() => Placement) | null;
  /** What is recorded where there is nothing to do. */
  readonly after: PlacedEntry | null;
}

export interface PlaceInput {
  readonly folder: string;
  readonly name: string;
  readonly source: SyncSource;
  readonly recorded: PlacedEntry | null;
  readonly here: Exclude<Standing, "edited">;
  readonly method: "link" | "copy";
}

/** Judges what stands at a place by what is recorded of it. */
export function standing(folder: string, name: string, recorded: PlacedEntry | null): Standing {
  const path = join(folder, name);
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "absent";
  if (recorded === null) return "foreign";
  if (stats.isSymbolicLink()) return recorded.links.includes(readlinkSync(path)) ? "ours" : "edited";
  return stats.isDirectory() && isOurCopy(path, recorded) ? "ours" : "edited";
}

function isOurCopy(path: string, { digests }: PlacedEntry): boolean {
  if (digests.length === 0) return false;
  const digest = treeDigest(path);
  return digest !== null && digests.includes(digest);
}

/** How one skill of the set gets into the folder. */
export function place(input: PlaceInput): PlaceStep {
  const { folder, name, source, recorded, here } = input;
  const path = join(folder, name);
  const unchanged = (message: string | null, after: PlacedEntry | null): PlaceStep => ({
    change: { action: "unchanged", message },
    before: after,
    act: null,
    after,
  });
  if (here === "foreign") {
    if (realOrNull(path) === source.from) return unchanged("A link of your own leads to it.", null);
    const message = "Something that sync did not put there stands in its place; it is left alone.";
    return { change: { action: "kept", message }, before: null, act: null, after: null };
  }
  const isLink = here === "ours" && lstatSync(path).isSymbolicLink();
  if (input.method === "link" && !source.flat) {
    if (isLink && realOrNull(path) === source.from) return unchanged(null, recorded);
    const links = [...new Set([...(recorded?.links ?? []), relative(folder, source.from)])];
    const action = here === "absent" ? "linked" : "updated";
    return {
      change: { action, message: null },
      before: { from: source.from, links, digests: recorded?.digests ?? [] },
      act: () => guarded(input, recorded, () => link(input, action)),
      after: null,
    };
  }
  const wanted = source.flat ? null : treeDigest(source.from, { asCopied: true });
  if (here === "ours" && !isLink && wanted !== null && treeDigest(path) === wanted)
    return unchanged(null, { from: source.from, links: [], digests: [wanted] });
  const digests = [...new Set([...(recorded?.digests ?? []), ...(wanted === null ? [] : [wanted])])];
  const action = here === "absent" ? "copied" : "updated";
  return {
    change: { action, message: null },
    before: { from: source.from, links: recorded?.links ?? [], digests },
    act: () => guarded(input, recorded, () => copy(input, action)),
    after: null,
  };
}

function link({ folder, name, source, here }: PlaceInput, action: SyncChange["action"]): Placement {
  const path = join(folder, name);
  const placed = placeSkill({
    store: toPortable(source.from),
    target: toPortable(path),
    copied: here === "ours",
  });
  const left = placed.diagnostics.find(({ code }) => code === "place/left-out");
  if (placed.method === "copy") {
    const digest = treeDigest(path);
    return {
      action: action === "linked" ? "copied" : action,
      message: left?.message ?? placed.reason,
      entry: { from: source.from, links: [], digests: digest === null ? [] : [digest] },
    };
  }
  return { action, message: null, entry: { from: source.from, links: [readlinkSync(path)], digests: [] } };
}

let staged = 0;

function temporaryFor(folder: string, name: string): string {
  staged += 1;
  // The form that `sweep` knows, and `placeSkill` gives too.
  return join(folder, `.${name}.skillet-${process.pid}-${1_000_000 + staged}`);
}

function copy({ folder, name, source, recorded }: PlaceInput, action: SyncChange["action"]): Placement {
  const path = join(folder, name);
  const staging = temporaryFor(folder, name);
  try {
    const leftOut = source.flat ? copyFlat(source.from, staging) : copySkillFolder(source.from, staging);
    const digest = treeDigest(staging);
    if (digest === null) throw new SkilletError("failed", "The copy cannot be read back.");
    const old = moveAside({ folder, name, recorded });
    if (old === "edited")
      return { action: "kept", message: "It was changed at this moment, so it stays.", entry: recorded };
    try {
      renameSync(staging, path);
    } catch (error) {
      if (old !== null) renameSync(old, path);
      throw error;
    }
    if (old !== null) discard(old);
    const shown = leftOut.slice(0, 10).map(toPortable).join(", ");
    const message =
      leftOut.length === 0 ? null : `Not copied: ${shown}${leftOut.length > 10 ? " and more" : ""}.`;
    return { action, message, entry: { from: source.from, links: [], digests: [digest] } };
  } finally {
    discard(staging);
  }
}

function copyFlat(file: string, folder: string): readonly string[] {
  mkdirSync(folder);
  const target = join(folder, "SKILL.md");
  copyFileSync(file, target, constants.COPYFILE_EXCL);
  chmodSync(target, 0o644);
  return [];
}

/** Takes what we put there away; it is looked at once more where nobody can change it by its name. */
export function remove(input: Pick<PlaceInput, "folder" | "name" | "recorded">): Placement {
  return guarded(input, input.recorded, () => {
    const old = moveAside(input);
    if (old === "edited")
      return {
        action: "kept",
        message: "It was changed at this moment, so it stays.",
        entry: input.recorded,
      };
    if (old !== null) discard(old);
    return { action: "removed", message: null, entry: null };
  });
}

/** Moves what stands there out of the way and gives its new place; null = nothing stands there. */
function moveAside({
  folder,
  name,
  recorded,
}: Pick<PlaceInput, "folder" | "name" | "recorded">): string | null | "edited" {
  const path = join(folder, name);
  if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return null;
  const aside = `${temporaryFor(folder, name)}-old`;
  renameSync(path, aside);
  const stats = lstatSync(aside);
  const isOurs =
    recorded !== null &&
    (stats.isSymbolicLink() ? recorded.links.includes(readlinkSync(aside)) : isOurCopy(aside, recorded));
  if (isOurs) return aside;
  renameSync(aside, path);
  return "edited";
}

function discard(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isSymbolicLink() === true) unlinkSync(path);
  else if (stats !== undefined) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
}

function guarded(
  { folder, name }: Pick<PlaceInput, "folder" | "name">,
  recorded: PlacedEntry | null,
  act: () => Placement,
): Placement {
  try {
    return act();
  } catch (error) {
    const action = `put "${name}" into the folder`;
    const { message } = fileError(error, { action, path: join(folder, name) });
    return { action: "failed", message, entry: recorded };
  }
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}
