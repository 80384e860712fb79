import type { Diagnostic } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import { printable } from "../text/printable.ts";
import { analyseSkill } from "./analyse-skill.ts";
import type { ReadContext, SkillSource } from "./document.ts";
import { type Fences, findFences } from "./fences.ts";
import { lintBody } from "./lint-body.ts";
import { type SourceText, sourceText } from "./source-text.ts";
import { strictFields } from "./strict-fields.ts";
import type { Report, StrictOptions } from "./strict-report.ts";

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
  strictFields(frontmatter, fences.line, { source, context, options, report });
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
