import { lstatSync, readlinkSync, realpathSync, renameSync, rmdirSync, rmSync, unlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { flushFolder, writeFileAtomic } from "../../host/atomic-write.ts";
import { makeFolders } from "../../host/make-folders.ts";
import { toNative, toPortable } from "../../host/native-path.ts";
import { placeSkill } from "../../host/place-skill.ts";
import { folderDigest } from "./folder-digest.ts";
import type { Journal, SwapStep, UnlinkStep } from "./journal.ts";

/**
 * Does the steps of a journal, each only as far as it is not done yet, then writes the lock. What is moved away is
 * removed only when it still is what the journal says; otherwise it is kept aside and named. Throws the system's error
 * at the first step that fails; the journal stays and the next run goes on from there.
 */
export function perform(journal: Journal): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  for (const step of journal.steps) {
    if (step.do === "swap") diagnostics.push(...swap(step));
    else if (step.do === "unlink") unlink(step);
    else placeSkill({ store: toPortable(step.store), target: toPortable(step.target) });
  }
  // Before the lock is written, so that there is room for it: a stage holds as much.
  for (const stage of journal.stages)
    rmSync(toNative(stage), { recursive: true, force: true, maxRetries: 3 });
  if (journal.lock === null) rmSync(toNative(journal.lockPath), { force: true });
  else writeFileAtomic(journal.lockPath, journal.lock, { action: "write the lock" });
  for (const { target } of journal.steps) removeIfEmpty(dirname(toNative(target)));
  return diagnostics;
}

function swap(step: SwapStep): readonly Diagnostic[] {
  const [target, aside] = [toNative(step.target), toNative(step.aside)];
  const staged = step.staged === null ? null : toNative(step.staged);
  const waiting = staged === null ? !stands(aside) : stands(staged);
  if (waiting && stands(target)) {
    if (stands(aside)) return [keptAside(target, () => setAside(target))];
    renameSync(target, aside);
  }
  if (staged !== null && stands(staged)) {
    makeFolders(dirname(target));
    renameSync(staged, target);
  }
  flushFolder(dirname(target));
  if (!stands(aside)) return [];
  if (folderDigest(toPortable(aside)) === step.from) {
    // Judged once: a removal that is cut off must not look like a change of somebody's. It goes with its stage.
    renameSync(aside, `${aside}-judged`);
    return [];
  }
  return [keptAside(target, () => setAside(target, aside))];
}

/** Moves what is not ours to remove beside the folder of skills, under a free name. */
function setAside(target: string, from = target): string {
  const parent = join(dirname(dirname(target)), ".skillet-kept");
  makeFolders(parent);
  for (let number = 1; ; number++) {
    const path = join(parent, `${basename(target)}-${number}`);
    if (stands(path)) continue;
    renameSync(from, path);
    return path;
  }
}

function keptAside(target: string, move: () => string): Diagnostic {
  const kept = move();
  const message = `${toPortable(target)} had changed meanwhile; what was there is in ${toPortable(kept)}.`;
  return makeDiagnostic("install/kept-aside", { path: toPortable(kept), message });
}

function unlink(step: UnlinkStep): void {
  const target = toNative(step.target);
  if (leadsTo(step.target, step.store)) unlinkSync(target);
}

/** True when a link stands at `path` and leads to the stored skill, also when that is gone by now. */
export function leadsTo(path: string, store: string): boolean {
  const native = toNative(path);
  if (lstatSync(native, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return false;
  const wanted = realOrSelf(toNative(store));
  try {
    return realpathSync(native) === wanted;
  } catch {
    return join(realOrSelf(dirname(native)), readlinkSync(native)) === wanted;
  }
}

/** The path with the links of its parents resolved; the last part may be missing. */
function realOrSelf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realOrSelf(parent), basename(path));
  }
}

function stands(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** A folder of skills that is empty now goes, and `.agents` or `.codex` around it; anything in them keeps them. */
function removeIfEmpty(folder: string): void {
  const around = basename(dirname(folder)).startsWith(".") ? [dirname(folder)] : [];
  for (const one of [folder, ...around]) {
    try {
      rmdirSync(one);
    } catch {
      return;
    }
  }
}
