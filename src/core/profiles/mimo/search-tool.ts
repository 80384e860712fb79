import type { ProfileSearch, VisibleSkill } from "../../profile.ts";
import { byMimoName } from "./catalog.ts";
import { hasChineseText } from "./commands.ts";
import { chineseAliases } from "./locale.ts";
import { mimoSearchText, searchMimo } from "./search.ts";

/** The `skill_search` tool (features M14, M15): the pool in order of names, with Chinese names of bundled skills (M16). */
export const mimoSearch: ProfileSearch = {
  rank: (query, skills) => {
    const answer = searchMimo(query, pool(skills));
    return { results: answer.results, autoLoad: answer.loaded_skill_id };
  },
  rankTexts: (query, texts) => {
    const answer = searchMimo(query, texts);
    return { results: answer.results, autoLoad: answer.loaded_skill_id };
  },
  toolText: ({ results, autoLoad }, content) => {
    const text = mimoSearchText({
      results: results.map(({ name, score, reason }) => ({ skill_id: name, name, score, reason })),
      loaded_skill_id: autoLoad,
    });
    return content === null ? text : `${text}\n\n${content}`;
  },
};

function pool(skills: readonly VisibleSkill[]) {
  return skills
    .map(({ skill }) => ({
      name: skill.name,
      description: skill.description ?? "",
      aliases: skill.aliases,
      bundled: skill.root.bundled,
      localizedAliases: hasChineseText(skill) ? chineseAliases(skill.name) : [],
    }))
    .sort(byMimoName);
}
