import { type Diagnostic, noDiagnostics } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import type { Root } from "../discovery/root.ts";
import { basename, dirname } from "../path.ts";
import type { Preparation, Profile } from "../profile.ts";
import type { Skill, SkippedPath } from "../snapshot.ts";
import { weakRoot } from "./embedded-skill.ts";

/**
 * A file that could not be read would have replaced a skill of its folder's name: say which copy stays (case
 * iso-one-bad). Whether it would have is asked of the profile's own contest.
 */
export function brokenOverrides(
  skipped: readonly SkippedPath[],
  winners: readonly Skill[],
  { profile, preparation }: { readonly profile: Profile; readonly preparation: Preparation },
): readonly Diagnostic[] {
  if (skipped.length === 0) return noDiagnostics;
  const order = new Map(preparation.roots.map((root, index) => [root.id, index]));
  order.set(weakRoot.id, preparation.roots.length);
  const outranks = (path: string, root: Root, stays: Skill): boolean => {
    const broken: Skill = { ...stays, root, location: path, digest: "", embedded: null };
    const [own, other] = [order.get(root.id) ?? -1, order.get(stays.root.id) ?? -1];
    const first = own === other ? path < stays.location : own < other;
    return profile.contest(first ? [broken, stays] : [stays, broken]).winner === broken;
  };
  const byName = new Map<string, Skill>();
  for (const skill of winners) {
    if (skill.directory !== null) byName.set(basename(skill.directory), skill);
  }
  for (const skill of winners) byName.set(skill.name, skill);
  const found: Diagnostic[] = [];
  for (const path of skipped) {
    if (path.reason === "same-file" || path.root === null) continue;
    const name = path.names.find((known) => byName.has(known));
    const stays = name === undefined ? undefined : byName.get(name);
    if (stays === undefined || leadsTo(path, stays) || !outranks(path.path, path.root, stays)) continue;
    found.push(
      makeDiagnostic("precedence/broken-override", {
        path: path.path,
        message: `This copy of "${stays.name}" cannot be used (${path.message}) The copy at ${stays.location} stays in effect.`,
        hint: "Mend this file, or remove it",
      }),
    );
  }
  return found;
}

/** A link to the very copy that stays would have replaced nothing. */
function leadsTo({ target }: SkippedPath, { location, realPath }: Skill): boolean {
  return (
    target !== undefined && [location, realPath].some((file) => target === file || target === dirname(file))
  );
}
