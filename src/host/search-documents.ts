import type { SearchDocument } from "../core/search/search-index.ts";
import type { Skill } from "../core/snapshot.ts";

/** What search may know of one skill. */
export function searchDocument(skill: Skill, body: string): SearchDocument {
  return {
    name: skill.name,
    location: skill.location,
    aliases: skill.aliases,
    localized: [...Object.values(skill.displayNames), ...Object.values(skill.descriptions)],
    description: skill.description ?? "",
    whenToUse: skill.whenToUse ?? "",
    body,
  };
}
