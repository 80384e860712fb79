import { GFM, parser } from "@lezer/markdown";
import type { TextSpan } from "../core/activation/expand.ts";

/** Nodes whose text is taken literally: code of every kind, addresses, and HTML. */
const literal: ReadonlySet<string> = new Set([
  "FencedCode",
  "CodeBlock",
  "InlineCode",
  "URL",
  "Autolink",
  "LinkReference",
  "HTMLBlock",
  "HTMLTag",
  "Comment",
  "CommentBlock",
  "ProcessingInstruction",
  "ProcessingInstructionBlock",
]);

const markdown = parser.configure(GFM);

/** Longer texts are no messages; the rest is not looked at. UTF-16 units. */
const longest = 2_000_000;

/** Units that are parsed at once: some texts (emphasis, nested lists, links) take the parser quadratic time (row A15). */
const chunk = 8_192;

/** Blanks inside a line, as many as nobody types: the parser looks ahead from each of them. */
const blanks = /(?<=[^ \t\n])[ \t]{64,}/g;

/**
 * Code, addresses and HTML of a Markdown text, in order and without overlaps. A long text is parsed in parts that end
 * at an empty line where there is one; a fence that is open there stays open. This module loads the parser.
 */
export function markdownLiterals(text: string): readonly TextSpan[] {
  const spans: { start: number; end: number }[] = [];
  const whole = text.slice(0, longest).replace(blanks, (run) => " .".repeat(run.length).slice(0, run.length));
  let fence = "";
  for (let from = 0; from < whole.length; ) {
    const to = partEnd(whole, from);
    const part = whole.slice(from, to);
    const opening = fence === "" ? "" : `${fence}\n`;
    collect(opening + part, { from, lead: opening.length }, spans);
    fence = fenceAfter(part, fence);
    from = to;
  }
  return spans;
}

/** Adds the literals of one part that begins at `at.from` of the text, behind `at.lead` units that are not in it. */
function collect(
  part: string,
  at: { readonly from: number; readonly lead: number },
  spans: { start: number; end: number }[],
): void {
  const offset = at.from - at.lead;
  markdown.parse(part).iterate({
    enter: ({ name, from, to }) => {
      if (!literal.has(name)) return true;
      const [start, end] = [Math.max(at.from, from + offset), to + offset];
      const last = spans.at(-1);
      if (end > start && (last === undefined || start >= last.end)) spans.push({ start, end });
      return false;
    },
  });
}

function partEnd(text: string, from: number): number {
  const limit = from + chunk;
  if (limit >= text.length) return text.length;
  const empty = text.lastIndexOf("\n\n", limit - 2);
  if (empty > from) return empty + 2;
  const line = text.lastIndexOf("\n", limit - 1);
  return line > from ? line + 1 : limit;
}

/** The mark of the fence that is open behind a part, given the one that is open before it; "" when none is. */
function fenceAfter(part: string, before: string): string {
  let open = before;
  for (const line of part.split("\n")) {
    const [, mark = "", rest = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (mark === "") continue;
    if (open === "") open = mark.startsWith("`") && rest.includes("`") ? "" : mark;
    else if (mark.startsWith(open) && rest.trim() === "") open = "";
  }
  return open;
}
