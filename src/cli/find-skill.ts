import { SkilletError } from "../core/error.ts";
import type { VisibleSkill } from "../core/profile.ts";
import type { Skills } from "../host/skills.ts";
import type { Context } from "./command.ts";
import { shellWord, skilletLine } from "./output/shell-words.ts";

/**
 * The skill that a name, an alias or the path of a SKILL.md means, also spelt loosely (said on stderr). Throws
 * `not-found` with what is near when there is none, or more than one.
 */
export function findSkill(context: Context, skills: Skills, name: string): VisibleSkill {
  const found = skills.find(name);
  if (found.kind === "found") {
    if (found.loose) context.note(`Taken as "${found.entry.skill.name}".`, "dim");
    return found.entry;
  }
  throw notFound(context, name, found.kind === "ambiguous" ? found.names : found.nearest, found.kind);
}

/** The error for a name that fits no skill, or several. */
export function notFound(
  context: Context,
  name: string,
  near: readonly string[],
  kind: "ambiguous" | "absent" = "absent",
): SkilletError {
  const why = skilletLine(`why ${shellWord(name)}`, context.flags);
  if (kind === "ambiguous")
    return new SkilletError("not-found", `"${name}" fits several skills.`, {
      hint: `Name one of them: ${near.join(", ")}`,
    });
  const meant = near.length === 0 ? "" : `Did you mean ${near.join(", ")}? `;
  return new SkilletError("not-found", `There is no skill "${name}" here.`, {
    hint: `${meant}Where was looked: ${why}`,
  });
}
