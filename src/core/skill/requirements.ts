import type { FrontmatterValue, SkillRequirements } from "./document.ts";
import { addFinding, type Findings } from "./findings.ts";
import type { Entry } from "./frontmatter-node.ts";
import { frontmatterValue } from "./frontmatter-value.ts";

const kinds: ReadonlyMap<string, keyof SkillRequirements> = new Map([
  ["bins", "bins"],
  ["bin", "bins"],
  ["anybins", "anyBins"],
  ["env", "env"],
  ["os", "os"],
  ["tools", "tools"],
  ["features", "features"],
  ["mcpservers", "mcpServers"],
]);

/** OpenClaw's part of `metadata`, also under its two earlier names, which most files still have. */
const gateSections = ["openclaw", "clawdbot", "moltbot"];

type Lists = { [K in keyof SkillRequirements]: string[] };

/**
 * Facts that must hold: `requires` and, as OpenClaw writes them, `metadata.openclaw.requires` and
 * `metadata.openclaw.os` (field.md B4; also under its earlier names). Values are lists or texts with commas. A `requires` that is no mapping has no
 * known meaning and is given back as `unused`, so that nothing is hidden by a guess.
 */
export function skillRequirements(
  entry: Entry | null,
  metadata: Readonly<Record<string, FrontmatterValue>>,
  findings: Findings,
): { readonly requires: SkillRequirements | null; readonly unused: Entry | null } {
  const sections = gateSections
    .map((key) => (Object.hasOwn(metadata, key) ? metadata[key] : undefined))
    .filter(isRecord);
  if (entry === null && sections.length === 0) return { requires: null, unused: null };
  const lists: Lists = { bins: [], anyBins: [], env: [], os: [], tools: [], features: [], mcpServers: [] };
  let unused: Entry | null = null;
  if (entry !== null) {
    const value = frontmatterValue(entry.value, false);
    if (isRecord(value)) addAll(lists, value);
    else if (value !== null) {
      unused = entry;
      const message = "requires is not a mapping such as bins: [git]; kept as data, without effect";
      addFinding(findings, "frontmatter/wrong-shape", message, { entry });
    }
  }
  for (const section of sections) {
    if (isRecord(section.requires)) addAll(lists, section.requires);
    if (section.os !== undefined) addTo(lists.os, section.os);
  }
  const some = Object.values(lists).some((list) => list.length > 0);
  return { requires: some ? lists : null, unused };
}

function addAll(lists: Lists, value: Readonly<Record<string, FrontmatterValue>>): void {
  for (const [key, inner] of Object.entries(value)) {
    const kind = kinds.get(key.toLowerCase().replace(/[-_]/g, ""));
    if (kind !== undefined) addTo(lists[kind], inner);
  }
}

function addTo(list: string[], value: FrontmatterValue): void {
  const items = Array.isArray(value) ? value : typeof value === "string" ? value.split(",") : [];
  for (const item of items) {
    const text = typeof item === "string" ? item.trim() : "";
    if (text !== "" && !list.includes(text) && list.length < 200) list.push(text);
  }
}

function isRecord(
  value: FrontmatterValue | undefined,
): value is { readonly [key: string]: FrontmatterValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
