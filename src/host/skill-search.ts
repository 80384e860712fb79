import type { VisibleSkill } from "../core/profile.ts";
import { autoLoadFrom } from "../core/search/decide.ts";
import { type SearchIndex, searchStored } from "../core/search/search-index.ts";
import { type StoredIndex, updateIndexData } from "../core/search/stored-index.ts";
import type { Skill } from "../core/snapshot.ts";
import { glossTable } from "./gloss-file.ts";
import { searchDocument, searchKey } from "./search-documents.ts";

/** What search reads of a skill besides its frontmatter. */
export interface SkillTexts {
  body(skill: Skill): string;
  /** Requests that its author wrote down for it. */
  examples(skill: Skill): readonly string[];
}

/** The index over what a model may see. Made on the first search; a change reads only what changed. */
export interface SkillSearch {
  index(skills: readonly VisibleSkill[], texts: SkillTexts): SearchIndex;
  /** The skills may have changed. */
  changed(): void;
  close(): void;
}

export function createSkillSearch(): SkillSearch {
  let stored: StoredIndex | null = null;
  let index: SearchIndex | null = null;
  return {
    index: (skills, texts) => {
      if (index !== null) return index;
      stored = updateIndexData(
        stored,
        skills.map(({ skill }) => ({
          key: searchKey(skill),
          document: () => searchDocument(skill, { body: texts.body(skill), examples: texts.examples(skill) }),
        })),
      );
      index = searchStored(stored, { gloss: glossTable });
      return index;
    },
    changed: () => {
      index = null;
    },
    close: () => {
      index = null;
      stored = null;
    },
  };
}

/** The name of a first hit that may be loaded without asking: likely enough, and allowed. Null = none. */
export function loadedAtOnce(
  results: readonly { readonly name: string; readonly probability: number }[],
  skills: readonly VisibleSkill[],
): string | null {
  const first = results[0];
  if (first === undefined || first.probability < autoLoadFrom) return null;
  const entry = skills.find(({ skill }) => skill.name === first.name);
  return entry?.permission === "allow" ? first.name : null;
}
