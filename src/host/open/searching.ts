import type { ProfileSearch, VisibleSkill } from "../../core/profile.ts";
import { loadedAtOnce, type SkillSearch, type SkillTexts } from "../skill-search.ts";
import type { Skills } from "../skills.ts";
import type { Picture } from "./survey.ts";

/** What a search needs of an open set. */
export interface SearchParts {
  current(): Picture;
  visible(): readonly VisibleSkill[];
  readonly index: SkillSearch;
  readonly texts: SkillTexts;
  readonly load: Skills["load"];
}

/** Search by this project's ranking, or by the mirrored system's own where the profile has one. */
export function createSearching(parts: SearchParts): Required<Pick<Skills, "search" | "searchTool">> {
  const { visible, index, texts, load } = parts;
  return {
    search: (query, request = {}) => {
      const { profile, configuration } = parts.current();
      if (profile.search !== undefined) return mirroredSearch(profile.search, query, visible());
      const { limit, autoLoad } = configuration.search;
      const results = index.index(visible(), texts).search(query, {
        limit: request.limit ?? (query.trim() === "" ? visible().length : limit),
        explain: request.explain === true,
      });
      const asked = request.autoLoad ?? autoLoad;
      return { results, autoLoad: asked ? loadedAtOnce(results, visible()) : null };
    },
    searchTool: (query, request = {}) => {
      const own = parts.current().profile.search;
      if (own === undefined) return null;
      const answer = own.rank(query, visible());
      const loaded =
        answer.autoLoad === null ? null : load(answer.autoLoad, { approved: request.approved === true });
      return loaded?.status === "loaded"
        ? own.toolText(answer, loaded.output)
        : own.toolText({ ...answer, autoLoad: null }, null);
    },
  };
}

/** Hits of a system's own search; its score serves as the probability. */
function mirroredSearch(
  own: ProfileSearch,
  query: string,
  skills: readonly VisibleSkill[],
): ReturnType<Skills["search"]> {
  const { results, autoLoad } = own.rank(query, skills);
  const places = new Map(skills.map(({ skill }) => [skill.name, skill.location]));
  return {
    results: results.map(({ name, score, reason }) => ({
      name,
      location: places.get(name) ?? "",
      score,
      probability: score,
      reason,
    })),
    autoLoad,
  };
}
