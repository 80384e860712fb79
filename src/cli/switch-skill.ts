import { SkilletError } from "../core/error.ts";
import { resolve } from "../core/path.ts";
import { dataFolder } from "../core/places.ts";
import type { Profile, VisibleSkill } from "../core/profile.ts";
import type { ShadowedSkill, Skill } from "../core/snapshot.ts";
import { type StateEntry, withSwitch } from "../core/visibility/stored-state.ts";
import type { Skills } from "../host/skills.ts";
import type { Context } from "./command.ts";
import { findSkill } from "./find-skill.ts";
import { shadowedAt } from "./name-meant.ts";
import { displayPath } from "./output/display-path.ts";
import { safeLine } from "./output/safe-text.ts";
import { shellWord, skilletLine } from "./output/shell-words.ts";
import { noteSettings } from "./views/notes.ts";

/**
 * Stores that a skill is on or off, for the profile at hand. It is named by its location, or by a name that means
 * exactly one skill; what is kept is the location, so that another copy of the name is not touched (feature X15).
 */
export async function switchSkill(context: Context, to: "enabled" | "disabled"): Promise<number> {
  const skills = await context.skills();
  if (!skills.profile.visibility.state)
    throw new SkilletError(
      "usage",
      `${skills.profile.title} keeps no such decision, so it would change nothing.`,
      {
        hint: "Without --as, the decision is Skillet's own.",
      },
    );
  const entry = named(context, skills, context.operands[0] ?? "");
  const { skill } = entry;
  const before = entry.enabled ? "enabled" : "disabled";
  if (before !== to) await store(skills, stateEntry(entry, skills.profile), to);
  skills.reload();
  const after = skills.entries.find(
    ({ skill: { location, name } }) => location === skill.location && name === skill.name,
  );
  const enabled = after?.enabled ?? to === "enabled";
  if (context.json) {
    context.printJson({
      version: 1,
      profile: skills.snapshot.profile,
      name: skill.name,
      location: skill.location,
      enabled,
      changed: before !== to,
    });
    return 0;
  }
  const { paint } = context;
  const word = to === "enabled" ? "on" : "off";
  const already = before === to ? " already" : "";
  const back = skilletLine(
    `${to === "enabled" ? "disable" : "enable"} ${shellWord(skill.name)}`,
    context.flags,
  );
  context.print(
    `${paint.green(paint.symbols.yes)} ${paint.bold(safeLine(skill.name))} is${already} ${word}  ${paint.dim(displayPath(skill.location, skills.environment))}`,
  );
  if (to === "enabled" && after !== undefined && !after.modelInvocable)
    context.note(
      `A model does not see it yet: ${skilletLine(`why ${shellWord(skill.name)}`, context.flags)}`,
    );
  else context.note(`Back: ${back}`, "dim");
  noteSettings(context, skills);
  return 0;
}

function named(context: Context, skills: Skills, name: string): VisibleSkill {
  const place = resolve(skills.environment.cwd, name.replaceAll("\\", "/"));
  const byPlace = skills.entries.find(({ skill }) => skill.location === place || skill.directory === place);
  // A name stands above a folder of the same name in the working folder.
  const isPath = /[/\\]/.test(name);
  if (isPath && byPlace !== undefined) return byPlace;
  const shadowed = shadowedAt(skills, name);
  if (shadowed !== undefined) throw notInUse(context, skills, shadowed);
  const entry = findSkill(context, skills, name);
  if (skills.profile.switchByName === "only-copy") refuseCopies(skills, entry.skill);
  return entry;
}

/** A path means that copy and no other: the one in use stays as it is (feature X15). */
function notInUse(context: Context, skills: Skills, { skill, winner }: ShadowedSkill): SkilletError {
  const why = skilletLine(`why ${shellWord(skill.name)}`, context.flags);
  return new SkilletError("failed", "That copy is not in use, so there is nothing to switch.", {
    hint: `In use is ${displayPath(winner.location, skills.environment)}; name that one. How it was decided: ${why}`,
  });
}

/** The mirrored agent does not know which copy is meant. */
function refuseCopies(skills: Skills, skill: Skill): void {
  const copies = skills.shadowed.filter((shadowed) => shadowed.skill.name === skill.name);
  if (copies.length === 0) return;
  throw new SkilletError("not-found", `"${safeLine(skill.name)}" has ${copies.length + 1} copies.`, {
    hint: `Name the one in use by its path: ${displayPath(skill.location, skills.environment)}`,
  });
}

/** Skills that exist only in memory share one location, so they are known by name. */
function stateEntry({ skill }: VisibleSkill, { stateBy }: Profile): StateEntry {
  if (skill.directory === null) return { name: skill.name };
  return { location: stateBy === "real-path" ? skill.realPath : skill.location };
}

async function store(skills: Skills, entry: StateEntry, to: "enabled" | "disabled"): Promise<void> {
  const { updateState } = await import("../host/state.ts");
  updateState(dataFolder(skills.environment), (state) => withSwitch(state, skills.profile.id, { entry, to }));
}
