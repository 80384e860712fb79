import type { SkillDocument } from "./document.ts";
import type { Entry, ListNode, ScalarNode, ValueNode } from "./frontmatter-node.ts";
import { pathPatterns } from "./path-patterns.ts";
import { keyShapes, type SkillKey } from "./skill-keys.ts";
import { toolList } from "./tool-list.ts";
import { yamlKey, yamlNode } from "./yaml-node.ts";
import { yamlProse, yamlText } from "./yaml-text.ts";

/** The lines of one field as the reader understood it; none for a field whose value came to nothing. */
export function fieldYaml(key: SkillKey, entry: Entry, document: SkillDocument): readonly string[] {
  const shape = keyShapes[key];
  if (shape === "flag") {
    const value = key === "user-invocable" ? document.userInvocable : document.disableModelInvocation;
    return [`${key}: ${value}`];
  }
  if (shape === "map") return entryYaml(key, entry);
  if (shape === "list") return listYaml(key, entry, document);
  const text = textOf(key, document);
  if (text === null) return [`${key}:`];
  return [`${key}: ${shape === "word" ? yamlText(text) : yamlProse(text)}`];
}

/** The lines of a field from its value as read. */
export function entryYaml(key: string, entry: Entry): readonly string[] {
  const [first, ...rest] = yamlNode(entry.value);
  return [`${yamlKey(key)}:${first ?? ""}`, ...rest];
}

function textOf(key: SkillKey, document: SkillDocument): string | null {
  switch (key) {
    case "name":
      return document.name;
    case "description":
      return document.description;
    case "license":
      return document.license;
    case "compatibility":
      return document.compatibility;
    case "title":
      return document.title;
    case "when_to_use":
      return document.whenToUse;
    case "argument-hint":
      return document.argumentHint;
    default:
      return null;
  }
}

function listYaml(key: SkillKey, entry: Entry, document: SkillDocument): readonly string[] {
  if (key === "allowed-tools") return toolYaml(key, entry, document.allowedTools);
  const items =
    key === "paths"
      ? pathPatterns(entry.value)
      : key === "aliases"
        ? document.aliases
        : document.argumentNames;
  if (key === "paths" && entry.value.kind === "map") return entryYaml(key, entry);
  return items.length === 0 ? [`${key}: []`] : [`${key}:`, ...items.map((item) => `  - ${yamlText(item)}`)];
}

/** One text, separated by blanks, is the published format; what it can't hold stays a list. */
function toolYaml(key: string, entry: Entry, tools: readonly string[]): readonly string[] {
  if (tools.length === 0) return [`${key}:`];
  const joined = tools.join(" ");
  const scalar = (text: string): ScalarNode => ({ kind: "scalar", style: "quoted", text, start: 0, end: 0 });
  const same = (node: ValueNode): boolean => toolList(node, "").join("\n") === tools.join("\n");
  if (same(scalar(joined))) return [`${key}: ${yamlProse(joined)}`];
  const items: ListNode = { kind: "list", flow: false, items: tools.map(scalar), start: 0, end: 0 };
  return same(items) ? [`${key}:`, ...tools.map((tool) => `  - ${yamlText(tool)}`)] : entryYaml(key, entry);
}
