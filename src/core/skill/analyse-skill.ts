import type { DiagnosticCode } from "../diagnostics/table.ts";
import { printable } from "../text/printable.ts";
import { buildDocument } from "./build-document.ts";
import { derivedDescription } from "./derived-description.ts";
import type { ReadContext, SkillDocument, SkillSource } from "./document.ts";
import { type Fences, findFences } from "./fences.ts";
import type { FieldSlots } from "./field-slots.ts";
import { addFinding, type Findings, newFindings } from "./findings.ts";
import type { Entry } from "./frontmatter-node.ts";
import { readFrontmatter } from "./read-frontmatter.ts";
import type { StrayLine } from "./segments.ts";
import { skillKey } from "./skill-keys.ts";
import { type SourceText, sourceText } from "./source-text.ts";

/** Everything that is known about one SKILL.md; the reader hands out a part of it, a fix needs the rest. */
export interface SkillAnalysis {
  readonly findings: Findings;
  readonly skip: { readonly code: string; readonly message: string; readonly name: string | null } | null;
  readonly document: SkillDocument | null;
  readonly layout: SkillLayout | null;
}

/** Where things are, for a file that has a document. */
export interface SkillLayout {
  readonly text: SourceText;
  readonly fences: Fences;
  /** Between the fences, with LF line ends; "" without frontmatter. */
  readonly frontmatter: string;
  readonly entries: readonly Entry[];
  readonly slots: FieldSlots;
  readonly stray: readonly StrayLine[];
}

export interface AnalyseOptions {
  /** False leaves out the fast reader; only tests do. */
  readonly fast?: boolean;
}

/** How much of a body is looked at for a description, in units. */
const bodyReach = 65536;
const none: readonly never[] = Object.freeze([]);

/** Reads one file by the lenient rules of profile `skillet`. Never throws; linear in the length of the file. */
export function analyseSkill(
  source: SkillSource,
  context: ReadContext,
  options: AnalyseOptions = {},
): SkillAnalysis {
  const findings = newFindings(source.path);
  if (source.bytes.length === 0) return skipped(findings, "file/empty", "the file is empty");
  const text = sourceText(source.bytes, context.codec);
  if (text.kind === "failure") return skipped(findings, text.code, text.message, text);
  if (text.encoding !== "utf-8") addFinding(findings, "text/utf16", "the file is UTF-16; save it as UTF-8");
  const fences = findFences(text);
  if (fences.kind === "unclosed") {
    const name = declaredName(text, fences.from);
    const message = `frontmatter opened on line ${fences.line} is never closed`;
    return skipped(findings, "frontmatter/unclosed", message, { line: fences.line, column: 1 }, name);
  }
  if (fences.kind === "language") {
    const language = printable(fences.language).slice(0, 40);
    const message = `unsupported front matter language ${language}; only YAML is read and nothing is executed`;
    return skipped(findings, "frontmatter/unsupported-language", message, { line: fences.line, column: 1 });
  }
  const bodyFrom = fences.kind === "block" ? fences.body : text.start;
  if (fences.kind === "none" || fences.from === fences.to) {
    if (isBlank(text, bodyFrom)) {
      const message =
        fences.kind === "none"
          ? "the file is empty but for white space"
          : "the file has neither fields nor text";
      return skipped(findings, "file/empty", message);
    }
  }
  if (fences.kind === "block")
    for (const note of fences.notes) addFinding(findings, note.code, note.message, { line: note.line });
  const frontmatter = fences.kind === "block" ? frontmatterText(text, fences, context) : "";
  if (frontmatter === null) {
    const size = fences.kind === "block" ? fences.to - fences.from : 0;
    const message = `the frontmatter has ${size} bytes; at most ${context.limits.frontmatterBytes} are read`;
    return skipped(
      findings,
      "frontmatter/too-large",
      message,
      { line: 1, column: 1 },
      declaredName(text, fences.kind === "block" ? fences.from : 0),
    );
  }
  const line = fences.kind === "block" ? fences.line : 1;
  const read =
    frontmatter === ""
      ? ({ kind: "entries", entries: none, stray: none } as const)
      : readFrontmatter(frontmatter, { limits: context.limits, line, fast: options.fast !== false });
  if (read.kind === "refused" || read.kind === "absorbed") {
    const name = declaredName(text, fences.kind === "block" ? fences.from : 0);
    if (read.kind === "refused") return skipped(findings, read.code, read.message, { line, column: 1 }, name);
    const message = `frontmatter opened on line ${line - 1} is never closed; the next --- stands in the text`;
    return skipped(findings, "frontmatter/unclosed", message, { line: line - 1, column: 1 }, name);
  }
  if (fences.kind === "none") {
    addFinding(
      findings,
      "frontmatter/absent",
      "there is no frontmatter; name and description are taken from elsewhere",
    );
  }
  if (read.kind === "other") {
    addFinding(findings, "frontmatter/not-a-mapping", "the frontmatter holds no key: value lines", { line });
  }
  const entries = read.kind === "other" ? none : read.entries;
  const stray = read.kind === "other" ? none : read.stray;
  for (const one of stray) {
    const message = `the line "${printable(one.text.trim()).slice(0, 80)}" belongs to no field; left out`;
    addFinding(findings, "frontmatter/stray-line", message, { line: one.line });
  }
  // A description that is torn off decides nothing any more; its neighbour of the same name stays in effect (iso-one-bad).
  const lost = lostDescription(entries);
  if (lost !== null) {
    for (const one of lost.damage)
      addFinding(findings, one.code, printable(one.message), { entry: lost, at: one.at });
    const message =
      "the description cannot be read, and it is what decides when a skill is used; the file is not loaded";
    const code = lost.damage.find((one) => one.lost === true)?.code ?? "frontmatter/unclosed-collection";
    return {
      findings,
      skip: { code, message, name: declaredName(text, fences.kind === "block" ? fences.from : 0) },
      document: null,
      layout: null,
    };
  }
  const fallback = (): string | null => derivedDescription(bodyStart(text, bodyFrom));
  const built = buildDocument(entries, { source, findings, fallback });
  if (built.document === null) {
    const last = findings.list.at(-1);
    const message =
      findings.list.find((one) => one.code === "name/folder-unsafe")?.message ?? last?.message ?? "";
    return {
      findings,
      skip: { code: "name/folder-unsafe", message, name: null },
      document: null,
      layout: null,
    };
  }
  return {
    findings,
    skip: null,
    document: built.document,
    layout: { text, fences, frontmatter, entries, slots: built.slots, stray },
  };
}

