import type { Diagnostic } from "../diagnostic.ts";
import { isEachSame } from "../precedence/same-snapshot.ts";
import type { VisibleSkill } from "../profile.ts";
import type { Skill, Snapshot } from "../snapshot.ts";

/** One state of an open set of skills: what was found, who may see it, what there is to say about it. */
export interface SkillsView {
  readonly snapshot: Snapshot;
  readonly entries: readonly VisibleSkill[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A skill of a name as it was, or is, for each of those who may see it. */
export interface SeenSkill {
  readonly name: string;
  readonly location: string;
  readonly description: string | null;
  readonly digest: string;
  /** A model is told of it and may load it. */
  readonly forModel: boolean;
  /** A user may call it by `/name`. */
  readonly forUser: boolean;
  /** It is in the list. */
  readonly listed: boolean;
}

export interface RemovedSkill extends SeenSkill {
  /** "broken": the file is still there and can't be used; "renamed": it goes by another name now. */
  readonly reason: "gone" | "broken" | "renamed";
  /** One sentence. */
  readonly message: string;
}

/** "text": nothing but the body; "details": other fields of the frontmatter; "visibility": who may see or load it. */
export type ChangedPart = "description" | "text" | "details" | "visibility";

export interface ChangedSkill {
  readonly name: string;
  readonly what: readonly ChangedPart[];
  readonly before: SeenSkill;
  readonly after: SeenSkill;
  /** One sentence; says why where visibility changed. */
  readonly message: string;
}

/** Another copy has the name now. */
export interface WinnerChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly message: string;
}

/** A copy that is behind another one now and was not before. */
export interface NewlyShadowed {
  readonly name: string;
  readonly location: string;
  readonly winner: string;
  /** Code of the contest, e.g. `lower-scope`. */
  readonly reason: string;
  readonly message: string;
}

/** What differs between two states, each list by name in code-unit order (feature X7, row D27 of the field survey). */
export interface SkillsDifference {
  readonly added: readonly SeenSkill[];
  readonly removed: readonly RemovedSkill[];
  /** Same name and place, or same name at another place with other content. */
  readonly changed: readonly ChangedSkill[];
  readonly winnerChanged: readonly WinnerChange[];
  readonly shadowed: readonly NewlyShadowed[];
  readonly diagnosticsAdded: readonly Diagnostic[];
  readonly diagnosticsRemoved: readonly Diagnostic[];
}

/**
 * What a user or a model would notice of the step from one state to the next. Pure; a file that was only touched makes
 * no difference, because content counts by digest (row I06).
 */
export function differenceBetween(before: SkillsView, after: SkillsView): SkillsDifference {
  // Most looks find nothing new, and then nothing has to be looked up by name.
  const same = isEachSame(before.entries, after.entries, isSameEntry);
  const [old, fresh] = same ? [noEntries, noEntries] : [byName(before.entries), byName(after.entries)];
  const added: SeenSkill[] = [];
  const removed: RemovedSkill[] = [];
  const changed: ChangedSkill[] = [];
  const winnerChanged: WinnerChange[] = [];
  const places = new Map(same ? [] : after.snapshot.skills.map((skill) => [skill.location, skill.name]));
  for (const [key, entry] of old) {
    if (!fresh.has(key)) removed.push(removal(entry, after.snapshot, places));
  }
  for (const [key, entry] of fresh) {
    const earlier = old.get(key);
    if (earlier === undefined) {
      added.push(seen(entry));
      continue;
    }
    const what = partsChanged(earlier, entry);
    if (what.length > 0) changed.push(change(earlier, entry, what));
    if (earlier.skill.location !== entry.skill.location)
      winnerChanged.push(winnerChange(earlier.skill, entry.skill, after.snapshot));
  }
  return {
    added: added.sort(byNameOrder),
    removed: removed.sort(byNameOrder),
    changed: changed.sort(byNameOrder),
    winnerChanged: winnerChanged.sort(byNameOrder),
    shadowed: newlyShadowed(before.snapshot, after.snapshot).sort(byNameOrder),
    diagnosticsAdded: missingIn(before.diagnostics, after.diagnostics),
    diagnosticsRemoved: missingIn(after.diagnostics, before.diagnostics),
  };
}

/** Whether nothing differs at all. */
export function isSame(difference: SkillsDifference): boolean {
  return Object.values(difference).every((list: readonly unknown[]) => list.length === 0);
}

const noEntries: ReadonlyMap<string, VisibleSkill> = new Map();

/** The same record of a file that was not read again, seen by the same people. */
function isSameEntry(one: VisibleSkill, other: VisibleSkill): boolean {
  return (
    one.skill === other.skill &&
    one.permission === other.permission &&
    one.enabled === other.enabled &&
    one.trusted === other.trusted &&
    one.modelInvocable === other.modelInvocable &&
    one.userInvocable === other.userInvocable &&
    one.hidden?.reason === other.hidden?.reason
  );
}

/** Systems that list several skills of one name: the later ones count by place too. */
function byName(entries: readonly VisibleSkill[]): ReadonlyMap<string, VisibleSkill> {
  const found = new Map<string, VisibleSkill>();
  for (const entry of entries) {
    const { name, location } = entry.skill;
    found.set(found.has(name) ? `${name}\0${location}` : name, entry);
  }
  return found;
}

function seen({ skill, modelInvocable, userInvocable, hidden }: VisibleSkill): SeenSkill {
  const { name, location, description, digest } = skill;
  return {
    name,
    location,
    description,
    digest,
    forModel: modelInvocable,
    forUser: userInvocable && hidden === null,
    listed: hidden === null,
  };
}

function removal(entry: VisibleSkill, after: Snapshot, places: ReadonlyMap<string, string>): RemovedSkill {
  const { location } = entry.skill;
  const broken = after.skipped.find(({ path }) => path === location);
  if (broken !== undefined)
    return {
      ...seen(entry),
      reason: "broken",
      message: sentence(`Its file can no longer be used: ${broken.message}`),
    };
  const name = places.get(location);
  return name === undefined
    ? { ...seen(entry), reason: "gone", message: "It was removed." }
    : { ...seen(entry), reason: "renamed", message: `Its name is ${name} now.` };
}

/** Messages of readers are sometimes without a full stop. */
function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function partsChanged(before: VisibleSkill, after: VisibleSkill): readonly ChangedPart[] {
  const what: ChangedPart[] = [];
  if (before.skill !== after.skill && before.skill.digest !== after.skill.digest) {
    if (before.skill.description !== after.skill.description) what.push("description");
    if (details(before.skill) !== details(after.skill)) what.push("details");
    if (what.length === 0) what.push("text");
  }
  if (visibility(before) !== visibility(after)) what.push("visibility");
  return what;
}

/** Everything else that the frontmatter says, as text to compare. */
function details(skill: Skill): string {
  return JSON.stringify([
    skill.title,
    skill.license,
    skill.compatibility,
    skill.whenToUse,
    skill.argumentHint,
    skill.argumentNames,
    skill.allowedTools,
    skill.aliases,
    skill.paths,
    skill.requires,
    skill.disableModelInvocation,
    skill.userInvocable,
    skill.displayNames,
    skill.descriptions,
    skill.metadata,
    skill.extra,
  ]);
}

function visibility(entry: VisibleSkill): string {
  const { permission, enabled, trusted, modelInvocable, userInvocable, hidden } = entry;
  return `${permission} ${enabled} ${trusted} ${modelInvocable} ${userInvocable} ${hidden?.reason ?? ""}`;
}

function change(before: VisibleSkill, after: VisibleSkill, what: readonly ChangedPart[]): ChangedSkill {
  const sentences: Readonly<Record<ChangedPart, string>> = {
    description: "Its description changed.",
    text: "Its text changed.",
    details: "Other fields of its frontmatter changed.",
    visibility: visibilitySentence(before, after),
  };
  return {
    name: after.skill.name,
    what,
    before: seen(before),
    after: seen(after),
    message: what.map((part) => sentences[part]).join(" "),
  };
}

function visibilitySentence(before: VisibleSkill, after: VisibleSkill): string {
  const [was, is] = [seen(before), seen(after)];
  const why = after.hidden?.message ?? keptBack(after);
  const reason = why === null ? "" : ` ${why}`;
  if (was.listed !== is.listed)
    return is.listed ? "It is offered again." : `It is no longer offered.${reason}`;
  if (was.forModel !== is.forModel)
    return is.forModel ? "Models are told of it now." : `Models are no longer told of it.${reason}`;
  if (was.forUser !== is.forUser)
    return is.forUser ? "Users may call it now." : "Users can no longer call it.";
  if (before.permission !== after.permission) return `Its permission is "${after.permission}" now.`;
  return `Why it is kept back changed.${reason}`;
}

function keptBack({ decisions }: VisibleSkill): string | null {
  return decisions.find(({ outcome }) => outcome === "hidden")?.message ?? null;
}

function winnerChange(before: Skill, after: Skill, snapshot: Snapshot): WinnerChange {
  const { name, location: to } = after;
  const from = before.location;
  const shadowed = snapshot.shadowed.find(({ skill }) => skill.location === from);
  const message =
    shadowed === undefined
      ? `The copy at ${from} is gone; the one at ${to} takes its place.`
      : `The copy at ${to} takes the place of the one at ${from}. ${shadowed.message}`;
  return { name, from, to, message };
}

/** A copy that lost its place is told of as such; here are the ones that came in behind. */
function newlyShadowed(before: Snapshot, after: Snapshot): NewlyShadowed[] {
  if (after.shadowed.length === 0) return [];
  const known = new Set(before.shadowed.map(({ skill }) => skill.location));
  const winners = new Set(before.skills.map(({ location }) => location));
  return after.shadowed
    .filter(({ skill }) => !known.has(skill.location) && !winners.has(skill.location))
    .map(({ skill, winner, reason, message }) => ({
      name: skill.name,
      location: skill.location,
      winner: winner.location,
      reason,
      message,
    }));
}

function missingIn(known: readonly Diagnostic[], list: readonly Diagnostic[]): readonly Diagnostic[] {
  const keys = new Set(known.map(diagnosticKey));
  return list.filter((diagnostic) => !keys.has(diagnosticKey(diagnostic)));
}

function diagnosticKey({ code, path, message, range }: Diagnostic): string {
  return `${code}\0${path}\0${message}\0${range?.line}:${range?.column}`;
}

function byNameOrder(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
