import {
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  type YAMLMap,
} from "yaml";
import type { Diagnostic, Severity, TextRange } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import type { DiagnosticCode } from "../diagnostics/table.ts";
import { printable } from "../text/printable.ts";
import { codePointLength } from "../text/single-line.ts";
import { analyseSkill } from "./analyse-skill.ts";
import type { ReadContext, SkillSource } from "./document.ts";
import { type Fences, findFences } from "./fences.ts";
import { plainType } from "./frontmatter-value.ts";
import { lintBody } from "./lint-body.ts";
import { lintDescription } from "./lint-description.ts";
import { misspeltKey, skillKey, standardKeys } from "./skill-keys.ts";
import { type SourceText, sourceText } from "./source-text.ts";
import { type NameRules, nameProblems } from "./strict-name.ts";
import { guardYaml } from "./yaml-guard.ts";

export interface StrictOptions {
  readonly names: NameRules;
}

interface Report {
  add(
    code: DiagnosticCode,
    message: string,
    place?: { range?: TextRange; hint?: string; severity?: Severity },
  ): void;
}

/**
 * A file by the letter of the published standard and its reference validator (field.md A1, A4): errors for broken
 * rules, warnings and infos for what other stores and agents trip over (A5). In order of the file. Empty = portable.
 */
export function validateStrict(
  source: SkillSource,
  context: ReadContext,
  options: StrictOptions,
): Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = {
    add(code, message, place = {}) {
      found.push(
        makeDiagnostic(code, { path: source.path, message, range: { line: 1, column: 1 }, ...place }),
      );
    },
  };
  if (source.bytes.length === 0) {
    report.add("file/empty", "the file is empty");
    return found;
  }
  const text = sourceText(source.bytes, context.codec);
  if (text.kind === "failure") {
    report.add(text.code, text.message, { range: { line: text.line, column: text.column } });
    return found;
  }
  if (text.encoding !== "utf-8")
    report.add("text/utf16", "the file is UTF-16; the standard wants UTF-8", { severity: "error" });
  else if (text.start > 0) report.add("standard/byte-order-mark", "the file begins with a byte order mark");
  const fences = findFences(text);
  if (fences.kind !== "block") {
    noBlock(fences, report);
    return found;
  }
  for (const note of fences.notes) {
    const place = { range: { line: note.line, column: 1 }, severity: "error" as const };
    if (note.code === "frontmatter/leading-lines")
      report.add("standard/no-frontmatter", `the file does not begin with ---: ${note.message}`, place);
    else report.add(note.code, note.message, place);
  }
  const frontmatter = text.slice(fences.from, fences.to).replace(/\r\n?/g, "\n");
  fields(frontmatter, fences.line, { source, context, options, report });
  body(text, fences, { source, context, report });
  return found.sort((a, b) => (a.range?.line ?? 0) - (b.range?.line ?? 0));
}

function noBlock(fences: Exclude<Fences, { kind: "block" }>, report: Report): void {
  if (fences.kind === "none") report.add("standard/no-frontmatter", "the file does not begin with ---");
  else if (fences.kind === "unclosed") {
    report.add("standard/unclosed", `frontmatter opened on line ${fences.line} is never closed`, {
      range: { line: fences.line, column: 1 },
    });
  } else {
    const language = printable(fences.language).slice(0, 40);
    report.add("frontmatter/unsupported-language", `unsupported front matter language ${language}`, {
      range: { line: fences.line, column: 1 },
    });
  }
}

interface FieldContext {
  readonly source: SkillSource;
  readonly context: ReadContext;
  readonly options: StrictOptions;
  readonly report: Report;
}