function lostDescription(entries: readonly Entry[]): Entry | null {
  if (entries.every((entry) => entry.damage.length === 0)) return null;
  const all = entries.filter((entry) => skillKey(entry.key) === "description");
  const lost = all.find((entry) => entry.damage.some((one) => one.lost === true));
  return lost === undefined || all.length > 1 ? null : lost;
}

function skipped(
  findings: Findings,
  code: DiagnosticCode,
  message: string,
  place: { readonly line: number; readonly column: number } = { line: 1, column: 1 },
  name: string | null = null,
): SkillAnalysis {
  addFinding(findings, code, message, { line: place.line, column: place.column });
  return { findings, skip: { code, message, name }, document: null, layout: null };
}

function isBlank(text: SourceText, from: number): boolean {
  const { units } = text;
  for (let index = from; index < units.length; index++) {
    const unit = units[index] as number;
    if (unit > 0x20 || unit < 0x09 || (unit > 0x0d && unit < 0x20)) return false;
  }
  return true;
}

/** Null when the block is larger than the limit. */
function frontmatterText(
  text: SourceText,
  fences: { readonly from: number; readonly to: number },
  context: ReadContext,
): string | null {
  if (fences.to - fences.from > context.limits.frontmatterBytes) return null;
  const block = text.slice(fences.from, fences.to);
  return block.includes("\r") ? block.replace(/\r\n?/g, "\n") : block;
}

/** The first part of the body, cut between characters. */
function bodyStart(text: SourceText, from: number): string {
  const { units } = text;
  let to = Math.min(units.length, from + bodyReach);
  if (to < units.length && text.encoding === "utf-8")
    while (to > from && ((units[to] as number) & 0xc0) === 0x80) to--;
  return text.slice(from, to);
}

/** The name that an unreadable file seems to declare, so that it can be looked up; only from the lines at its top. */
function declaredName(text: SourceText, from: number): string | null {
  let to = Math.min(text.units.length, from + 2000);
  if (to < text.units.length && text.encoding === "utf-8")
    while (to > from && ((text.units[to] as number) & 0xc0) === 0x80) to--;
  for (const line of text.slice(from, to).split(/\r\n|\n|\r/)) {
    if (line.trim() === "") return null;
    const name = /^name:[ \t]+(["']?)([\p{L}\p{N}][\p{L}\p{N}_.-]*)\1[ \t]*$/u.exec(line)?.[2];
    if (name !== undefined) return name;
  }
  return null;
}
