import type { Catalog, CatalogEntry, CatalogRequest, VisibleSkill } from "../../profile.ts";
import { fileUrl } from "../../text/file-url.ts";
import { evaluate, isDisabled } from "../../visibility/permission.ts";

/** How one generation and version of the program tells a model about skills. */
export interface CatalogRules {
  /** The `<location>` line: none, the path with XML escapes, or a file URL (decision D1). */
  readonly location: "none" | "escaped-path" | "file-url";
  /**
   * When nothing is mounted at all: when the tool is off, or when no skill is left and every name is denied
   * (features O16, O19).
   */
  readonly absent: "tool-off" | "all-denied";
}

const intro = [
  "Skills provide specialized instructions and workflows for specific tasks.",
  "Use the skill tool to load a skill when a task matches its description.",
];
const empty = "No skills are currently available.";

/** The program sorts by English collation whatever the machine's locale (golden `v2p.sorted`). */
const collator = new Intl.Collator("en");

export function byCollation(a: VisibleSkill, b: VisibleSkill): number {
  return collator.compare(a.skill.name, b.skill.name);
}

/** Byte exact to the program: names and descriptions go in as they are (notes of the profile). */
export function openCodeCatalog(request: CatalogRequest, rules: CatalogRules): Catalog {
  const off =
    rules.absent === "tool-off"
      ? isDisabled(request.permission, "skill")
      : request.skills.length === 0 && evaluate(request.permission, "skill", "*").action === "deny";
  if (off) return { text: null, tokens: 0, budget: null, overflow: "none", skills: [] };

  const sorted = [...request.skills].sort(byCollation);
  const blocks: string[] = [];
  const entries: CatalogEntry[] = [];
  for (const { skill } of sorted) {
    const { name, description } = skill;
    if (description === null) {
      const reason = "It has no description, so no model is told of it; it can be loaded by name.";
      entries.push({ name, state: "omitted", tokens: 0, reason, code: "no-description" });
      continue;
    }
    const block = [
      "  <skill>",
      `    <name>${name}</name>`,
      `    <description>${description}</description>`,
      ...locationLine(skill.location, rules.location),
      "  </skill>",
    ].join("\n");
    blocks.push(block);
    entries.push({ name, state: "full", tokens: request.counter.count(block), reason: null });
  }
  const list = blocks.length === 0 ? [empty] : ["<available_skills>", ...blocks, "</available_skills>"];
  const text = [...intro, ...list].join("\n");
  return { text, tokens: request.counter.count(text), budget: null, overflow: "none", skills: entries };
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function locationLine(location: string, form: CatalogRules["location"]): readonly string[] {
  if (form === "none") return [];
  const shown =
    form === "file-url"
      ? fileUrl(location)
      : location.replace(/[&<>"']/g, (character) => entities[character] ?? character);
  return [`    <location>${shown}</location>`];
}
