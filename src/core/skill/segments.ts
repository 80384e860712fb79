import type { Damage } from "./frontmatter-node.ts";
import { type KeyLine, keyLine } from "./key-line.ts";
import { keyShapes, skillKey } from "./skill-keys.ts";

/** The lines of one field of damaged frontmatter. */
export interface Segment {
  readonly key: string;
  /** What stands behind the colon in the first line. */
  readonly rest: string;
  readonly restAt: number;
  /** First line as written, then the lines that belong to the field; tabs in front replaced by blanks. */
  readonly lines: readonly string[];
  /** Line in the file of the first one. */
  readonly line: number;
  /** `at` counts in the first line. */
  readonly damage: readonly Damage[];
}

/** A line that belongs to no field. */
export interface StrayLine {
  readonly line: number;
  readonly text: string;
}

interface Building {
  readonly start: KeyLine;
  readonly lines: string[];
  readonly line: number;
  readonly damage: Damage[];
  readonly block: boolean;
}

const tabMessage = "a tab is used as indentation";

/**
 * Cuts damaged frontmatter into its top-level fields by looking at lines only: a field begins at the first column with
 * `key:`. Continued text without indentation stays with its field. A known key that is indented below a one-word field
 * (`name: x` / `  description: y`) begins a field too. Linear.
 */
export function segments(
  text: string,
  firstLine: number,
): { readonly fields: Segment[]; readonly stray: StrayLine[] } {
  const raw = text.split("\n");
  if (raw.at(-1) === "") raw.pop();
  const base = baseIndent(raw);
  const fields: Segment[] = [];
  const stray: StrayLine[] = [];
  let open: Building | null = null;
  const finish = (): void => {
    if (open !== null) fields.push(finished(open));
    open = null;
  };
  const begin = (start: KeyLine, line: string, number: number, damage: Damage[]): void => {
    finish();
    if (start.slip !== null)
      damage.push({ code: start.slip, message: slipMessage(start), at: start.restAt - 1 });
    const block = /^\s*[|>][0-9+-]{0,3}\s*(#.*)?$/.test(start.rest.slice(0, 200));
    open = { start, lines: [line], line: number, damage, block };
  };
  for (const [index, original] of raw.entries()) {
    const number = firstLine + index;
    const tabs = /^[ ]*\t[ \t]*(?=\S)/.test(original.slice(0, 500));
    const spaced = tabs ? original.replace(/^[ \t]+/, (lead) => lead.replaceAll("\t", "  ")) : original;
    const line = base > 0 ? spaced.slice(Math.min(base, spaced.length - spaced.trimStart().length)) : spaced;
    const now = open as Building | null;
    const empty = line.trim() === "";
    const indented = /^[ \t]/.test(line);
    if (empty) {
      now?.lines.push("");
      continue;
    }
    if (!indented) {
      if (line.startsWith("#") && !(now?.block === true && now.lines.length === 1)) continue;
      const start = keyLine(line);
      if (start !== null) begin(start, line, number, []);
      else if (now !== null && !takesWord(now) && !isRubble(line)) {
        const list = line.startsWith("- ") && now.start.rest.trim() === "";
        if (!list)
          note(
            now.damage,
            "frontmatter/indentation",
            `line ${number} continues ${now.start.key} but is not indented`,
          );
        now.lines.push(list ? line : `  ${line}`);
      } else stray.push({ line: number, text: line });
      continue;
    }
    const inner = now === null || takesWord(now) ? keyLine(line.trimStart()) : null;
    if (inner !== null && skillKey(inner.key) !== null) {
      const message = `${inner.key} is indented, so YAML counts it to another field`;
      const damage: Damage[] = [
        {
          code: tabs ? "frontmatter/tab" : "frontmatter/indentation",
          message: tabs ? tabMessage : message,
          at: 0,
        },
      ];
      begin(inner, line.trimStart(), number, damage);
    } else if (now === null) stray.push({ line: number, text: line });
    else {
      if (tabs) note(now.damage, "frontmatter/tab", tabMessage);
      now.lines.push(line);
    }
  }
  finish();
  return { fields, stray };
}

/** Marks of a merge conflict, and lines without a letter or digit: text of nobody. */
function isRubble(line: string): boolean {
  return /^(?:<{7}|>{7}|={7}|\|{7})(?:\s|$)/.test(line) || !/[\p{L}\p{N}]/u.test(line);
}

function finished(open: Building): Segment {
  const lines = [...open.lines];
  while (lines.length > 1 && lines.at(-1) === "") lines.pop();
  const { key, rest, restAt } = open.start;
  return { key, rest, restAt, lines, line: open.line, damage: open.damage };
}

function note(damage: Damage[], code: Damage["code"], message: string): void {
  if (!damage.some((one) => one.code === code)) damage.push({ code, message, at: 0 });
}

function slipMessage(start: KeyLine): string {
  return start.slip === "frontmatter/wide-colon"
    ? `a full-width colon stands behind ${start.key}`
    : `there is no space behind the colon of ${start.key}`;
}

/** True for a field that is complete after its first line: one word, a flag, or a list in brackets. */
function takesWord(open: Building): boolean {
  if (open.start.rest.trim() === "" || open.block) return false;
  const known = skillKey(open.start.key);
  return known !== null && known !== "metadata" && keyShapes[known] !== "prose";
}

/** Indentation that all fields share; 0 when one stands at the first column. */
function baseIndent(lines: readonly string[]): number {
  for (const line of lines) {
    const text = line.trimStart();
    if (text === "" || text.startsWith("#")) continue;
    return /^ +$/.test(line.slice(0, line.length - text.length)) ? line.length - text.length : 0;
  }
  return 0;
}
