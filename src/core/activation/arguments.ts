import { type Quoting, splitArguments } from "./argument-words.ts";

/** One agent family's rules for placeholders in a skill's text, as data. */
export interface ArgumentRules {
  /** Number of the first argument. */
  readonly base: 0 | 1;
  readonly quoting: Quoting;
  /** `$ARGUMENTS[N]` is the same as `$N`. */
  readonly indexed: boolean;
  /** `\$1` gives a literal `$1`. */
  readonly escapes: boolean;
  /** `$ARGUMENTSX` is not a placeholder. */
  readonly wholeWords: boolean;
  /** What a number without an argument leaves; a missing named argument is always empty. */
  readonly missing: "keep" | "empty";
  /** The highest number in the text takes all remaining arguments, joined by spaces. */
  readonly lastTakesRest: boolean;
  /** What goes between text and arguments when the text has no place for them; null = they are dropped. */
  readonly append: { readonly lead: string; readonly trimBody: boolean } | null;
}

export interface SubstituteOptions extends ArgumentRules {
  /** Names of the arguments in order, for `$name`. */
  readonly names: readonly string[];
}

/** Counts from 0, shell quotes, escapes, missing numbers stay (case a-substitution; profile `skillet`). */
export const zeroBasedArguments: ArgumentRules = {
  base: 0,
  quoting: "shell",
  indexed: true,
  escapes: true,
  wholeWords: true,
  missing: "keep",
  lastTakesRest: false,
  append: { lead: "\n\nARGUMENTS: ", trimBody: true },
};

/** Counts from 1, the highest number takes the rest, no escapes (golden `opencode.prompt`, `cmd.*`). */
export const oneBasedArguments: ArgumentRules = {
  base: 1,
  quoting: "pairs",
  indexed: false,
  escapes: false,
  wholeWords: false,
  missing: "empty",
  lastTakesRest: true,
  append: { lead: "\n\n", trimBody: false },
};

export interface Placeholder {
  /** UTF-16 offsets; `start` is at `$`, also of an escaped one. */
  readonly start: number;
  readonly end: number;
  /** All arguments, or the place of one (counted from 0; may be negative for `$0` in texts that count from 1). */
  readonly position: "all" | number;
  readonly named: boolean;
  readonly escaped: boolean;
}

const number = /\d+/y;
const bracketed = /\[(\d+)\]/y;
const wordUnit = /[\p{L}\p{N}_]/u;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/**
 * Every placeholder of a text in order, found by one left-to-right pass. Unknown `$words`, `$(…)` and `${…}` are
 * none. Useful by itself for a lint.
 */
export function findPlaceholders(
  body: string,
  rules: Pick<SubstituteOptions, "base" | "indexed" | "escapes" | "wholeWords" | "names">,
): readonly Placeholder[] {
  const names = rules.names.map((name, position) => ({ name, position })).filter(({ name }) => name !== "");
  // Longest first, so that `$bed-side` is not read as `$bed`.
  names.sort((a, b) => b.name.length - a.name.length || a.position - b.position);
  const found: Placeholder[] = [];
  const endsWord = (at: number): boolean => !wordUnit.test(String.fromCodePoint(body.codePointAt(at) ?? 0));

  for (let start = body.indexOf("$"); start >= 0; start = body.indexOf("$", start + 1)) {
    const at = start + 1;
    const escaped = rules.escapes && body[start - 1] === "\\";
    const add = (end: number, position: "all" | number, named = false): void => {
      found.push({ start, end, position, named, escaped });
    };
    if (body.startsWith("ARGUMENTS", at)) {
      const end = at + "ARGUMENTS".length;
      const index = rules.indexed ? matchAt(bracketed, body, end) : null;
      if (index !== null) add(end + index[0].length, Number(index[1]) - rules.base);
      else if (!rules.wholeWords || endsWord(end)) add(end, "all");
      if (found.at(-1)?.start === start) continue;
    }
    const digits = matchAt(number, body, at);
    if (digits !== null) {
      add(at + digits[0].length, Number(digits[0]) - rules.base);
      continue;
    }
    const named = names.find(({ name }) => body.startsWith(name, at) && endsWord(at + name.length));
    if (named !== undefined) add(at + named.name.length, named.position, true);
  }
  return found;
}

/**
 * Puts arguments into a skill's text in one pass: inserted values are never looked at again, whatever they contain
 * (row B15, feature id a-substitution). `argumentText` is what was typed after the name, as typed. Arguments for
 * which the text has no place are appended as the rules say. Never throws.
 */
export function substituteArguments(body: string, argumentText: string, options: SubstituteOptions): string {
  const words = splitArguments(argumentText, options.quoting);
  const placeholders = findPlaceholders(body, options);
  const last = placeholders.reduce(
    (highest, { position, named }) => (position === "all" || named ? highest : Math.max(highest, position)),
    Number.NEGATIVE_INFINITY,
  );
  let text = "";
  let copied = 0;
  let used = false;
  for (const { start, end, position, named, escaped } of placeholders) {
    if (escaped) {
      text += body.slice(copied, start - 1);
      copied = start;
      continue;
    }
    const value =
      position === "all"
        ? argumentText
        : options.lastTakesRest && !named && position === last && position >= 0
          ? words.slice(position).join(" ")
          : words[position];
    if (value === undefined && options.missing === "keep" && !named) continue;
    text += body.slice(copied, start) + (value ?? "");
    copied = end;
    used = true;
  }
  text += body.slice(copied);
  if (used || options.append === null || argumentText.trim() === "") return text;
  return `${options.append.trimBody ? text.trimEnd() : text}${options.append.lead}${argumentText}`;
}
