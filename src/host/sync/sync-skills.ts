import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { findRepository } from "../../core/discovery/repository.ts";
import { SkilletError } from "../../core/error.ts";
import { join as joinPath } from "../../core/path.ts";
import { stateFolder } from "../../core/places.ts";
import {
  type AgentFolder,
  agentFolder,
  agentsWithFolders,
  workspaceLevels,
} from "../../core/profiles/index.ts";
import { closestNames } from "../../core/text/closest-names.ts";
import { toNative, toPortable } from "../native-path.ts";
import { createFileSystem } from "../node-file-system.ts";
import { ensureOwnFolder } from "../own-folder.ts";
import type { Skills } from "../skills.ts";
import { manifestName } from "./manifest.ts";
import { leadsOut, realOfExisting, type SyncSource, syncSources } from "./sources.ts";
import { type SyncChange, syncFolder } from "./sync-folder.ts";

export interface SyncOptions {
  /** Agents by id; empty = every agent whose folder was synced before. */
  readonly to: readonly string[];
  /** The user's own folders instead of this project's. */
  readonly user: boolean;
  /** Takes back what was put there. */
  readonly undo?: boolean;
  readonly dryRun?: boolean;
  /** Left out: as it was done there before, else links. */
  readonly method?: "link" | "copy";
}

export interface SyncedFolder extends AgentFolder {
  readonly changes: readonly SyncChange[];
}

export interface SyncResult {
  /** Whose folders these are: of a project, or of the user. */
  readonly scope: "workspace" | "user";
  /** One a folder; an agent that reads the same real folder as one before it has no changes. */
  readonly folders: readonly SyncedFolder[];
  /** What of the set was not put anywhere or left alone, and why. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Writes or links the skills that this profile offers into the folders that other agents read, or takes them back
 * (docs/sync.md). Throws `SkilletError` "usage" for an agent that is not known or when none is named or was synced
 * before, and as `syncFolder` does.
 */
export function syncSkills(skills: Skills, options: SyncOptions): SyncResult {
  const { environment } = skills;
  const levels = options.user
    ? []
    : workspaceLevels(environment, findRepository(createFileSystem(), environment.cwd));
  const level = levels.at(-1) ?? null;
  const scope = level === null ? "user" : "workspace";
  const targets = options.to.length > 0 ? named(options.to, skills, level) : syncedBefore(skills, level);
  const dryRun = options.dryRun === true;
  const undo = options.undo === true;
  const state = stateFolder(environment);
  if (!dryRun) ensureOwnFolder(state, "store the state");
  const set = undo
    ? { sources: new Map<string, SyncSource>(), leftOut: [] }
    : syncSources(skills, { workspace: scope === "workspace" });
  // All folders are looked at before the first is changed: one that takes nothing must not leave the others half done.
  if (!dryRun && targets.length > 1)
    for (const { path } of targets)
      if (level === null || !leadsOut(toNative(path), toNative(level)))
        syncFolder({
          folder: path,
          sources: set.sources,
          method: options.method ?? null,
          dryRun: true,
          undo,
          state,
        });
  const done = new Set<string>();
  const refused: Diagnostic[] = [];
  const folders = targets.map((target): SyncedFolder => {
    // A project's skills stay in the project, whatever links it ships.
    if (level !== null && leadsOut(toNative(target.path), toNative(level))) {
      refused.push(outside(target));
      return { ...target, changes: [...set.sources.values()].map((source) => notPut(source, target)) };
    }
    const real = realOfExisting(toNative(target.path));
    if (done.has(real)) return { ...target, changes: [] };
    done.add(real);
    const { sources } = set;
    const changes = syncFolder({
      folder: target.path,
      sources,
      method: options.method ?? null,
      dryRun,
      undo,
      state,
    });
    return { ...target, changes };
  });
  const leftOut = set.leftOut.map(({ name, location, message }) =>
    makeDiagnostic("sync/left-out", {
      path: location,
      message: `"${name}" was not put anywhere: ${message}`,
    }),
  );
  const found = folders.flatMap(({ changes }) => changes.flatMap(finding));
  return { scope, folders, diagnostics: [...refused, ...leftOut, ...found] };
}

function outside({ path }: AgentFolder): Diagnostic {
  const message = `${path} lies outside of this project: a link leads out of it. Nothing was changed there.`;
  return makeDiagnostic("sync/outside", { path, message });
}

function notPut({ name, from }: SyncSource, { path }: AgentFolder): SyncChange {
  return { name, action: "failed", from: toPortable(from), to: joinPath(path, name), message: null };
}

function finding({ name, action, to, message }: SyncChange): readonly Diagnostic[] {
  if (message === null || action === "unchanged") return [];
  const code = action === "kept" ? "sync/kept" : action === "failed" ? "sync/failed" : "place/left-out";
  return [makeDiagnostic(code, { path: to, message: `"${name}": ${message}` })];
}

function named(to: readonly string[], { environment }: Skills, level: string | null): readonly AgentFolder[] {
  return to.map((name) => {
    const folder = agentFolder(name, { environment, level });
    if (folder !== null) return folder;
    const [near] = closestNames(name, agentsWithFolders, 1);
    throw new SkilletError("usage", `There is no agent "${name}" whose folders are known.`, {
      hint: `${near === undefined ? "" : `Did you mean ${near}? `}Known: ${agentsWithFolders.join(", ")}`,
    });
  });
}

function syncedBefore({ environment }: Skills, level: string | null): readonly AgentFolder[] {
  const found = agentsWithFolders
    .flatMap((id) => agentFolder(id, { environment, level }) ?? [])
    .filter(
      ({ path }) => lstatSync(join(toNative(path), manifestName), { throwIfNoEntry: false }) !== undefined,
    );
  if (found.length > 0) return found;
  throw new SkilletError("usage", "No agent is named, and nothing was synced here before.", {
    hint: `skillet sync --to claude; known: ${agentsWithFolders.join(", ")}`,
  });
}
