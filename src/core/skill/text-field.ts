import {
  type HiddenCharacter,
  hiddenCharacters,
  isPlainText,
  showCodePoints,
  withoutHidden,
} from "../text/hidden-characters.ts";
import { printable } from "../text/printable.ts";
import { addFinding, type Findings } from "./findings.ts";
import type { Entry } from "./frontmatter-node.ts";
import { plainType } from "./frontmatter-value.ts";
import { rawText } from "./raw-text.ts";
import { skillKey } from "./skill-keys.ts";
import { quotedYaml } from "./yaml-text.ts";

/**
 * A field that is a text, trimmed, with inner line breaks kept; null when there is none. What YAML reads as a number,
 * boolean, date, list or mapping is the source text, with a warning (case p-argument-hint, pains section 3). Hidden
 * characters are removed, with a warning that names them.
 */
export function textField(entry: Entry, findings: Findings): string | null {
  const { value } = entry;
  const key = skillKey(entry.key) ?? printable(entry.key);
  if (value.kind === "scalar") {
    const text = value.text.trim();
    if (text === "") return null;
    if (value.style === "plain") {
      const first = text.charCodeAt(0);
      // Only such texts can be anything else for YAML; the check is skipped for ordinary words.
      if (text.length <= 40 && (first < 0x41 || "tTfFnNyYoO~".includes(text.charAt(0)))) {
        const type = plainType(text);
        if (type === "null" && (key !== "name" || text === "~")) return null;
        if (type !== null) noteType(entry, `YAML reads ${type}`, text, findings);
      }
    }
    return cleanText(text, entry, findings) || null;
  }
  const source = entry.source.slice(value.start, value.end);
  const text = value.kind === "list" && !value.flow ? lines(source) : rawText(source);
  noteType(entry, value.kind === "list" ? "YAML reads a list" : "YAML reads a mapping", text, findings);
  return cleanText(text, entry, findings) || null;
}

function lines(source: string): string {
  return source
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join("\n");
}

function noteType(entry: Entry, what: string, text: string, findings: Findings): void {
  const key = skillKey(entry.key) ?? printable(entry.key);
  const shown = printable(quotedYaml(text));
  addFinding(findings, "frontmatter/not-text", `${key} is not a string in YAML (${what}); used as written`, {
    entry,
    hint: `write it as: ${key}: ${shown.length > 300 ? `${shown.slice(0, 300)}…` : shown}`,
  });
}

/** The text without hidden characters; what was removed is reported with the field. */
export function cleanText(text: string, entry: Entry, findings: Findings): string {
  if (isPlainText(text)) return text;
  const hidden = hiddenCharacters(text);
  noteHidden(hidden, entry, findings);
  return withoutHidden(text, hidden).trim();
}

/** Reports hidden characters that were removed from the value of a field. */
export function noteHidden(hidden: readonly HiddenCharacter[], entry: Entry, findings: Findings): void {
  const key = skillKey(entry.key) ?? printable(entry.key);
  addFinding(
    findings,
    "text/hidden-characters",
    `${key} has hidden characters, removed here: ${showCodePoints(hidden)}`,
    {
      entry,
    },
  );
}
