import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { findRepository } from "../../core/discovery/repository.ts";
import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { contains, dirname, join } from "../../core/path.ts";
import { configFolder, stateFolder } from "../../core/places.ts";
import { agentFolder, agentsWithFolders } from "../../core/profiles/index.ts";
import { toNative, toPortable } from "../../host/native-path.ts";
import { createFileSystem } from "../../host/node-file-system.ts";
import { realOfExisting } from "../../host/sync/sources.ts";
import { isSkillName } from "../lock/safe-names.ts";

/** Where one set of installed skills lives: a project, or the user. */
export interface InstallScope {
  readonly name: "workspace" | "user";
  /** The project's top folder, or the home folder. */
  readonly base: string;
  readonly lockPath: string;
  /** The folder that holds the installed skills, each by its name. */
  readonly store: string;
  /** A private file that tells what was begun; beside it lies the lock between processes. */
  readonly journal: string;
  /** The folder that an agent's links and copies go into; null when the agent reads the store itself. */
  agentFolder(agent: string): string | null;
  /** Throws "denied" when writing there would leave the project by a link. */
  guard(folder: string): void;
}

/** `to`: "workspace" (or "project") or "user". */
export function installScope(to: string, environment: Environment): InstallScope {
  if (to === "user") return scopeOf("user", environment.home, environment);
  if (to !== "workspace" && to !== "project") {
    throw new SkilletError("usage", `There is no scope "${to}" to install to.`, {
      hint: "Write --to project or --to user; agents are named with --agents, as in --agents claude.",
    });
  }
  const repository = findRepository(createFileSystem(), environment.cwd);
  const base = repository?.root ?? environment.cwd;
  // The home folder is no project: what lies in it is the user's.
  return scopeOf(base === environment.home ? "user" : "workspace", base, environment);
}

/**
 * The project's scope when it has a lock, else the user's when that has one, else the project's. An operation that was
 * cut off before its first lock counts as one.
 */
export function usualScope(environment: Environment): InstallScope {
  const workspace = installScope("workspace", environment);
  if (isUsed(workspace)) return workspace;
  const user = installScope("user", environment);
  return isUsed(user) ? user : workspace;
}

function isUsed({ lockPath, journal }: InstallScope): boolean {
  return existsSync(toNative(lockPath)) || existsSync(toNative(journal));
}

function scopeOf(name: InstallScope["name"], base: string, environment: Environment): InstallScope {
  const store = join(base, ".agents/skills");
  const lockPath =
    name === "user" ? join(configFolder(environment), "skillet.lock") : join(base, "skillet.lock");
  const key = createHash("sha256")
    .update(toPortable(realOfExisting(toNative(lockPath))))
    .digest("hex")
    .slice(0, 16);
  return {
    name,
    base,
    lockPath,
    store,
    journal: join(stateFolder(environment), `install-${key}.json`),
    agentFolder(agent) {
      const known = agentFolder(agent, { environment, level: name === "user" ? null : base });
      // A lock may speak of agents that this version does not know; they follow the usual pattern.
      const folder = known?.path ?? (isSkillName(agent) ? join(base, `.${agent}`, "skills") : null);
      return folder === store ? null : folder;
    },
    guard(folder) {
      if (name === "user") return;
      const [real, top] = [realOfExisting(toNative(folder)), realOfExisting(toNative(base))].map(toPortable);
      if (real !== undefined && top !== undefined && contains(top, real)) return;
      throw new SkilletError("denied", `${folder} lies outside of this project: a link leads out of it.`, {
        hint: "Nothing was changed. Replace the link by a folder, or use --to user.",
      });
    },
  };
}

/** Agents as the user named them, by the ids that a lock holds. Throws "usage" for unknown ones. */
export function agentIds(
  names: readonly string[],
  scope: InstallScope,
  environment: Environment,
): readonly string[] {
  const level = scope.name === "user" ? null : scope.base;
  const ids = names.map((name) => {
    const id = agentFolder(name, { environment, level })?.id;
    if (id !== undefined) return id;
    const own = isSkillName(name) ? scope.agentFolder(name) : null;
    if (own !== null && existsSync(toNative(dirname(own)))) return name;
    throw new SkilletError("usage", `No folder of an agent "${name.slice(0, 64)}" is known.`, {
      hint: `Known: ${agentsWithFolders.join(", ")}. Another one counts when its folder (.${isSkillName(name) ? name : "NAME"}) exists.`,
    });
  });
  return [...new Set(ids)].filter((id) => scope.agentFolder(id) !== null).sort();
}
