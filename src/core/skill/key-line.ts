import type { DiagnosticCode } from "../diagnostics/table.ts";
import { skillKey } from "./skill-keys.ts";

/** One line of damaged frontmatter that begins a field. */
export interface KeyLine {
  readonly key: string;
  /** What stands behind the colon. */
  readonly rest: string;
  /** Index of `rest` in the line. */
  readonly restAt: number;
  /** How the line differs from `key: value`, or null. */
  readonly slip: DiagnosticCode | null;
}

/**
 * Recognises a field's first line where YAML failed: a word without blanks and a colon followed by a blank or the end;
 * for known keys also `key:value`, a full-width colon and blanks in the key (`allowed tools:`). The line is not
 * indented. Anything else belongs to the field before it.
 */
export function keyLine(line: string): KeyLine | null {
  const head = line.slice(0, 120);
  const quoted = /^(["'])([^"'\\]{1,100})\1[ \t]*:(?=[ \t]|$)/.exec(head);
  if (quoted !== null) {
    const restAt = (quoted[0] as string).length;
    return { key: quoted[2] as string, rest: line.slice(restAt), restAt, slip: null };
  }
  const narrow = head.indexOf(":");
  const wide = head.indexOf("：");
  const useWide = wide >= 0 && (narrow < 0 || wide < narrow);
  const colon = useWide ? wide : narrow;
  if (colon <= 0) return null;
  const key = head.slice(0, colon).trimEnd();
  const plain = /^[\p{L}_$][\p{L}\p{N}_.$/+-]*$/u.test(key) || key === "<<";
  const known = /^[A-Za-z][A-Za-z_ -]*$/.test(key) && skillKey(key) !== null;
  if (!plain && !known) return null;
  const rest = line.slice(colon + 1);
  const restAt = colon + 1;
  if (useWide) return known ? { key, rest, restAt, slip: "frontmatter/wide-colon" } : null;
  if (rest === "" || /^[ \t]/.test(rest)) return { key, rest, restAt, slip: null };
  if (!known || rest.startsWith("//")) return null;
  return { key, rest, restAt, slip: "frontmatter/missing-space" };
}
