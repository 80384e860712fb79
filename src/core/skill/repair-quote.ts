import type { DiagnosticCode } from "../diagnostics/table.ts";
import { rawText } from "./raw-text.ts";

export interface QuoteRepair {
  readonly text: string;
  readonly code: DiagnosticCode;
  readonly message: string;
}

/**
 * The text meant by a value that begins with a quote and that YAML refuses. The quotes belong to the text when only
 * a first part is quoted (`"Quick" planner`), and wrap it when the value also ends with one (`'it's here'`); a quote
 * that never closes is dropped.
 */
export function repairedQuote(raw: string, key: string): QuoteRepair {
  const quote = raw.charAt(0);
  const text = rawText(raw);
  const inner = text.slice(1);
  const second = closingQuote(inner, quote);
  if (second < 0) {
    const dangling = inner.endsWith("\\") ? inner.slice(0, -1) : inner;
    return {
      text: plain(dangling, quote),
      code: "frontmatter/unclosed-quote",
      message: `the quote that ${key} begins with is never closed`,
    };
  }
  const comment = /^\s+#/.test(inner.slice(second + 1));
  if (second === inner.length - 1 || comment) {
    return {
      text: plain(inner.slice(0, second), quote),
      code: "frontmatter/escape",
      message: `a backslash in the double quotes of ${key} is no escape that YAML knows; it was kept as written`,
    };
  }
  // An inner quote that stands at the end of a word closes a quoted part; any other one is inside the text.
  const before = inner.charAt(second - 1);
  const after = inner.charAt(second + 1);
  const closesPart = second > 0 && !/\s/.test(before) && /[\s.,;:!?)\]]/.test(after);
  if (text.length > 1 && inner.endsWith(quote) && !closesPart) {
    return {
      text: plain(inner.slice(0, -1), quote),
      code: "frontmatter/inner-quote",
      message: `${key} has a ${quote} inside its quotes`,
    };
  }
  return {
    text,
    code: "frontmatter/text-after-quote",
    message: `${key} begins with a quoted part and goes on behind it, so it starts with a reserved character`,
  };
}

/** Index of the first quote in `inner` that is not escaped, else -1. */
function closingQuote(inner: string, quote: string): number {
  for (let index = 0; index < inner.length; index++) {
    const character = inner.charAt(index);
    if (quote === '"' && character === "\\") index++;
    else if (character === quote) {
      if (quote === "'" && inner.charAt(index + 1) === "'") index++;
      else return index;
    }
  }
  return -1;
}

function plain(text: string, quote: string): string {
  const value = quote === "'" ? text.replaceAll("''", "'") : text.replace(/\\(["\\])/g, "$1");
  return value.trim();
}
