import { SkilletError } from "../core/error.ts";
import type { VisibleSkill } from "../core/profile.ts";
import type { Skills } from "../host/skills.ts";
import type { Context } from "./command.ts";
import { nameMeant, shadowedAt } from "./name-meant.ts";
import { displayPath } from "./output/display-path.ts";
import { safeLine } from "./output/safe-text.ts";
import { shellWord, skilletLine } from "./output/shell-words.ts";

/**
 * The skill that a name, an alias, `/name` or a path (a skill's folder or its SKILL.md) means, also spelt loosely (said
 * on stderr). Throws `not-found` with what is near, or with what makes its file unreadable, when there is none, or more
 * than one.
 */
export function findSkill(context: Context, skills: Skills, operand: string): VisibleSkill {
  const name = nameMeant(skills, operand);
  const found = skills.find(name);
  if (found.kind !== "found") throw notFound(context, skills, name);
  const { skill } = found.entry;
  if (shadowedAt(skills, operand) !== undefined)
    context.note(`That copy is shadowed; this is ${displayPath(skill.location, skills.environment)}.`, "dim");
  else if (found.loose) context.note(`Taken as "${skill.name}".`, "dim");
  return found.entry;
}

/** The error for a name that fits no skill, or several, or one whose file cannot be read. */
export function notFound(context: Context, skills: Skills, name: string): SkilletError {
  const found = skills.find(name);
  const why = skilletLine(`why ${shellWord(name)}`, context.flags);
  if (found.kind === "ambiguous")
    return new SkilletError("not-found", `"${name}" fits several skills.`, {
      hint: `Name one of them: ${found.names.join(", ")}`,
    });
  const reason = unreadable(skills, name);
  if (reason !== null)
    return new SkilletError("not-found", `"${name}" cannot be read: ${reason}`, {
      hint: `More: ${why}, ${skilletLine("check", context.flags)}`,
    });
  const near = found.kind === "absent" ? found.nearest : [];
  const meant = near.length === 0 ? "" : `Did you mean ${near.join(", ")}? `;
  return new SkilletError("not-found", `There is no skill "${name}" here.`, {
    hint: `${meant}Where was looked: ${why}`,
  });
}

/** Why the file that a name stands for is no skill, and where: `REASON (FILE:LINE)`. Null when there is no such file. */
export function unreadable({ skipped, diagnostics, environment }: Skills, name: string): string | null {
  const path = skipped.find(({ names, reason }) => names.includes(name) && !reason.startsWith("same-"));
  if (path === undefined) return null;
  const cause = diagnostics.find((one) => one.path === path.path && one.code === path.reason);
  const line = cause?.range === undefined ? "" : `:${cause.range.line}`;
  const message = safeLine(cause?.message ?? path.message).replace(/\.$/, "");
  return `${message} (${displayPath(path.path, environment)}${line})`;
}
