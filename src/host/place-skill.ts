import {
  lstatSync,
  mkdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import type { Diagnostic } from "../core/diagnostic.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import { SkilletError } from "../core/error.ts";
import { copySkillFolder } from "./copy-skill-folder.ts";
import { toNative, toPortable } from "./native-path.ts";

export interface PlaceSkillRequest {
  /** Folder of the stored skill. */
  readonly store: string;
  /** Where an agent looks for it: its skills folder plus the skill's name. */
  readonly target: string;
  /** The lock says that an earlier copy of ours stands at `target`, and the caller knows that nobody edited it. */
  readonly copied?: boolean;
}

export interface PlacedSkill {
  /** "unchanged": it was right already and nothing was written. A "copy" belongs into the lock, so that updates reach it. */
  readonly method: "symlink" | "junction" | "copy" | "unchanged";
  /** One sentence for people. */
  readonly reason: string;
  /** The place itself, links of the agent's folder resolved. */
  readonly path: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** System calls that a test replaces to see what happens when the system refuses them. Paths are the system's own. */
export interface PlaceOperations {
  readonly symlink: (target: string, path: string, type: "dir" | "junction") => void;
  readonly rename: (from: string, to: string) => void;
}

const systemCalls: PlaceOperations = { symlink: symlinkSync, rename: renameSync };

/** The system or the file system has no links, or this user may not make them. */
const refusals = new Set(["EPERM", "EACCES", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"]);
/** Nothing would fit or hold; a copy would not either. */
const hopeless = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);
/** What stands in the way of a rename has to be moved aside first. */
const occupied = new Set(["ENOTDIR", "EISDIR", "ENOTEMPTY", "EEXIST", "EPERM"]);

let placed = 0;

/**
 * Puts a stored skill into an agent's folder: a relative link, else a junction, else a copy (case win-link; pain 25).
 * A link that leads elsewhere is replaced in one step and never written through; a folder or file of the user's is
 * refused. All or nothing (invariant 7): on a failure everything is as before and the system's error is the `cause` of
 * the `SkilletError` "failed". Throws "not-found" when nothing is stored there and "denied" for what is not ours.
 */
export function placeSkill(
  request: PlaceSkillRequest,
  operations: Partial<PlaceOperations> = {},
): PlacedSkill {
  const calls = { ...systemCalls, ...operations };
  const store = storedFolder(resolve(toNative(request.store)));
  const target = resolve(toNative(request.target));
  let made: string | undefined;
  let temporary: string | null = null;
  try {
    made = mkdirSync(dirname(target), { recursive: true });
    // The agent's own folder may be a link; what is written must be judged by where it really ends up.
    const folder = realpathSync(dirname(target));
    const path = join(folder, basename(target));
    const unchanged = (reason: string): PlacedSkill => result({ method: "unchanged", reason, path }, []);
    if (path === store.path || path === store.real)
      return unchanged("The agent reads the stored skill itself.");
    if (path.startsWith(store.real + sep)) throw refused(`${toPortable(path)} lies inside the stored skill.`);
    const standing = lstatSync(path, { throwIfNoEntry: false });
    if (standing !== undefined) {
      if (standing.isSymbolicLink() && realOrNull(path) === store.real)
        return unchanged("The link was right already.");
      guard(path, standing, request.copied === true);
    }
    placed += 1;
    temporary = join(folder, `.${basename(path)}.skillet-${process.pid}-${placed}`);
    const { leftOut, ...how } = make(store.path, temporary, calls);
    settle(temporary, path, calls);
    return result({ ...how, path }, leftOut);
  } catch (error) {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
    if (made !== undefined) removeEmpty(dirname(target), made);
    if (error instanceof SkilletError) throw error;
    throw new SkilletError("failed", `${toPortable(target)} could not be made (${codeOf(error)}).`, {
      hint: "Nothing was changed",
      cause: error,
    });
  }
}

/** Links are made to the stored place as named; its parents are resolved, because a relative link counts from there. */
function storedFolder(store: string): { readonly path: string; readonly real: string } {
  const real = realOrNull(store);
  if (real === null || !lstatSync(real).isDirectory())
    throw new SkilletError("not-found", `There is no stored skill at ${toPortable(store)}.`);
  return { path: join(realpathSync(dirname(store)), basename(store)), real };
}

function guard(path: string, standing: Stats, copied: boolean): void {
  if (standing.isSymbolicLink() || (copied && standing.isDirectory())) return;
  const what = standing.isDirectory() ? "A folder" : "A file";
  throw refused(`${what} that is not ours stands at ${toPortable(path)}; it is left alone.`);
}

function refused(message: string): SkilletError {
  return new SkilletError("denied", message, { hint: "Move it away first, or keep it" });
}

type Made = Pick<PlacedSkill, "method" | "reason"> & { readonly leftOut: readonly string[] };

function make(store: string, path: string, calls: PlaceOperations): Made {
  try {
    calls.symlink(relative(dirname(path), store), path, "dir");
    return { method: "symlink", reason: "The system makes links.", leftOut: [] };
  } catch (error) {
    const refusal = codeOf(error);
    if (!refusals.has(refusal)) throw error;
    try {
      calls.symlink(store, path, "junction");
      return { method: "junction", reason: `The system refuses links (${refusal}).`, leftOut: [] };
    } catch (second) {
      const reason = `The system refuses links (${refusal}) and junctions (${codeOf(second)}).`;
      if (hopeless.has(codeOf(second))) throw second;
      return { method: "copy", reason, leftOut: copySkillFolder(store, path) };
    }
  }
}

/** Renames over what stands there; where the system can't, the old one waits aside until the new one is in place. */
function settle(temporary: string, path: string, calls: PlaceOperations): void {
  try {
    calls.rename(temporary, path);
    return;
  } catch (error) {
    if (!occupied.has(codeOf(error)) || lstatSync(path, { throwIfNoEntry: false }) === undefined) throw error;
  }
  const aside = `${temporary}-old`;
  calls.rename(path, aside);
  try {
    calls.rename(temporary, path);
  } catch (error) {
    calls.rename(aside, path);
    throw error;
  }
  rmSync(aside, { recursive: true, force: true });
}

function result(
  how: Pick<PlacedSkill, "method" | "reason" | "path">,
  leftOut: readonly string[],
): PlacedSkill {
  const path = toPortable(how.path);
  const done = how.method === "unchanged" ? "Nothing was written" : `Placed as a ${how.method}`;
  const diagnostics = [makeDiagnostic("place/method", { path, message: `${done}: ${how.reason}` })];
  if (leftOut.length > 0)
    diagnostics.push(
      makeDiagnostic("place/left-out", {
        path,
        message: `Not copied: ${leftOut.map(toPortable).slice(0, 10).join(", ")}${leftOut.length > 10 ? " and more" : ""}.`,
      }),
    );
  return { method: how.method, reason: how.reason, path, diagnostics };
}

function realOrNull(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Takes back folders that were made on the way, from the innermost out to `first`. */
function removeEmpty(innermost: string, first: string): void {
  for (let folder = innermost; folder.startsWith(first); folder = dirname(folder)) {
    try {
      rmdirSync(folder);
    } catch {
      return;
    }
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "unknown";
}