function fields(text: string, firstLine: number, input: FieldContext): void {
  const { report } = input;
  const verdict = guardYaml(text, input.context.limits);
  if (text.length > input.context.limits.frontmatterBytes) {
    report.add(
      "frontmatter/too-large",
      `the frontmatter has ${text.length} characters; at most ${input.context.limits.frontmatterBytes} are read`,
    );
    return;
  }
  if (verdict.kind === "refused") {
    report.add(verdict.code, verdict.message);
    return;
  }
  if (verdict.aliases)
    report.add("standard/yaml", "aliases and anchors are not part of strict YAML", {
      range: { line: firstLine, column: 1 },
    });
  const lineCounter = new LineCounter();
  const document = parseDocument(text, {
    schema: "failsafe",
    version: "1.2",
    resolveKnownTags: false,
    prettyErrors: false,
    logLevel: "error",
    lineCounter,
  });
  const rangeAt = (offset: number): TextRange => {
    const { line, col } = lineCounter.linePos(offset);
    return { line: Math.max(1, line) + firstLine - 1, column: Math.max(1, col) };
  };
  for (const problem of [...document.errors, ...document.warnings].slice(0, 5)) {
    const message = `not strict YAML: ${printable(problem.message.split("\n")[0] ?? "").slice(0, 200)}`;
    report.add("standard/yaml", message, { range: rangeAt(problem.pos[0]) });
  }
  if (document.errors.length > 0) return;
  if (/[^\n]---|---[^\n]/.test(text))
    report.add("standard/dashes", "--- stands inside the frontmatter", {
      range: rangeAt(text.indexOf("---")),
    });
  const { contents } = document;
  if (!isMap(contents)) {
    if (contents === null || (isScalar(contents) && contents.source === ""))
      requiredFields(new Map(), { ...input, rangeAt });
    else report.add("standard/not-a-mapping", "the frontmatter is not a mapping", { range: rangeAt(0) });
    return;
  }
  if (contents.flow === true)
    report.add("standard/flow-style", "the frontmatter is written in braces", { range: rangeAt(0) });
  const found = new Map<string, Node | null>();
  for (const pair of contents.items as Pair<Node, Node | null>[]) {
    const key = isScalar(pair.key) ? String(pair.key.value) : "";
    const place = { range: rangeAt(pair.key?.range?.[0] ?? 0) };
    if (!(standardKeys as readonly string[]).includes(key)) unknownKey(key, place.range, report);
    found.set(key, pair.value);
    if ((isSeq(pair.value) || isMap(pair.value)) && pair.value.flow === true) {
      report.add("standard/flow-style", `${printable(key)} is written in brackets or braces`, place);
    }
  }
  requiredFields(found, { ...input, rangeAt });
  optionalFields(found, { ...input, rangeAt });
}

function unknownKey(key: string, range: TextRange, report: Report): void {
  const shown = printable(key).slice(0, 60);
  const meant = skillKey(key) ?? misspeltKey(key);
  const message =
    key === "" ? "a key is not a plain word" : `${shown} is not one of the six keys of the standard`;
  report.add("standard/unknown-key", message, {
    range,
    ...(meant !== null && meant !== key && (standardKeys as readonly string[]).includes(meant)
      ? { hint: `did you mean ${meant}?` }
      : {}),
  });
}

interface Placed extends FieldContext {
  rangeAt(offset: number): TextRange;
}

/** Text of a value, null when the key is missing or holds something else (which is reported). */
function textOf(
  found: ReadonlyMap<string, Node | null>,
  key: string,
  input: Placed,
): { text: string; range: TextRange; node: Scalar } | null {
  const node = found.get(key);
  if (node === undefined || node === null) return null;
  const range = input.rangeAt(node.range?.[0] ?? 0);
  if (isScalar(node)) return { text: String(node.value ?? ""), range, node };
  input.report.add("standard/field-type", `${key} is a ${isMap(node) ? "mapping" : "list"}, not a text`, {
    range,
  });
  return null;
}

