import type { HiddenCharacter } from "../text/hidden-characters.ts";
import { printable } from "../text/printable.ts";
import { codePointLength } from "../text/single-line.ts";
import { booleanField } from "./boolean-field.ts";
import type { FrontmatterValue, SkillDocument, SkillSource } from "./document.ts";
import { type FieldSlots, fieldSlots } from "./field-slots.ts";
import { addFinding, type Findings } from "./findings.ts";
import type { Entry } from "./frontmatter-node.ts";
import { emptyRecord, forbiddenKey, frontmatterValue } from "./frontmatter-value.ts";
import { aliasNames, argumentNames, languageTexts, pathsField } from "./list-fields.ts";
import { skillRequirements } from "./requirements.ts";
import { resolveName } from "./resolve-name.ts";
import { noteHidden, textField } from "./text-field.ts";
import { toolList } from "./tool-list.ts";

export interface Built {
  /** Null when there is neither a usable name nor a usable folder. */
  readonly document: SkillDocument | null;
  readonly slots: FieldSlots;
}

export const noTexts: readonly string[] = Object.freeze([]);
const unconditional = Object.freeze({ requires: null, unused: null });
export const nothing: Readonly<Record<string, never>> = Object.freeze(emptyRecord<never>());

/**
 * Fields as a document, with every repair and doubt in `findings`. `fallback` gives a description from the body when
 * the frontmatter has none. Rules of profile `skillet`; see `field-slots.ts` for spellings and repetitions.
 */
export function buildDocument(
  entries: readonly Entry[],
  input: {
    readonly source: SkillSource;
    readonly findings: Findings;
    readonly fallback: () => string | null;
  },
): Built {
  const { source, findings } = input;
  const slots = fieldSlots(entries, findings);
  const name = resolveName(slots.name ?? null, source, findings);
  const declared = textOf(slots.description, findings);
  // The sentence says what was used, so the body is only read when it is needed.
  const derived = declared === null ? input.fallback() : null;
  if (declared === null) noteMissing(slots.description, derived, findings);
  else if (declared.length > 1024) noteLength(slots.description, declared, findings);
  const metadata = metadataField(slots, findings);
  if (name === null) return { document: null, slots };
  const { requires, unused } =
    slots.requires === undefined && metadata === nothing
      ? unconditional
      : skillRequirements(slots.requires ?? null, metadata, findings);
  const document: SkillDocument = {
    name: name.name,
    nameFrom: name.from,
    description: declared ?? derived,
    descriptionFrom: declared !== null ? "frontmatter" : derived !== null ? "body" : null,
    title: textOf(slots.title, findings),
    license: textOf(slots.license, findings),
    compatibility: textOf(slots.compatibility, findings),
    whenToUse: textOf(slots.when_to_use, findings),
    argumentHint: textOf(slots["argument-hint"], findings),
    argumentNames: slots.arguments === undefined ? noTexts : argumentNames(slots.arguments, findings),
    allowedTools: toolsOf(slots["allowed-tools"], findings),
    aliases: slots.aliases === undefined ? noTexts : aliasNames(slots.aliases, name.name, findings),
    paths: slots.paths === undefined ? null : pathsField(slots.paths, findings),
    requires,
    disableModelInvocation: flag(slots, "disable-model-invocation", findings),
    userInvocable: flag(slots, "user-invocable", findings),
    displayNames: slots.displayNames === undefined ? nothing : languageTexts(slots.displayNames, findings),
    descriptions: slots.descriptions === undefined ? nothing : languageTexts(slots.descriptions, findings),
    metadata,
    extra: extraFields(slots, unused, findings),
  };
  return { document, slots };
}

function textOf(entry: Entry | undefined, findings: Findings): string | null {
  return entry === undefined ? null : textField(entry, findings);
}

function noteMissing(entry: Entry | undefined, derived: string | null, findings: Findings): void {
  const what = entry === undefined ? "description is missing" : "description is empty";
  const used =
    derived === null
      ? "nothing could be used instead, so the skill can be loaded by name but not be found"
      : "the first paragraph of the text is used instead";
  addFinding(findings, "description/missing", `${what}; ${used}`, { entry });
}

function noteLength(entry: Entry | undefined, text: string, findings: Findings): void {
  const length = codePointLength(text);
  if (length <= 1024) return;
  addFinding(
    findings,
    "description/too-long",
    `description has ${length} characters; the standard allows 1024`,
    { entry },
  );
}

function toolsOf(entry: Entry | undefined, findings: Findings): readonly string[] {
  if (entry === undefined) return noTexts;
  if (entry.value.kind === "map") {
    const message = "allowed-tools is a mapping; its keys are used as a list of tools";
    addFinding(findings, "frontmatter/wrong-shape", message, { entry });
  }
  const tools = toolList(entry.value, entry.source);
  return tools.length === 0 ? noTexts : tools.map((tool) => printable(tool));
}

/**
 * A flag; repeated ones fail closed as well: one that says "don't" wins over all others. Absent: models and people may
 * both call the skill.
 */
function flag(
  slots: FieldSlots,
  key: "disable-model-invocation" | "user-invocable",
  findings: Findings,
): boolean {
  const closed = key === "disable-model-invocation";
  const only = slots[key];
  let result = !closed;
  if (only === undefined) return result;
  for (const entry of slots.repeated?.get(key) ?? [only]) {
    const read = booleanField(entry.value, key, closed);
    if (read.value === closed) result = closed;
    if (read.code !== null) {
      addFinding(findings, read.code, read.message, { entry, hint: `write it as: ${key}: ${read.value}` });
    }
  }
  return result;
}

function metadataField(slots: FieldSlots, findings: Findings): Readonly<Record<string, FrontmatterValue>> {
  const entry = slots.metadata;
  if (entry === undefined) return nothing;
  if (entry.value.kind === "map") {
    for (const { key } of entry.value.entries) if (key === forbiddenKey) noteForbidden(entry, findings);
    const hidden: HiddenCharacter[] = [];
    const value = frontmatterValue(entry.value, false, hidden) as Readonly<Record<string, FrontmatterValue>>;
    if (hidden.length > 0) noteHidden(hidden, entry, findings);
    return Object.keys(value).length === 0 ? nothing : value;
  }
  if (entry.value.kind !== "scalar" || entry.value.text.trim() !== "") {
    addFinding(
      findings,
      "frontmatter/wrong-shape",
      "metadata is not a mapping of key: value lines; kept as data",
      { entry },
    );
    slots.extra ??= new Map();
    slots.extra.set("metadata", entry);
  }
  return nothing;
}

function noteForbidden(entry: Entry, findings: Findings): void {
  addFinding(
    findings,
    "frontmatter/forbidden-key",
    `${printable(entry.key)} has the key ${forbiddenKey}; left out`,
    { entry },
  );
}

function extraFields(
  slots: FieldSlots,
  unused: Entry | null,
  findings: Findings,
): Readonly<Record<string, FrontmatterValue>> {
  if (slots.extra === null && unused === null) return nothing;
  const record = emptyRecord<FrontmatterValue>();
  for (const [key, entry] of slots.extra ?? []) {
    const hidden: HiddenCharacter[] = [];
    record[key] = frontmatterValue(entry.value, true, hidden);
    if (hidden.length > 0) noteHidden(hidden, entry, findings);
  }
  if (unused !== null) record.requires = frontmatterValue(unused.value, true);
  return record;
}
