import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { SkilletError } from "../../core/error.ts";
import { agentsWithFolders } from "../../core/profiles/index.ts";
import { flushFolder, writeFileAtomic } from "../../host/atomic-write.ts";
import { fileError } from "../../host/file-error.ts";
import { withLock } from "../../host/lock.ts";
import { makeFolders } from "../../host/make-folders.ts";
import { toNative, toPortable } from "../../host/native-path.ts";
import { realOfExisting } from "../../host/sync/sources.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { folderDigest } from "./folder-digest.ts";
import type { InstallScope } from "./install-scope.ts";
import { isStage, type Journal, parseJournal, type Step } from "./journal.ts";
import { perform } from "./perform.ts";

/** What an operation wants: folders written or removed, links made or removed, and the lock afterwards. */
export interface Changes {
  /** `from`: tree digest of what stands there now, null for nothing; `files` null = remove. */
  readonly folders: readonly {
    readonly target: string;
    readonly files: readonly SkillFile[] | null;
    readonly from: string | null;
  }[];
  readonly links: readonly { readonly target: string; readonly store: string }[];
  readonly unlinks: readonly { readonly target: string; readonly store: string }[];
  /** Text; null = no lock any more. */
  readonly lock: string | null;
}

/**
 * Runs `work` while no other process changes this scope, after finishing what an earlier run left half done. The
 * diagnostics tell of that.
 */
export function exclusively<T>(scope: InstallScope, work: (finished: readonly Diagnostic[]) => T): T {
  const path = `${scope.journal}.lock`;
  return withLock(path, { action: "change the installed skills", wait: 20_000, staleAfter: 120_000 }, () =>
    work(recover(scope)),
  );
}

/**
 * Writes everything or nothing: new folders are made completely beside their places, the plan is put on disk, then each
 * step is one rename. A run that is cut off before the plan leaves only rubbish that the next one clears; one that is
 * cut off after it is finished by the next. Call inside of `exclusively`. Throws `SkilletError`.
 */
export function transact(scope: InstallScope, changes: Changes): readonly Diagnostic[] {
  const stages = new Map<string, string>();
  let journal: Journal | null = null;
  try {
    for (const { target, from } of changes.folders) {
      scope.guard(dirname(target));
      if (folderDigest(target) === from) continue;
      throw new SkilletError("failed", `${target} has changed meanwhile.`, {
        hint: "Nothing was changed. Run it again.",
      });
    }
    for (const { target } of [...changes.links, ...changes.unlinks]) scope.guard(dirname(target));
    const steps = changes.folders.map(({ target, files, from }, index): Step => {
      const stage = stageFor(target, stages);
      const staged = files === null ? null : join(stage, `new-${index}`);
      if (staged !== null) writeTree(staged, files ?? []);
      return {
        do: "swap",
        target,
        staged: staged === null ? null : toPortable(staged),
        aside: toPortable(join(stage, `old-${index}`)),
        from,
      };
    });
    if (changes.lock !== null) keepRoom(stageFor(join(scope.store, "lock"), stages), changes.lock);
    journal = {
      version: 1,
      lockPath: scope.lockPath,
      lock: changes.lock,
      steps: [
        ...changes.unlinks.map((unlink): Step => ({ do: "unlink", ...unlink })),
        ...steps,
        ...changes.links.map((link): Step => ({ do: "link", ...link })),
      ],
      stages: [...stages.values()].map(toPortable),
    };
    writeFileAtomic(scope.journal, JSON.stringify(journal), {
      action: "note what is begun",
      mode: 0o600,
      folderMode: 0o700,
    });
  } catch (error) {
    for (const stage of stages.values()) {
      rmSync(stage, { recursive: true, force: true });
      removeIfEmpty(dirname(stage));
    }
    throw fileError(error, { action: "write the skills", path: scope.store });
  }
  return finish(scope, journal);
}

/** Takes the room that the lock will need; it is given back just before, so that a full disk is found out in time (row G15). */
function keepRoom(stage: string, lock: string): void {
  writeFileSync(join(stage, "room"), `${lock}${" ".repeat(8192)}`);
}

/** A shared folder that was made for nothing. */
function removeIfEmpty(folder: string): void {
  if (basename(folder) !== ".agents") return;
  try {
    rmdirSync(folder);
  } catch {
    // It holds something.
  }
}

/** What an earlier run left: its plan is carried out, what it only prepared is cleared. */
function recover(scope: InstallScope): readonly Diagnostic[] {
  let text: string | null = null;
  try {
    text = readFileSync(toNative(scope.journal), "utf8");
  } catch {
    // Nothing was begun.
  }
  const journal = text === null ? null : parseJournal(text);
  const mine = journal !== null && journal.lockPath === scope.lockPath ? journal : null;
  const done = mine === null ? [] : finish(scope, mine);
  clearStages(scope);
  if (mine === null) return [];
  const message = "An operation that was cut off was finished.";
  return [makeDiagnostic("install/finished", { path: scope.lockPath, message }), ...done];
}

function finish(scope: InstallScope, journal: Journal): readonly Diagnostic[] {
  try {
    const diagnostics = perform(journal);
    rmSync(toNative(scope.journal), { force: true });
    flushFolder(dirname(toNative(scope.journal)));
    return diagnostics;
  } catch (error) {
    throw fileError(error, {
      action: "finish the installation",
      path: scope.store,
      hint: "The next command goes on where this one stopped.",
    });
  }
}

/** One private folder for each folder of skills, beside it, so that no agent finds half a skill and renames stay on one disk. */
function stageFor(target: string, stages: Map<string, string>): string {
  const parent = dirname(realOfExisting(dirname(toNative(target))));
  const known = stages.get(parent);
  if (known !== undefined) return known;
  makeFolders(parent);
  const stage = join(parent, `.skillet-stage-${randomBytes(6).toString("hex")}`);
  mkdirSync(stage, { mode: 0o700 });
  stages.set(parent, stage);
  return stage;
}

function clearStages(scope: InstallScope): void {
  const folders = [scope.store, ...agentsWithFolders.flatMap((agent) => scope.agentFolder(agent) ?? [])];
  for (const parent of new Set(folders.map((folder) => dirname(realOfExisting(toNative(folder)))))) {
    clearStagesIn(parent);
  }
}

function clearStagesIn(parent: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(parent);
  } catch {
    return;
  }
  for (const name of names) {
    const path = join(parent, name);
    if (!isStage(path) || lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) continue;
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Writes a skill's files into a new folder and has every byte on disk when it returns. */
function writeTree(folder: string, files: readonly SkillFile[]): void {
  mkdirSync(folder);
  const folders = new Set([folder]);
  for (const { path, bytes, executable } of files) {
    const target = join(folder, ...path.split("/"));
    makeFolders(dirname(target));
    for (let at = dirname(target); !folders.has(at); at = dirname(at)) folders.add(at);
    const mode = executable ? 0o755 : 0o644;
    const descriptor = openSync(target, "wx", mode);
    try {
      // A umask like 0777 would make a file that its owner cannot read (row G08).
      const bits = fstatSync(descriptor).mode & 0o777;
      if ((bits & 0o600) !== 0o600) fchmodSync(descriptor, bits | 0o600);
      for (let done = 0; done < bytes.length; )
        done += writeSync(descriptor, bytes, done, bytes.length - done);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }
  for (const one of folders) {
    if ((lstatSync(one).mode & 0o700) !== 0o700) chmodSync(one, 0o700);
    flushFolder(one);
  }
}
