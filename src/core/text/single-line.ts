/** Runs of white space and line breaks become one space; outer ones go. For one-line listings. Linear. */
export function singleLine(text: string): string {
  if (!/[\s\x85]/.test(text)) return text;
  return text
    .split(/[\s\x85]+/)
    .filter((part) => part !== "")
    .join(" ");
}

/** Length in code points, the unit of every length rule of the published standard. */
export function codePointLength(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length - 1; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0xd800 || unit > 0xdbff) continue;
    const next = text.charCodeAt(index + 1);
    if (next >= 0xdc00 && next <= 0xdfff) {
      length--;
      index++;
    }
  }
  return length;
}

/** The first `limit` code points, never half a pair; the same string when it is not longer. */
export function cutCodePoints(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let index = 0;
  for (let count = 0; count < limit && index < text.length; count++) {
    index += (text.codePointAt(index) as number) > 0xffff ? 2 : 1;
  }
  return index >= text.length ? text : text.slice(0, index);
}
