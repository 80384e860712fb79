import measure from "fast-string-truncated-width";

const plain = /^[ -~]*$/;

/** Columns that a text without control characters takes in a terminal: 2 for wide characters, 0 for combining ones. */
export function textWidth(text: string): number {
  return plain.test(text) ? text.length : measure(text).width;
}

/** Cuts a text to at most `width` columns, ending in `ellipsis` when something was cut. */
export function truncate(text: string, width: number, ellipsis: string): string {
  if (text.length <= width / 2 || textWidth(text) <= width) return text;
  const room = width - textWidth(ellipsis);
  return room <= 0 ? head(text, width) : head(text, room).trimEnd() + ellipsis;
}

/** Fills a text with blanks up to `width` columns. */
export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - textWidth(text)));
}

/** Breaks running text into lines of at most `width` columns, between words where it can. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (textWidth(joined) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (textWidth(line) > width) {
      const part = breakable(head(line, width));
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}

/** Where a word is too long for a line: behind its last slash, when that keeps at least a third of it. */
function breakable(part: string): string {
  const slash = part.lastIndexOf("/") + 1;
  return slash > part.length / 3 ? part.slice(0, slash) : part;
}

/** The longest beginning that fits, at least one character, never half a pair. */
function head(text: string, width: number): string {
  if (plain.test(text)) return text.slice(0, Math.max(1, width));
  let end = Math.max(1, measure(text, { limit: width }).index);
  if (/[\ud800-\udbff]/.test(text[end - 1] ?? "")) end += 1;
  let part = text.slice(0, end);
  while (part.length > 1 && measure(part).width > width)
    part = part.slice(0, /[\udc00-\udfff]$/.test(part) ? -2 : -1);
  return part === "" ? text.slice(0, end) : part;
}
