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

/** Longer texts are no messages; in them nothing but fences would be worth the time. UTF-16 units. */
const longest = 2_000_000;

/** Code, addresses and HTML of a Markdown text, in order and without overlaps. This module loads the parser. */
export function markdownLiterals(text: string): readonly TextSpan[] {
  const spans: { start: number; end: number }[] = [];
  markdown.parse(text.length > longest ? text.slice(0, longest) : text).iterate({
    enter: ({ name, from, to }) => {
      if (!literal.has(name)) return true;
      const last = spans.at(-1);
      if (last === undefined || from >= last.end) spans.push({ start: from, end: to });
      return false;
    },
  });
  return spans;
}
