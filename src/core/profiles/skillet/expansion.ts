import {
  type ExpandRequest,
  type Expansion,
  type MessagePart,
  plainExpansion,
  type SkillUse,
  syntheticPart,
  systemReminder,
  userPart,
} from "../../activation/expand.ts";
import { findMentions, type Mention } from "../../activation/find-mentions.ts";
import { findName } from "../../activation/find-name.ts";
import { inlineText } from "../../catalog/inline-text.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { VisibleSkill } from "../../profile.ts";
import { escapeXml } from "../../text/escape-xml.ts";
import { looseKey } from "../../text/loose-key.ts";
import { attachedSkills } from "./attached-files.ts";
import { loadOutput } from "./load.ts";

/** Skills whose text goes into one message; the rest are named, and loaded when they are needed. */
const injectedAtMost = 3;

/**
 * What a typed message becomes in profile `skillet`: the text as typed, the skills that it names (by name or alias, in
 * any script, never in code, paths or addresses), how to combine several, skills for its files and for files in play.
 * What a message calls in vain is a diagnostic. Features M18–M20 with the fields of our own skills.
 */
export function skilletExpansion(request: ExpandRequest): Expansion {
  const { message } = request;
  const called = callsOf(request);
  if (called.length === 0 && request.attachments.length === 0 && request.touched.length === 0)
    return plainExpansion(message);
  const usable = called.filter(({ entry }) => isUsable(entry));
  const diagnostics = called.flatMap(({ entry }) => (isUsable(entry) ? [] : [notCallable(entry)]));
  const first = usable.slice(0, injectedAtMost);
  const parts: MessagePart[] = [userPart(message)];
  const injected: string[] = [];
  const uses: SkillUse[] = [];
  for (const { entry, mention } of first) {
    const { name } = entry.skill;
    const typed = usable.length === 1 ? argumentsBehind(message, mention) : "";
    const part = bodyPart(request, entry, typed);
    if (part === null) {
      diagnostics.push(unreadable(entry));
      continue;
    }
    parts.push(syntheticPart("mention", part.text));
    uses.push({
      name,
      by: "user",
      arguments: typed,
      given: part.stub ? "note" : "text",
      part: parts.length - 1,
    });
    if (!part.stub) injected.push(name);
  }
  if (usable.length > 1) parts.push(syntheticPart("orchestration", orchestration(usable, first)));
  const files = attachedSkills(
    request.attachments,
    request.entries.filter(({ modelInvocable }) => modelInvocable),
  );
  const named = new Set(usable.map(({ entry }) => entry.skill.name));
  const forFiles = files.filter(({ skill }) => !named.has(skill.name));
  if (forFiles.length > 0) parts.push(syntheticPart("attachment", attachmentReminder(forFiles)));
  for (const { skill } of forFiles)
    uses.push({ name: skill.name, by: "attachment", arguments: "", given: "name", part: parts.length - 1 });
  const tied = request.entries.filter(
    ({ skill, modelInvocable }) => modelInvocable && skill.paths !== null && !named.has(skill.name),
  );
  if (tied.length > 0) parts.push(syntheticPart("reminder", touchedReminder(tied)));
  return {
    visibleText: message,
    parts,
    mentioned: usable.map(({ entry }) => entry.skill.name),
    injected,
    uses,
    diagnostics,
  };
}

interface Call {
  readonly entry: VisibleSkill;
  readonly mention: Mention;
}

/** Skills that the message names, each once, in order of appearance; a reserved command is none of them. */
function callsOf({ message, entries, reserved, literals }: ExpandRequest): readonly Call[] {
  if (!message.includes("/")) return [];
  const taken = new Set(reserved.map(({ name }) => name));
  const known = new Map<string, VisibleSkill | null>();
  const byKey = entriesByKey(entries);
  const entryOf = (written: string): VisibleSkill | null => {
    const before = known.get(written);
    if (before !== undefined) return before;
    const lookup = taken.has(written) ? null : findName(byKey.get(keyOf(written)) ?? [], written);
    const entry = lookup?.kind === "found" ? lookup.entry : null;
    known.set(written, entry);
    return entry;
  };
  const calls = new Map<string, Call>();
  const isName = (written: string): boolean => entryOf(written) !== null;
  for (const mention of findMentions(message, { literals: literals(message), isName })) {
    const entry = entryOf(mention.written);
    if (entry !== null && !calls.has(entry.skill.name)) calls.set(entry.skill.name, { entry, mention });
  }
  return [...calls.values()];
}

