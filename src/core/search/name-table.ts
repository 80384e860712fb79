import { looseKey } from "../text/loose-key.ts";
import { hashOf } from "./term-table.ts";
import type { TextList } from "./text-list.ts";

/** Documents by name and alias, compared loosely. Holds numbers only; the texts stay where they are. */
export interface NameTable {
  /** Entries of a loose key in the order of documents: document number * 2, plus 1 for an alias. */
  find(key: string): readonly number[];
}

/** `aliases` gives a document's aliases; most have none. */
export function createNameTable(names: TextList, aliases: ReadonlyMap<number, readonly string[]>): NameTable {
  let most = names.size;
  for (const list of aliases.values()) most += list.length;
  let width = 16;
  while (width < most) width *= 2;
  const heads = new Int32Array(width).fill(-1);
  const next = new Int32Array(most).fill(-1);
  /** Document number * 2, plus 1 for an alias. */
  const entries = new Uint32Array(most);
  let count = 0;

  const put = (text: string, entry: number): void => {
    const key = looseKey(text);
    if (key === "") return;
    const slot = hashOf(key) & (width - 1);
    entries[count] = entry;
    next[count] = heads[slot] as number;
    heads[slot] = count++;
  };
  for (let number = 0; number < names.size; number++) {
    put(names.text(number), number * 2);
    for (const alias of aliases.get(number) ?? []) put(alias, number * 2 + 1);
  }

  const holds = (entry: number, key: string): boolean =>
    entry % 2 === 0
      ? looseKey(names.text(entry >>> 1)) === key
      : (aliases.get(entry >>> 1) ?? []).some((alias) => looseKey(alias) === key);

  return {
    find: (key) => {
      if (key === "") return [];
      const found: number[] = [];
      for (let at = heads[hashOf(key) & (width - 1)] as number; at >= 0; at = next[at] as number)
        if (holds(entries[at] as number, key)) found.push(entries[at] as number);
      return found.reverse();
    },
  };
}
