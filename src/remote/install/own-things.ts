import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { printable } from "../../core/text/printable.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import type { DiskSkill } from "./disk-skill.ts";

/**
 * What a user keeps in an installed folder and no digest sees: `.git`, folders with nothing in them. A folder that holds
 * such a thing is neither replaced nor removed. Empty folders that are only left of the skill's own files don't count.
 */
export function ownThings(disk: DiskSkill, locked: LockedSkill | null): readonly string[] {
  if (disk.kind !== "folder") return [];
  const known = [...(locked?.files.keys() ?? [])];
  const isLeft = (folder: string): boolean => known.some((path) => path.startsWith(`${folder}/`));
  return [...disk.unlisted, ...disk.empty.filter((folder) => !isLeft(folder)).map((folder) => `${folder}/`)];
}

/** Says why a folder stays. */
export function keptFor(path: string, things: readonly string[]): Diagnostic {
  const shown = things
    .slice(0, 3)
    .map((thing) => printable(thing).slice(0, 200))
    .join(", ");
  const more = things.length > 3 ? ` and ${things.length - 3} more` : "";
  const message = `It holds ${shown}${more}, which is no part of the skill, so it stays as it is.`;
  const hint = `Move that out of ${printable(path)}, then run it again`;
  return makeDiagnostic("install/own-files", { path, message, hint });
}
