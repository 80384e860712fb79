import { withoutHidden } from "../text/hidden-characters.ts";
import type { MapNode, ScalarNode, ValueNode } from "./frontmatter-node.ts";
import { forbiddenKey } from "./frontmatter-value.ts";
import { quotedYaml, yamlText } from "./yaml-text.ts";

/**
 * A value as YAML lines that follow `key:`: the first goes on its line (with a leading blank), the others below,
 * indented by `indent` blanks. Plain texts keep their source, so that numbers and booleans stay what they are; all
 * else is quoted where needed.
 */
export function yamlNode(node: ValueNode, indent = 2): readonly string[] {
  if (node.kind === "scalar") {
    const text = scalarYaml(node);
    return [text === "" ? "" : ` ${text}`];
  }
  const space = " ".repeat(indent);
  const lines: string[] = [""];
  if (node.kind === "list") {
    if (node.items.length === 0) return [" []"];
    for (const item of node.items) {
      if (item.kind === "scalar") lines.push(`${space}-${yamlNode(item)[0] || ' ""'}`);
      else lines.push(`${space}- ${flowYaml(item)}`);
    }
    return lines;
  }
  const entries = uniqueEntries(node);
  if (entries.length === 0) return [" {}"];
  for (const { key, value } of entries) {
    const [first, ...rest] = yamlNode(value, indent + 2);
    lines.push(`${space}${yamlKey(key)}:${first ?? ""}`, ...rest);
  }
  return lines;
}

/** A key as YAML: plain if it is a word, else quoted. */
export function yamlKey(key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_.$/-]*$/u.test(key) ? key : quotedYaml(key);
}

/** Lists and mappings inside of lists, on one line. */
function flowYaml(node: ValueNode): string {
  if (node.kind === "scalar") return node.style === "plain" ? flowPlain(node) : quotedYaml(visibleText(node));
  if (node.kind === "list") return `[${node.items.map(flowYaml).join(", ")}]`;
  return `{${uniqueEntries(node)
    .map(({ key, value }) => `${yamlKey(key)}: ${flowYaml(value)}`)
    .join(", ")}}`;
}

function flowPlain(node: ScalarNode): string {
  const text = visibleText(node);
  return text === "" ? "null" : /^[\p{L}\p{N}_.-]+$/u.test(text) ? text : quotedYaml(text);
}

function scalarYaml(node: ScalarNode): string {
  const text = visibleText(node);
  if (node.style !== "plain") return text === "" ? '""' : yamlText(text);
  // A plain text of several lines would need its indentation back.
  return text === node.text && !text.includes("\n") ? text : quotedYaml(text);
}

function visibleText(node: ScalarNode): string {
  return withoutHidden(node.style === "block" ? node.text.trimEnd() : node.text);
}

function uniqueEntries(node: MapNode): MapNode["entries"] {
  const seen = new Set<string>([forbiddenKey]);
  return node.entries.filter(({ key }) => {
    const first = !seen.has(key);
    seen.add(key);
    return first;
  });
}
