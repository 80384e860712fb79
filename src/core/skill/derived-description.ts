import { withoutHidden } from "../text/hidden-characters.ts";
import { codePointLength, cutCodePoints, singleLine } from "../text/single-line.ts";

/** Longest description taken from a body, in code points: the standard's limit. */
const longest = 1024;

/**
 * A description from the Markdown text: its first paragraph on one line. Headings, HTML comments and tags, badges and
 * images, rules, code blocks and tables are passed over; a list serves only when there is no paragraph. Null when
 * nothing is left (case p-missing-fields, feature X4). Hidden characters are removed.
 */
export function derivedDescription(body: string): string | null {
  const lines = body.split(/\r\n|\n|\r/);
  let paragraph: string[] = [];
  let listItem: string | null = null;
  let fence = "";
  let comment = false;
  for (const [index, raw] of lines.entries()) {
    let line = raw.trim();
    if (fence !== "") {
      if (line.startsWith(fence) && line.replaceAll(fence.charAt(0), "") === "") fence = "";
      continue;
    }
    if (comment) {
      const end = line.indexOf("-->");
      if (end < 0) continue;
      comment = false;
      line = line.slice(end + 3).trim();
    }
    const opened = /^(`{3,}|~{3,})/.exec(line)?.[1];
    if (opened !== undefined) {
      if (paragraph.length > 0) break;
      fence = opened;
      continue;
    }
    if (line.includes("<!--")) {
      const cut = withoutComments(line);
      line = cut.text;
      comment = cut.open;
    }
    if (line === "" || isOrnament(line)) {
      if (paragraph.length > 0) break;
      continue;
    }
    if (/^(=+|-+)$/.test((lines[index + 1] ?? "").trim()) && paragraph.length === 0) continue;
    if (/^(=+|-+)$/.test(line)) continue;
    const item = /^(?:[-*+]|\d{1,9}[.)])\s+(.*)$/.exec(line);
    if (item !== null && paragraph.length === 0) {
      listItem ??= item[1] ?? null;
      continue;
    }
    if (item !== null) break;
    if (paragraph.length === 0 && /^( {4}|\t)/.test(raw)) continue;
    paragraph.push(line.replace(/^>\s?/, ""));
  }
  paragraph = paragraph.filter((line) => line !== "");
  const text = singleLine(withoutHidden(paragraph.length > 0 ? paragraph.join(" ") : (listItem ?? "")));
  if (text === "") return null;
  return codePointLength(text) <= longest ? text : `${cutCodePoints(text, longest - 1).trimEnd()}…`;
}

/** Headings, rules, tables, images, badges and lines of nothing but HTML tags. */
function isOrnament(line: string): boolean {
  if (/^#{1,6}(\s|$)/.test(line) || /^([-*_])(\s*\1){2,}$/.test(line) || line.startsWith("|")) return true;
  const first = line.charAt(0);
  // Longer lines are text; the patterns below would take too long on hostile ones.
  if ((first !== "[" && first !== "!" && first !== "<") || line.length > 1000) return false;
  const rest = line
    .replace(/\[?!\[[^\]]*\]\([^()\s]*\)(?:\]\([^()\s]*\))?/g, "")
    .replace(/<\/?[A-Za-z][^<>]*>/g, "");
  return rest.trim() === "" || /^\[[^\]]+\]:\s/.test(line);
}

function withoutComments(line: string): { readonly text: string; readonly open: boolean } {
  let text = "";
  let from = 0;
  for (;;) {
    const start = line.indexOf("<!--", from);
    if (start < 0) return { text: (text + line.slice(from)).trim(), open: false };
    text += line.slice(from, start);
    const end = line.indexOf("-->", start + 4);
    if (end < 0) return { text: text.trim(), open: true };
    from = end + 3;
  }
}
