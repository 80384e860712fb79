import type { ValueNode } from "./frontmatter-node.ts";
import { isNull } from "./frontmatter-value.ts";
import { splitOutside } from "./split-outside.ts";

/** File patterns as texts: a list, or one text with commas; commas inside braces don't split (case d-path-globs). */
export function pathPatterns(node: ValueNode): readonly string[] {
  const texts =
    node.kind === "list"
      ? node.items.map((item) => (item.kind === "scalar" ? item.text.trim() : ""))
      : node.kind === "scalar" && !isNull(node)
        ? splitOutside(node.text, ",")
        : [];
  return texts.filter((text) => text !== "");
}

/** Why a file pattern cannot be read, or null. Linear. */
export function patternFault(pattern: string): string | null {
  let braces = 0;
  let parentheses = 0;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern.charAt(index);
    if (character === "\\") {
      if (index === pattern.length - 1) return "it ends with a backslash";
      index++;
    } else if (character === "[") {
      const end = classEnd(pattern, index);
      if (end < 0) return "a [ is never closed";
      if (reversedRange(pattern.slice(index + 1, end))) return "a range between [ and ] runs backwards";
      index = end;
    } else if (character === "{") braces++;
    else if (character === "}" && braces > 0) braces--;
    else if (character === "(" && /[?*+@!]/.test(pattern.charAt(index - 1))) parentheses++;
    else if (character === ")" && parentheses > 0) parentheses--;
  }
  if (braces > 0) return "a { is never closed";
  return parentheses > 0 ? "a ( is never closed" : null;
}

/** Index of the `]` that ends a class; one directly behind `[` or `[!` belongs to the class. */
function classEnd(pattern: string, open: number): number {
  let index = open + 1;
  if (pattern.charAt(index) === "!" || pattern.charAt(index) === "^") index++;
  const first = index;
  for (; index < pattern.length; index++) {
    const character = pattern.charAt(index);
    if (character === "\\") index++;
    else if (character === "]" && index > first) return index;
    else if (character === "/") return -1;
  }
  return -1;
}

function reversedRange(inner: string): boolean {
  for (let index = 1; index < inner.length - 1; index++) {
    if (inner.charAt(index) === "-" && inner.charCodeAt(index - 1) > inner.charCodeAt(index + 1)) {
      return inner.charAt(index - 1) !== "!" && inner.charAt(index - 1) !== "^";
    }
  }
  return false;
}
