import { normalize } from "../../path.ts";
import type { Catalog, CatalogRequest } from "../../profile.ts";
import { fileUrl } from "../../text/file-url.ts";
import { isDisabled } from "../../visibility/permission.ts";

/** A skill as the catalog shows it. */
export interface MimoCatalogSkill {
  readonly name: string;
  readonly description: string | null;
  readonly location: string;
}

/** English collation whatever the machine's locale. */
const collator = new Intl.Collator("en");

export function byMimoName(a: { readonly name: string }, b: { readonly name: string }): number {
  return collator.compare(a.name, b.name);
}

const empty = "No skills are currently available.";

/** The line before the list in the system prompt (feature M12). */
export const catalogHeading = "Skills available in this session:";

/**
 * The list of skills, sorted by name, nothing escaped (golden `mimo.catalog`): with places as tags, or brief as
 * Markdown.
 */
export function mimoCatalogText(
  skills: readonly MimoCatalogSkill[],
  { verbose }: { readonly verbose: boolean },
): string {
  if (skills.length === 0) return empty;
  const sorted = [...skills].sort(byMimoName);
  if (!verbose)
    return [
      "## Available Skills",
      ...sorted.map(({ name, description }) => `- **${name}**: ${description ?? ""}`),
    ].join("\n");
  return ["<available_skills>", ...sorted.map(block), "</available_skills>"].join("\n");
}

function block({ name, description, location }: MimoCatalogSkill): string {
  return [
    "  <skill>",
    `    <name>${name}</name>`,
    `    <description>${description ?? ""}</description>`,
    `    <location>${fileUrl(normalize(location))}</location>`,
    "  </skill>",
  ].join("\n");
}

/** The section at the end of the system prompt; absent when the agent may not use `skill` at all. */
export function mimoCatalog({ skills, permission, counter }: CatalogRequest): Catalog {
  if (isDisabled(permission, "skill"))
    return { text: null, tokens: 0, budget: null, overflow: "none", skills: [] };
  const shown = skills.map(({ skill }) => skill).sort(byMimoName);
  const text = `${catalogHeading}\n${mimoCatalogText(shown, { verbose: true })}`;
  return {
    text,
    tokens: counter.count(text),
    budget: null,
    overflow: "none",
    skills: shown.map((skill) => ({
      name: skill.name,
      state: "full",
      tokens: counter.count(block(skill)),
      reason: null,
    })),
  };
}
