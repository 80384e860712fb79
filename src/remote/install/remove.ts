import { lstatSync } from "node:fs";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { join } from "../../core/path.ts";
import { printable } from "../../core/text/printable.ts";
import { toNative } from "../../host/native-path.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import { differences, diskSkill } from "./disk-skill.ts";
import type { InstallScope } from "./install-scope.ts";
import { loadLock } from "./load-lock.ts";
import type { SkillChange } from "./operation.ts";
import { keptFor, ownThings } from "./own-things.ts";
import { leadsTo } from "./perform.ts";
import type { Plan } from "./plan.ts";
import { described } from "./plan-skill.ts";
import { chosenSkills } from "./update.ts";

export interface RemoveRequest {
  readonly scope: InstallScope;
  readonly names: readonly string[];
  /** Only from the folders of these agents; null = everywhere. */
  readonly agents: readonly string[] | null;
  /** Also what was edited by hand. */
  readonly edited: boolean;
}

/**
 * Plans the removal of installed skills: links and copies of ours, the stored folder, the lock's entry. What somebody
 * put in their place stays and is named; what was edited stays unless `edited` (case r-remove). Writes nothing.
 */
export function planRemove(request: RemoveRequest): Plan {
  const { scope, agents } = request;
  const before = loadLock(scope);
  const skills = new Map(before.data.skills);
  const changes: SkillChange[] = [];
  const folders: Plan["work"]["folders"][number][] = [];
  const unlinks: Plan["work"]["unlinks"][number][] = [];
  for (const [name, locked] of chosenSkills(before.data.skills, request.names, scope)) {
    const everywhere = agents === null;
    const from = everywhere ? locked.agents : locked.agents.filter((agent) => agents.includes(agent));
    const store = join(scope.store, name);
    const disk = diskSkill(store);
    const change = {
      ...{ name, from: described(locked), to: store, agents: from, previous: locked.digest },
      digest: everywhere ? null : locked.digest,
      files: disk.kind === "folder" && everywhere ? disk.files.map(removedFile) : [],
    };
    // Also edits that the lock knows are somebody's work.
    if (!everywhere && from.length === 0) {
      const findings = [notThere(name, agents, scope)];
      changes.push({ ...change, action: "unchanged", agents: locked.agents, findings });
      continue;
    }
    const edits = disk.kind === "folder" ? differences(disk.files, { ...locked, edits: new Map() }) : [];
    const shown = edits
      .slice(0, 5)
      .map(({ path }) => path)
      .join(", ");
    if (everywhere && edits.length > 0 && !request.edited) {
      const message = `It was changed by hand (${shown}), so it stays.`;
      const hint = "Use --yes to remove it with your changes";
      const finding = makeDiagnostic("install/edited", { path: store, message, hint });
      changes.push({ ...change, action: "conflict", files: [], findings: [finding] });
      continue;
    }
    const places = removedPlaces({ scope, name, locked, from, edited: request.edited });
    const own = everywhere ? ownThings(disk, locked) : [];
    const kept = own.length > 0 ? [keptFor(store, own), ...places.kept] : places.kept;
    if (kept.length > 0) {
      changes.push({ ...change, action: "conflict", files: [], findings: kept });
      continue;
    }
    unlinks.push(...places.unlinks);
    folders.push(...places.folders);
    const findings = [...places.findings];
    if (everywhere && edits.length > 0) {
      const message = `It was changed by hand (${shown}); your changes go with it.`;
      const hint = "To keep them, copy the folder first; --dry-run shows this beforehand";
      findings.push(makeDiagnostic("install/edited", { path: store, message, hint }));
    }
    if (everywhere) {
      skills.delete(name);
      if (disk.kind === "folder") folders.push({ target: store, files: null, from: disk.digest });
      if (disk.kind === "other") findings.push(notOurs(store));
    } else {
      const left = locked.agents.filter((agent) => !from.includes(agent));
      skills.set(name, {
        ...locked,
        agents: left,
        copies: locked.copies.filter((agent) => left.includes(agent)),
      });
    }
    changes.push({ ...change, action: "removed", findings });
  }
  const after = { ...before.data, skills };
  return {
    ...{ scope, before, after, changes, diagnostics: before.diagnostics, trees: new Map() },
    work: { folders, unlinks, links: [] },
  };
}

function removedPlaces(request: {
  readonly scope: InstallScope;
  readonly name: string;
  readonly locked: LockedSkill;
  readonly from: readonly string[];
  readonly edited: boolean;
}): {
  readonly unlinks: Plan["work"]["unlinks"];
  readonly folders: Plan["work"]["folders"];
  readonly findings: readonly Diagnostic[];
  /** Copies that hold something of the user's. */
  readonly kept: readonly Diagnostic[];
} {
  const { scope, name, locked } = request;
  const store = join(scope.store, name);
  const unlinks: Plan["work"]["unlinks"][number][] = [];
  const folders: Plan["work"]["folders"][number][] = [];
  const [findings, kept]: [Diagnostic[], Diagnostic[]] = [[], []];
  for (const agent of request.from) {
    const folder = scope.agentFolder(agent);
    if (folder === null) continue;
    const target = join(folder, name);
    if (lstatSync(toNative(target), { throwIfNoEntry: false }) === undefined) continue;
    if (leadsTo(target, store)) {
      unlinks.push({ target, store });
      continue;
    }
    const disk = diskSkill(target);
    const isOurs =
      disk.kind === "folder" &&
      locked.digest !== null &&
      (disk.digest === locked.digest || (locked.copies.includes(agent) && request.edited));
    const own = isOurs ? ownThings(disk, locked) : [];
    if (own.length > 0) kept.push(keptFor(target, own));
    else if (isOurs) folders.push({ target, files: null, from: disk.digest });
    else findings.push(notOurs(target));
  }
  return { unlinks, folders, findings, kept };
}

function notThere(name: string, agents: readonly string[], scope: InstallScope): Diagnostic {
  const message = `"${name}" is not in a folder of ${agents.map((agent) => printable(agent)).join(" or ")}.`;
  return makeDiagnostic("install/place-missing", {
    path: scope.lockPath,
    message,
    hint: `Remove it everywhere: skillet remove ${name}`,
  });
}

function notOurs(path: string): Diagnostic {
  const message = `${path} is not the link or copy that Skillet made; it stays.`;
  return makeDiagnostic("install/not-ours", { path, message });
}

function removedFile({
  path,
  bytes,
  executable,
}: {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}) {
  return { path, action: "removed" as const, bytes: bytes.length, executable, diff: [] };
}
