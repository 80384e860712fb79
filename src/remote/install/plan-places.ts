import { lstatSync } from "node:fs";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { join } from "../../core/path.ts";
import { toNative } from "../../host/native-path.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import { diskSkill } from "./disk-skill.ts";
import type { InstallScope } from "./install-scope.ts";
import { keptFor, ownThings } from "./own-things.ts";
import { leadsTo } from "./perform.ts";
import type { Changes } from "./transact.ts";

export interface PlanPlacesRequest {
  readonly scope: InstallScope;
  readonly name: string;
  readonly locked: LockedSkill;
  /** Agents that were asked for now; something foreign in their folders is an error, elsewhere a warning. */
  readonly asked: readonly string[];
  readonly method: "link" | "copy";
  /** What the stored folder holds afterwards. */
  readonly content: readonly SkillFile[];
  /** Digests that a copy of ours may have now. */
  readonly known: readonly (string | null)[];
}

export interface PlannedPlaces {
  readonly locked: LockedSkill;
  readonly folders: Changes["folders"];
  readonly links: Changes["links"];
  readonly findings: readonly Diagnostic[];
  /** Something foreign stands where an agent that was asked for would get the skill, or in a copy that has to change. */
  readonly blocked: boolean;
  /** Agents of the lock whose place is empty now. */
  readonly missing: readonly string[];
}

/** What the folders of agents need: links to the store, or copies with the store's content. */
export function planPlaces(request: PlanPlacesRequest): PlannedPlaces {
  const { scope, name, locked, asked } = request;
  const store = join(scope.store, name);
  const wanted = treeDigest(request.content);
  const folders: Changes["folders"][number][] = [];
  const links: Changes["links"][number][] = [];
  const findings: Diagnostic[] = [];
  const [agents, copies, missing]: [string[], string[], string[]] = [[], [], []];
  let blocked = false;
  for (const agent of locked.agents) {
    const folder = scope.agentFolder(agent);
    if (folder === null) continue;
    agents.push(agent);
    const target = join(folder, name);
    if (leadsTo(target, store)) continue;
    const asCopy = locked.copies.includes(agent) || (asked.includes(agent) && request.method === "copy");
    const stats = lstatSync(toNative(target), { throwIfNoEntry: false });
    if (stats === undefined) {
      missing.push(agent);
      if (asCopy) {
        copies.push(agent);
        folders.push({ target, files: request.content, from: null });
      } else links.push({ target, store });
      continue;
    }
    const disk = diskSkill(target);
    if (
      disk.kind === "folder" &&
      (disk.digest === wanted || (asCopy && request.known.includes(disk.digest)))
    ) {
      copies.push(agent);
      const own = disk.digest === wanted ? [] : ownThings(disk, locked);
      if (own.length > 0) {
        blocked = true;
        findings.push(keptFor(target, own));
      } else if (disk.digest !== wanted) folders.push({ target, files: request.content, from: disk.digest });
      continue;
    }
    if (locked.copies.includes(agent)) copies.push(agent);
    const isAsked = asked.includes(agent);
    blocked ||= isAsked;
    const code = isAsked ? "install/in-the-way" : "install/not-ours";
    const message = `${target} is not the link or copy that Skillet made; it stays.`;
    findings.push(makeDiagnostic(code, { path: target, message }));
  }
  return { locked: { ...locked, agents, copies: copies.sort() }, folders, links, findings, blocked, missing };
}
