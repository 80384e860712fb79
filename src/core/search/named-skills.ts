import { looseKey } from "../text/loose-key.ts";
import type { SearchDocument } from "./search-fields.ts";

/** How directly a query asks for a skill by name; higher comes first. */
export type Directness = 0 | 1 | 2;

/** The query is the name. */
export const exactName: Directness = 2;
/** The query is an alias, or holds the name as `/name`, in quotes, or as a compound. */
export const mentionedName: Directness = 1;

/** UTF-16 units of a query that are searched for names. */
const longestQuery = 4_000;

const slash = /(?<![\p{L}\p{N}/.:~])\/([\p{L}\p{N}][\p{L}\p{N}\p{M}:._-]*)/gu;
const quoted = /"([^"\n]{1,80})"|'([^'\n]{1,80})'|`([^`\n]{1,80})`|“([^”\n]{1,80})”/g;
const compound = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_:][\p{L}\p{N}]+)+/gu;

/**
 * Which skills a query asks for by name, by document number. Case, separators and width do not matter
 * (case s-rank: exact name first).
 */
export function namedSkills(
  documents: readonly SearchDocument[],
): (query: string) => ReadonlyMap<number, Directness> {
  const names = new Map<string, number[]>();
  const aliases = new Map<string, number[]>();
  const add = (map: Map<string, number[]>, name: string, number: number): void => {
    const key = looseKey(name);
    if (key === "") return;
    const list = map.get(key);
    if (list === undefined) map.set(key, [number]);
    else if (!list.includes(number)) list.push(number);
  };
  for (const [number, document] of documents.entries()) {
    add(names, document.name, number);
    for (const alias of document.aliases) add(aliases, alias, number);
  }

  return (query) => {
    const found = new Map<number, Directness>();
    const mark = (numbers: readonly number[] | undefined, directness: Directness): void => {
      for (const number of numbers ?? [])
        if ((found.get(number) ?? 0) < directness) found.set(number, directness);
    };
    const searched = query.slice(0, longestQuery);
    const whole = looseKey(searched.trim().replace(/^\//, ""));
    mark(names.get(whole), exactName);
    mark(aliases.get(whole), mentionedName);
    for (const pattern of [slash, quoted, compound])
      for (const match of searched.matchAll(pattern)) {
        const key = looseKey(match.slice(1).find((group) => group !== undefined) ?? match[0]);
        mark(names.get(key), mentionedName);
        mark(aliases.get(key), mentionedName);
      }
    return found;
  };
}
