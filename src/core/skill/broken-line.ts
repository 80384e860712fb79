import { fastEntries } from "./fast-entries.ts";

/** A field whose plain text holds a colon and a blank: the commonest slip, and never YAML. */
const slip =
  /^[A-Za-z_][\w-]{0,60}: [A-Za-z][^\n&*!{}[\]#|>%@`\\\t]*?: [^\n&*!{}[\]#|>%@`\\\t]*\n(?![ \t])/gm;

/** Controls, blanks of other kinds and marks of byte order: whether they end or belong to a text, the library decides. */
const unusual = /[^\n -~\u00a1-\u167f\u2010-\u2027\u2030-\u205e\u2070-\u2fff\u3001-\ufefe\uff00-\uffef]/;

/**
 * True where it is certain that the YAML library would refuse a text and the guard would not: without the lines that
 * have the commonest slip, the fast reader reads the rest. Saves the library, which takes longer to refuse than to read.
 */
export function isBrokenForSure(
  text: string,
  options: { readonly line: number; readonly keys: number },
): boolean {
  if (text.length > 4096 || unusual.test(text)) return false;
  const rest = text.replace(slip, "");
  return rest !== text && fastEntries(rest, options) !== null;
}
