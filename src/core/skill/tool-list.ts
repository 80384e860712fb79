import type { ValueNode } from "./frontmatter-node.ts";
import { isNull } from "./frontmatter-value.ts";
import { splitOutside } from "./split-outside.ts";

/**
 * Tool patterns in any spelling: list, commas, blanks, mixed; separators in parentheses don't split; `Bash (ls)` is one
 * pattern (case p-allowed-tools). A mapping gives `key(value)`. In order, without repetitions.
 */
export function toolList(node: ValueNode, source: string): readonly string[] {
  const patterns: string[] = [];
  for (const text of toolTexts(node, source)) {
    for (const part of splitOutside(text, "blank")) {
      const pattern = unwrapped(part);
      if (pattern === "") continue;
      const last = patterns.length - 1;
      if (pattern.startsWith("(") && last >= 0) patterns[last] += pattern;
      else patterns.push(pattern);
    }
  }
  return patterns.length < 2 ? patterns : [...new Set(patterns)];
}

function toolTexts(node: ValueNode, source: string): readonly string[] {
  if (node.kind === "scalar") return isNull(node) ? [] : [node.text];
  if (node.kind === "map") {
    return node.entries.map(({ key, value }) => {
      const inner = value.kind === "scalar" ? value.text : "*";
      return inner === "" || inner === "*" || inner === "true" ? key : `${key}(${inner})`;
    });
  }
  const texts = node.items.map((item) => (item.kind === "scalar" ? item.text : ""));
  // YAML cuts a bracketed list at every comma, also inside parentheses: `[Bash(a, b), Read]`.
  if (node.flow && texts.some((text) => unbalanced(text)))
    return [source.slice(node.start + 1, node.end - 1)];
  return texts;
}

function unbalanced(text: string): boolean {
  return text.split("(").length !== text.split(")").length;
}

function unwrapped(part: string): string {
  const first = part.charAt(0);
  return part.length >= 2 && (first === '"' || first === "'") && part.endsWith(first)
    ? part.slice(1, -1)
    : part;
}
