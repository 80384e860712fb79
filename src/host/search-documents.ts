import { createHash } from "node:crypto";
import type { SearchDocument } from "../core/search/search-index.ts";
import type { Skill } from "../core/snapshot.ts";

/** What search may know of one skill. */
export function searchDocument(
  skill: Skill,
  texts: { readonly body: string; readonly examples?: readonly string[] },
): SearchDocument {
  return {
    name: skill.name,
    location: skill.location,
    aliases: skill.aliases,
    localized: [...Object.values(skill.displayNames), ...Object.values(skill.descriptions)],
    description: skill.description ?? "",
    whenToUse: skill.whenToUse ?? "",
    examples: texts.examples ?? [],
    body: texts.body,
  };
}

/** A digest that changes whenever something changes that search knows of a skill. */
export function searchKey(skill: Skill, examples: readonly string[]): string {
  const parts = JSON.stringify([
    skill.location,
    skill.digest,
    skill.name,
    skill.aliases,
    skill.displayNames,
    skill.descriptions,
    skill.description,
    skill.whenToUse,
    examples,
  ]);
  return createHash("sha256").update(parts).digest("hex").slice(0, 32);
}
