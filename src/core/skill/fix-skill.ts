import { parseDocument } from "yaml";
import type { TextRange } from "../diagnostic.ts";
import { analyseSkill, type SkillAnalysis, type SkillLayout } from "./analyse-skill.ts";
import type { ReadContext, SkillDocument, SkillSource } from "./document.ts";
import { entryYaml, fieldYaml } from "./field-yaml.ts";
import { fixHead, type HeadEdit } from "./fix-head.ts";
import type { Entry } from "./frontmatter-node.ts";
import { type SkillKey, skillKey } from "./skill-keys.ts";
import { yamlProse, yamlText } from "./yaml-text.ts";

export interface SkillEdit {
  /** Lines that are replaced; ends at the first column of `endLine`. An insertion has an empty range. */
  readonly range: Required<TextRange>;
  readonly newText: string;
  readonly description: string;
}

export interface SkillFix {
  /** The whole file after the fix. */
  readonly text: string;
  /** The same as UTF-8; the body's bytes are those of the old file. */
  readonly bytes: Uint8Array;
  /** Applied to the old text (without byte order mark), from last to first, they give `text`. */
  readonly edits: readonly SkillEdit[];
}

/**
 * Mends what the lenient reader repairs, so that every strict reader understands the file the same way: fences,
 * quoting, spelling of keys, booleans, missing name and description, encoding. What does not count (repeated keys,
 * stray lines) becomes a comment, never lost. Null when there is nothing to mend, or when the file cannot be read, or
 * when the result would not say exactly the same as before (checked by reading it again).
 */
export function fixSkill(source: SkillSource, context: ReadContext): SkillFix | null {
  const analysis = analyseSkill(source, context);
  const { layout, document } = analysis;
  if (layout === null || document === null) return null;
  for (const all of [false, true]) {
    const fix = attempt(source, { analysis, layout, document, all });
    if (fix === null) return null;
    if (saysTheSame(fix, document, { source, context })) return fix;
  }
  return null;
}

interface Attempt {
  readonly analysis: SkillAnalysis;
  readonly layout: SkillLayout;
  readonly document: SkillDocument;
  /** Write every field anew, also sound ones; for blocks in braces or with an indentation of their own. */
  readonly all: boolean;
}

function attempt(source: SkillSource, input: Attempt): SkillFix | null {
  const { layout } = input;
  const { text } = layout;
  const marked = text.start > 0;
  const head = fixHead(layout, fieldsOf(input));
  if (head.edits.length === 0 && text.encoding === "utf-8" && !marked) return null;
  const bodyFrom = layout.fences.kind === "block" ? layout.fences.body : text.start;
  const body = text.slice(bodyFrom, text.units.length);
  const encoder = new TextEncoder();
  const headBytes = encoder.encode(head.text);
  const bodyBytes = text.encoding === "utf-8" ? source.bytes.subarray(bodyFrom) : encoder.encode(body);
  const bytes = new Uint8Array(headBytes.length + bodyBytes.length);
  bytes.set(headBytes);
  bytes.set(bodyBytes, headBytes.length);
  const edits = head.edits.map(asEdit);
  if (text.encoding !== "utf-8") edits.unshift(atStart("Saved as UTF-8."));
  else if (marked) edits.unshift(atStart("Byte order mark removed."));
  return { text: head.text + body, bytes, edits };
}

function atStart(description: string): SkillEdit {
  return { range: { line: 1, column: 1, endLine: 1, endColumn: 1 }, newText: "", description };
}

function asEdit(edit: HeadEdit): SkillEdit {
  return {
    range: { line: edit.from, column: 1, endLine: edit.to, endColumn: 1 },
    newText: edit.newText,
    description: edit.description,
  };
}

/** For each entry its new lines, null to keep it as it stands; and lines for fields that are missing. */
function fieldsOf(input: Attempt): Parameters<typeof fixHead>[1] {
  const { analysis, layout, document, all } = input;
  const { slots } = layout;
  const used = new Map<Entry, SkillKey>();
  for (const entry of layout.entries) {
    const key = skillKey(entry.key);
    if (key !== null && slots[key] === entry) used.set(entry, key);
  }
  for (const key of slotKeys(slots)) {
    const entry = slots[key];
    if (entry !== undefined) used.set(entry, key);
  }
  const inserted: string[] = [];
  if (slots.name === undefined) inserted.push(`name: ${yamlText(document.name)}`);
  if (slots.description === undefined && document.description !== null) {
    inserted.push(`description: ${yamlProse(document.description)}`);
  }
  return {
    all,
    inserted,
    linesOf(entry) {
      if (slots.dropped?.has(entry) === true) return "comment";
      if (!all && analysis.findings.mendable?.has(entry) !== true) return null;
      const key = used.get(entry);
      return key === undefined ? entryYaml(entry.key, entry) : fieldYaml(key, entry, document);
    },
  };
}

function slotKeys(slots: SkillLayout["slots"]): readonly SkillKey[] {
  return Object.keys(slots).filter((key) => skillKey(key) === key) as SkillKey[];
}

function saysTheSame(
  fix: SkillFix,
  document: SkillDocument,
  input: { readonly source: SkillSource; readonly context: ReadContext },
): boolean {
  const again = analyseSkill({ ...input.source, bytes: fix.bytes }, input.context);
  if (again.document === null || again.layout === null) return false;
  if (again.findings.mendable !== null) return false;
  const strict = parseDocument(again.layout.frontmatter, { prettyErrors: false, logLevel: "error" });
  if (strict.errors.length > 0 || strict.warnings.length > 0) return false;
  return comparable(again.document) === comparable(document);
}

/** Key order of records is part of a document, where its name came from is not. */
function comparable(document: SkillDocument): string {
  return JSON.stringify({ ...document, nameFrom: null, descriptionFrom: null });
}
