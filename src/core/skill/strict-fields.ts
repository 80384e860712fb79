import { isMap, isScalar, isSeq, LineCounter, type Node, type Pair, parseDocument } from "yaml";
import type { TextRange } from "../diagnostic.ts";
import { printable } from "../text/printable.ts";
import { misspeltKey, skillKey, standardKeys } from "./skill-keys.ts";
import type { FieldContext, Report } from "./strict-report.ts";
import { optionalFields, requiredFields } from "./strict-values.ts";
import { guardYaml } from "./yaml-guard.ts";

/** The frontmatter by strict YAML, its keys, and their values. */
export function strictFields(text: string, firstLine: number, input: FieldContext): void {
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