function requiredFields(found: ReadonlyMap<string, Node | null>, input: Placed): void {
  const { report, options, source } = input;
  const name = textOf(found, "name", input);
  if (name === null || name.text.trim() === "") {
    if (!isCollection(found.get("name")))
      report.add(
        "standard/name-missing",
        "name is missing or empty",
        name === null ? {} : { range: name.range },
      );
  } else {
    const folder = source.file === null ? source.folder : null;
    for (const { code, message } of nameProblems(name.text, folder, options.names))
      report.add(code, message, { range: name.range });
    if (/anthropic|claude/i.test(name.text))
      report.add(
        "standard/name-reserved",
        `the name "${printable(name.text.trim()).slice(0, 100)}" holds a reserved word`,
        { range: name.range },
      );
  }
  const description = textOf(found, "description", input);
  if (description === null || description.text.trim() === "") {
    if (!isCollection(found.get("description"))) {
      report.add(
        "standard/description-missing",
        "description is missing or empty",
        description === null ? {} : { range: description.range },
      );
    }
    return;
  }
  const length = codePointLength(description.text.trim());
  if (length > 1024) {
    report.add(
      "standard/description-too-long",
      `description has ${length} characters; the standard allows 1024`,
      { range: description.range },
    );
  }
  for (const { code, message } of lintDescription(description.text))
    report.add(code, message, { range: description.range });
}

function isCollection(node: Node | null | undefined): boolean {
  return isMap(node) || isSeq(node);
}

function optionalFields(found: ReadonlyMap<string, Node | null>, input: Placed): void {
  const { report } = input;
  textOf(found, "license", input);
  const compatibility = textOf(found, "compatibility", input);
  if (found.has("compatibility") && !isCollection(found.get("compatibility"))) {
    const length = codePointLength((compatibility?.text ?? "").trim());
    if (length === 0 || length > 500) {
      const message =
        length === 0
          ? "compatibility is empty"
          : `compatibility has ${length} characters; the standard allows 500`;
      report.add(
        "standard/compatibility",
        message,
        compatibility === null ? {} : { range: compatibility.range },
      );
    }
  }
  const tools = found.get("allowed-tools");
  if (isCollection(tools)) {
    report.add("standard/tool-list", "allowed-tools is not one text with blanks between the tools", {
      range: input.rangeAt(tools?.range?.[0] ?? 0),
    });
  } else if (isScalar(tools) && /,(?![^(]*\))/.test(String(tools.value).slice(0, 1000))) {
    report.add(
      "standard/tool-list",
      "allowed-tools has commas between the tools; the published format has blanks",
      { range: input.rangeAt(tools.range?.[0] ?? 0) },
    );
  }
  const metadata = found.get("metadata");
  if (isMap(metadata)) metadataValues(metadata, input);
  else if (metadata !== undefined && metadata !== null && !(isScalar(metadata) && metadata.value === "")) {
    report.add("standard/field-type", "metadata is not a mapping", {
      range: input.rangeAt(metadata.range?.[0] ?? 0),
    });
  }
}

function metadataValues(metadata: YAMLMap, input: Placed): void {
  for (const pair of metadata.items as Pair<Node, Node | null>[]) {
    const key = isScalar(pair.key) ? printable(String(pair.key.value)) : "a key";
    const range = input.rangeAt(pair.value?.range?.[0] ?? pair.key?.range?.[0] ?? 0);
    if (isCollection(pair.value)) {
      input.report.add("standard/metadata-value", `metadata.${key} is not a text`, { range });
    } else if (isScalar(pair.value) && pair.value.type === "PLAIN") {
      const type = plainType(String(pair.value.value));
      if (type !== null)
        input.report.add("standard/metadata-number", `metadata.${key} is ${type} without quotes`, { range });
    }
  }
}

function body(
  text: SourceText,
  fences: Extract<Fences, { kind: "block" }>,
  input: { readonly source: SkillSource; readonly context: ReadContext; readonly report: Report },
): void {
  const { document } = analyseSkill(input.source, input.context);
  const names = document?.argumentNames ?? [];
  const takes = names.length > 0 || document?.argumentHint != null;
  const firstLine = text.slice(text.start, fences.body).split(/\r\n|\n|\r/).length;
  for (const { code, message, line, column } of lintBody(text.slice(fences.body, text.units.length), {
    names,
    takes,
  })) {
    input.report.add(code, message, { range: { line: firstLine + line - 1, column } });
  }
}
