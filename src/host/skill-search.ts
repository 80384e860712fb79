import type { VisibleSkill } from "../core/profile.ts";
import { autoLoadFrom } from "../core/search/decide.ts";
import { type SearchIndex, searchStored } from "../core/search/search-index.ts";
import { type StoredIndex, updateIndexData } from "../core/search/stored-index.ts";
import type { Skill } from "../core/snapshot.ts";
import { glossTable } from "./gloss-file.ts";
import { indexCache } from "./index-cache.ts";
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

/** Fewer skills are read faster than a kept index. */
const worthKeeping = 300;

/** `folder` is where large indexes are kept between processes; null = nowhere. */
export function createSkillSearch(folder: string | null): SkillSearch {
  const cache = folder === null ? null : indexCache(folder);
  let stored: StoredIndex | null = null;
  let index: SearchIndex | null = null;
  return {
    index: (skills, texts) => {
      if (index !== null) return index;
      const documents = skills.map(({ skill }) => {
        const examples = texts.examples(skill);
        return {
          key: searchKey(skill, examples),
          document: () => searchDocument(skill, { body: texts.body(skill), examples }),
        };
      });
      const keys = documents.map(({ key }) => key);
      const kept = documents.length >= worthKeeping ? cache : null;
      stored ??= kept?.read(keys) ?? null;
      const same =
        stored?.keys.length === keys.length && stored.keys.every((key, place) => key === keys[place]);
      if (stored === null || !same) {
        stored = updateIndexData(stored, documents);
        kept?.keep(stored);
      }
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
