import { realpathSync } from "node:fs";
import { isAbsolute } from "node:path";
import { contains, dirname } from "../../core/path.ts";
import type { VisibleSkill } from "../../core/profile.ts";
import { toNative, toPortable } from "../native-path.ts";

/** Whether a path may be read, and for which skill's sake. */
export type ReadVerdict =
  | {
      readonly allowed: true;
      /** The file itself, links resolved: open this one. */
      readonly path: string;
      /** Name of the skill in whose folder it lies. */
      readonly skill: string;
    }
  | { readonly allowed: false; readonly reason: string };

/** Skills whose files a conversation may read: those that a model may load unasked, and those that were given. */
export function readableSkills(
  entries: readonly VisibleSkill[],
  given: ReadonlySet<string>,
): readonly VisibleSkill[] {
  return entries.filter(
    ({ skill, modelInvocable, permission, hidden }) =>
      hidden === null &&
      permission !== "deny" &&
      ((modelInvocable && permission === "allow") || given.has(skill.name)),
  );
}

/** Folders of these skills, links resolved, with the skill's name; flat files and skills in memory have none. */
export function skillFolders(entries: readonly VisibleSkill[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>();
  for (const { skill } of entries) {
    if (skill.directory === null || skill.flat) continue;
    const real = skill.realPath === skill.location ? skill.directory : realPath(skill.directory);
    if (real !== null && !folders.has(real)) folders.set(real, skill.name);
  }
  return folders;
}

/**
 * Skill folders as an allow-list for reads: an absolute path is let through when what it leads to, links resolved, lies in
 * one of the folders. Dots and links that lead out are refused; so is what does not exist.
 */
export function judgeRead(path: string, folders: ReadonlyMap<string, string>): ReadVerdict {
  if (path.includes("\0") || !isAbsolute(path)) return refused("Name the file by its absolute path.");
  const real = realPath(toPortable(path));
  if (real === null) return refused("There is no such file.");
  for (let folder = real; ; folder = dirname(folder)) {
    const skill = folders.get(folder);
    if (skill !== undefined && contains(folder, real)) return { allowed: true, path: toNative(real), skill };
    if (folder === dirname(folder)) break;
  }
  return refused("It lies in no skill's folder.");
}

function refused(reason: string): ReadVerdict {
  return { allowed: false, reason };
}

function realPath(path: string): string | null {
  try {
    return toPortable(realpathSync.native(toNative(path)));
  } catch {
    return null;
  }
}
