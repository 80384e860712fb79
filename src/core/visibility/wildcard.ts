const STAR = 0x2a;
const QUESTION = 0x3f;
const SLASH = 0x2f;
const BACKSLASH = 0x5c;

/** `\` and `/` are one character for matching, so that a rule written on one system holds on the other. */
function unit(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code === BACKSLASH ? SLASH : code;
}

/**
 * Greedy two-pointer match of `value` against the first `end` units of `pattern`. Only the last `*` met is ever
 * retried: an earlier one could not reach further, so there is no backtracking over several stars.
 */
function matchWhole(value: string, pattern: string, end: number): boolean {
  let v = 0;
  let p = 0;
  let star = -1;
  let resume = 0;
  while (v < value.length) {
    const code = p < end ? pattern.charCodeAt(p) : -1;
    if (code === STAR) {
      star = p++;
      resume = v;
    } else if (p < end && (code === QUESTION || unit(pattern, p) === unit(value, v))) {
      p++;
      v++;
    } else if (star >= 0) {
      p = star + 1;
      v = ++resume;
    } else return false;
  }
  while (p < end && pattern.charCodeAt(p) === STAR) p++;
  return p === end;
}

/**
 * Whole match of `value` against a permission pattern (spec mimo-opencode 4.4, golden `mimo.wildcard`, feature O11):
 * `*` is any run (line breaks and `/` too), `?` one UTF-16 unit, `\` equals `/` on both sides, a trailing ` *` is
 * optional together with its space, everything else is literal and case-sensitive. No regular expression is built.
 */
export function matchWildcard(value: string, pattern: string): boolean {
  if (matchWhole(value, pattern, pattern.length)) return true;
  return pattern.endsWith(" *") && matchWhole(value, pattern, pattern.length - 2);
}
