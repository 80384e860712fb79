import { printable } from "../text/printable.ts";
import { addFinding, type Findings } from "./findings.ts";
import type { Entry, ValueNode } from "./frontmatter-node.ts";
import { emptyRecord, forbiddenKey, isNull } from "./frontmatter-value.ts";
import { pathPatterns, patternFault } from "./path-patterns.ts";
import { nameFault } from "./skill-name.ts";
import { splitOutside } from "./split-outside.ts";
import { cleanText } from "./text-field.ts";

/** Texts of a list; a single text is split at commas, or at blanks when it has none. */
export function listWords(node: ValueNode): readonly string[] {
  if (node.kind === "scalar") {
    if (isNull(node)) return [];
    return splitOutside(node.text, node.text.includes(",") ? "," : "blank");
  }
  if (node.kind === "map") return node.entries.map(({ key }) => key);
  return node.items.map((item) => {
    if (item.kind === "scalar") return item.text.trim();
    const named = item.kind === "map" ? item.entries.find(({ key }) => key === "name") : undefined;
    if (named?.value.kind === "scalar") return named.value.text.trim();
    // `- <bed>: [peas]` and the like: the first key is the name.
    return item.kind === "map" ? (item.entries[0]?.key ?? "") : "";
  });
}

/** Other names of a skill, by the rules of names; unusable and empty ones are left out with a warning (feature M7). */
export function aliasNames(entry: Entry, name: string, findings: Findings): readonly string[] {
  const names: string[] = [];
  for (const word of listWords(entry.value)) {
    const alias = word.replace(/^\//, "").normalize("NFC");
    if (alias === "" && entry.value.kind === "scalar") continue;
    const fault = nameFault(alias);
    if (fault !== null) {
      const message = `the alias "${printable(alias).slice(0, 100)}" cannot be used: ${fault.reason}`;
      addFinding(findings, "name/alias", message, { entry });
    } else if (alias !== name && !names.includes(alias) && names.length < mostWords) names.push(alias);
  }
  return names;
}

/** Bound on lists where each item is compared with the others. */
const mostWords = 200;

/** Names of positional arguments, without the brackets and marks people put around them. An unusable one keeps its place. */
export function argumentNames(entry: Entry, findings: Findings): readonly string[] {
  const names: string[] = [];
  for (const word of listWords(entry.value)) {
    const name = withoutMarks(word);
    if (name === "") continue;
    if (!/^[\p{L}_][\p{L}\p{N}_-]*$/u.test(name)) {
      addFinding(
        findings,
        "name/argument",
        `the argument name "${printable(name).slice(0, 100)}" cannot be used as $name`,
        { entry },
      );
    }
    names.push(name.normalize("NFC"));
  }
  return names;
}

/**
 * File patterns that tie a skill to files; null = not tied. With one pattern that cannot be read the skill is not tied
 * at all: it would else wait for files that can never come (case d-path-globs).
 */
export function pathsField(entry: Entry, findings: Findings): readonly string[] | null {
  if (entry.value.kind === "map") {
    addFinding(
      findings,
      "frontmatter/wrong-shape",
      "paths is a mapping; a list of patterns is expected, so the skill is not tied to files",
      { entry },
    );
    return null;
  }
  const patterns = pathPatterns(entry.value);
  let broken = false;
  for (const pattern of patterns) {
    const fault = patternFault(pattern);
    if (fault === null) continue;
    broken = true;
    const message = `the pattern ${printable(pattern).slice(0, 100)} cannot be read (${fault}); the skill is treated as not tied to files`;
    addFinding(findings, "frontmatter/pattern", message, { entry });
  }
  return broken || patterns.length === 0 ? null : patterns;
}

/** Texts by language tag (feature X5); entries without text are left out. */
export function languageTexts(entry: Entry, findings: Findings): Readonly<Record<string, string>> {
  const record = emptyRecord<string>();
  if (entry.value.kind !== "map") {
    if (entry.value.kind !== "scalar" || entry.value.text !== "") {
      const message = `${printable(entry.key)} is not a mapping of language: text lines; left out`;
      addFinding(findings, "frontmatter/wrong-shape", message, { entry });
    }
    return record;
  }
  const seen = new Set<string>([forbiddenKey]);
  for (const { key, value } of entry.value.entries) {
    if (seen.has(key)) continue;
    seen.add(key);
    if (value.kind !== "scalar") {
      const message = `${printable(key)} in ${printable(entry.key)} is not a text; left out`;
      addFinding(findings, "frontmatter/wrong-shape", message, { entry });
    } else if (value.text.trim() !== "") record[key] = cleanText(value.text.trim(), entry, findings);
  }
  return record;
}

/** Without opening marks in front and closing ones behind. By hand: a pattern for the end would be quadratic. */
function withoutMarks(word: string): string {
  let from = 0;
  let to = word.length;
  while (from < to && "[<{$ \t".includes(word.charAt(from))) from++;
  while (to > from && "]>}? \t".includes(word.charAt(to - 1))) to--;
  return word.slice(from, to);
}
