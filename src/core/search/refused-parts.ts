import { termOf } from "./expand-word.ts";
import { type Naming, refused } from "./named-skills.ts";
import type { TextList } from "./text-list.ts";

const nameWord = /[\p{Script=Latin}\p{N}]+/gu;

/**
 * What a query says of names, and besides that those of `documents` are not meant that have a refused word as a part of
 * their name: "deploy, but not the backend" speaks of `ship-backend`.
 */
export function withRefusedParts(
  naming: ReadonlyMap<number, Naming>,
  documents: readonly number[],
  { refusedWords, names }: { readonly refusedWords: ReadonlySet<string>; readonly names: TextList },
): ReadonlyMap<number, Naming> {
  if (refusedWords.size === 0) return naming;
  const terms = new Set([...refusedWords].map(termOf));
  const found = new Map(naming);
  for (const document of documents) {
    if (found.has(document)) continue;
    const parts = names.text(document).toLowerCase().match(nameWord) ?? [];
    if (parts.length > 1 && parts.some((part) => terms.has(termOf(part)))) found.set(document, refused);
  }
  return found;
}