/** Skills by every spelling of their names and aliases, so that a text full of slashes costs no search each. */
function entriesByKey(entries: readonly VisibleSkill[]): ReadonlyMap<string, readonly VisibleSkill[]> {
  const found = new Map<string, VisibleSkill[]>();
  for (const entry of entries) {
    const { name, aliases } = entry.skill;
    for (const key of new Set([name, ...aliases].map(keyOf))) {
      const group = found.get(key);
      if (group === undefined) found.set(key, [entry]);
      else group.push(entry);
    }
  }
  return found;
}

function keyOf(name: string): string {
  return looseKey(name) || name;
}

/** What the user types counts as the user's own call, so trust and "for users only" do not stand against it. */
function isUsable({ hidden, permission, userInvocable }: VisibleSkill): boolean {
  return hidden === null && permission !== "deny" && userInvocable;
}

/** What is typed behind a name at the very start; a name in mid-sentence takes no arguments. */
function argumentsBehind(message: string, { start, end }: Mention): string {
  return message.slice(0, start).trim() === "" ? message.slice(end).trim() : "";
}

function bodyPart(
  request: ExpandRequest,
  { skill }: VisibleSkill,
  typed: string,
): { readonly text: string; readonly stub: boolean } | null {
  const { name } = skill;
  const before = request.given.find((one) => one.name === name && one.digest === skill.digest);
  if (before !== undefined && typed === "") {
    const text = `The text of the skill "${escapeXml(name)}" was given earlier in this conversation and has not changed. Follow it for this message too.`;
    return { text: systemReminder(text), stub: true };
  }
  const body = request.body(skill);
  if (body === null) return null;
  const { fileSystem, environment, fileLimit: limit } = request;
  const { output } = loadOutput({ skill, body, arguments: typed, fileSystem, environment, limit });
  return { text: systemReminder(output), stub: false };
}

function orchestration(called: readonly Call[], first: readonly Call[]): string {
  const names = (calls: readonly Call[]) => calls.map(({ entry }) => escapeXml(entry.skill.name)).join(", ");
  const rest = called.slice(first.length);
  return systemReminder(
    [
      `This message calls several skills: ${names(called)}.`,
      ...(rest.length === 0
        ? []
        : [`Not given with it: ${names(rest)}. Load each with the skill tool before you use it.`]),
      "Read all of them before you begin. Then decide, in proportion to the task, whether one works on what another made, whether they do separate parts, or whether one sets rules for the others; where one hands something on, settle what it is and where it lies; where two contradict each other, settle which one counts. Say so in a few lines and carry it out.",
    ].join("\n"),
  );
}

function attachmentReminder(entries: readonly VisibleSkill[]): string {
  return systemReminder(
    [
      "Files came with this message for which there are skills. Load the one that fits before you work on them:",
      ...entries.map(({ skill }) => `- ${escapeXml(skill.name)}: ${escapeXml(skill.location)}`),
    ].join("\n"),
  );
}

function touchedReminder(entries: readonly VisibleSkill[]): string {
  return systemReminder(
    [
      "These skills are meant for files that are in play now. Load one with the skill tool when it fits:",
      ...entries.map(({ skill }) => `- ${escapeXml(skill.name)}: ${inlineText(skill.description ?? "")}`),
    ].join("\n"),
  );
}

function notCallable({ skill, hidden, permission }: VisibleSkill): Diagnostic {
  const why =
    permission === "deny"
      ? "A permission rule denies it."
      : (hidden?.message ?? "It is not for users to call.");
  return makeDiagnostic("expand/not-given", {
    path: skill.location,
    message: `/${skill.name} gives nothing. ${why}`,
  });
}

function unreadable({ skill }: VisibleSkill): Diagnostic {
  return makeDiagnostic("expand/not-given", {
    path: skill.location,
    message: `/${skill.name} gives nothing: its file can no longer be read.`,
  });
}
