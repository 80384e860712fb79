import { type Dirent, lstatSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import type { Environment } from "../core/environment.ts";
import { join } from "../core/path.ts";
import { configFolder, dataFolder, ownedInData } from "../core/places.ts";
import { fileError, systemCode } from "./file-error.ts";
import { toNative } from "./native-path.ts";

export interface ResetOptions {
  /** Also the user's own settings file, which a person may have written. Default false. */
  readonly config?: boolean;
}

export interface ResetItem {
  readonly path: string;
  readonly what: "state" | "cache" | "data" | "config";
  /** Files and links below it, itself included when it is one. */
  readonly files: number;
  readonly bytes: number;
}

export interface ResetPlan {
  readonly remove: readonly ResetItem[];
  /** What lies in Skillet's folders and is left, with the reason. */
  readonly keep: readonly { readonly path: string; readonly reason: string }[];
}

/**
 * What `skillet reset` would remove: everything that Skillet wrote outside projects. Only names that Skillet itself
 * uses are listed, because `--data` may be any folder with other things in it; a link in their place is kept.
 */
export function resetPlan(environment: Environment, options: ResetOptions = {}): ResetPlan {
  const data = dataFolder(environment);
  const remove: ResetItem[] = [];
  const keep: { path: string; reason: string }[] = [];
  for (const name of namesIn(data)) {
    const path = join(data, name);
    if (!ownedInData.includes(name)) keep.push({ path, reason: "Skillet did not make it." });
    else if (isLink(path)) keep.push({ path, reason: "It is a link." });
    else remove.push({ path, what: name === "state" || name === "cache" ? name : "data", ...sizeOf(path) });
  }
  for (const name of ["skillet.jsonc", "skillet.json"]) {
    const path = join(configFolder(environment), name);
    if (lstatSync(toNative(path), { throwIfNoEntry: false }) === undefined) continue;
    if (options.config === true) remove.push({ path, what: "config", ...sizeOf(path) });
    else keep.push({ path, reason: "It holds your own settings." });
  }
  return { remove, keep };
}

/**
 * Removes what the plan lists, never through a link, and the data and settings folders when they are empty then.
 * Throws `SkilletError` for the first thing that cannot be removed; running it again goes on from there.
 */
export function reset(environment: Environment, options: ResetOptions = {}): ResetPlan {
  const plan = resetPlan(environment, options);
  for (const { path } of plan.remove) {
    try {
      rmSync(toNative(path), { recursive: true, force: true, maxRetries: 3 });
    } catch (error) {
      throw fileError(error, { action: "remove Skillet's files", path });
    }
  }
  for (const folder of [dataFolder(environment), configFolder(environment)]) removeIfEmpty(folder);
  return plan;
}

function removeIfEmpty(folder: string): void {
  if (isLink(folder)) return;
  try {
    rmdirSync(toNative(folder));
  } catch {
    // It holds something, or was never there.
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(toNative(folder)).sort();
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error))) return [];
    throw fileError(error, { action: "look into Skillet's data folder", path: folder });
  }
}

function isLink(path: string): boolean {
  return lstatSync(toNative(path), { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function sizeOf(path: string): { readonly files: number; readonly bytes: number } {
  const native = toNative(path);
  const stats = lstatSync(native, { throwIfNoEntry: false });
  if (stats === undefined) return { files: 0, bytes: 0 };
  if (!stats.isDirectory()) return { files: 1, bytes: stats.size };
  let files = 0;
  let bytes = 0;
  // Not Node's recursive listing: that one follows links.
  for (const folders = [native]; folders.length > 0; ) {
    const folder = folders.pop() ?? "";
    for (const entry of entriesOf(folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) folders.push(path);
      else {
        files++;
        bytes += lstatSync(path, { throwIfNoEntry: false })?.size ?? 0;
      }
    }
  }
  return { files, bytes };
}

function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // What cannot be looked into is not counted; removing it says why.
    return [];
  }
}
