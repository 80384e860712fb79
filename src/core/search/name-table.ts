import { looseKey } from "../text/loose-key.ts";

/** Documents by name and alias, compared loosely. Holds numbers only; the texts stay where they are. */
export interface NameTable {
  /** Entries of a loose key in the order of documents: document number * 2, plus 1 for an alias. */
  find(key: string): readonly number[];
}

/** FNV-1a over UTF-16 units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

/** `aliases` gives a document's aliases; most have none. */
export function createNameTable(
  names: readonly string[],
  aliases: ReadonlyMap<number, readonly string[]>,
): NameTable {
  let extra = 0;
  for (const list of aliases.values()) extra += list.length;
  const most = names.length + extra;
  let width = 16;
  while (width < most * 2) width *= 2;
  const heads = new Int32Array(width).fill(-1);
  const hashes = new Uint32Array(width);
  const next = new Int32Array(most).fill(-1);
  /** Document number * 2, plus 1 for an alias. */
  const entries = new Uint32Array(most);
  let count = 0;

  const slotOf = (hash: number): number => {
    let slot = hash & (width - 1);
    while ((heads[slot] as number) >= 0 && hashes[slot] !== hash) slot = (slot + 1) & (width - 1);
    return slot;
  };
  const put = (text: string, entry: number): void => {
    const key = looseKey(text);
    if (key === "") return;
    const hash = hashOf(key);
    const slot = slotOf(hash);
    entries[count] = entry;
    next[count] = heads[slot] as number;
    heads[slot] = count++;
    hashes[slot] = hash;
  };
  for (let number = 0; number < names.length; number++) {
    put(names[number] as string, number * 2);
    for (const alias of aliases.get(number) ?? []) put(alias, number * 2 + 1);
  }

  const holds = (entry: number, key: string): boolean =>
    entry % 2 === 0
      ? looseKey(names[entry >>> 1] as string) === key
      : (aliases.get(entry >>> 1) ?? []).some((alias) => looseKey(alias) === key);

  return {
    find: (key) => {
      if (key === "") return [];
      const found: number[] = [];
      for (let at = heads[slotOf(hashOf(key))] as number; at >= 0; at = next[at] as number)
        if (holds(entries[at] as number, key)) found.push(entries[at] as number);
      return found.reverse();
    },
  };
}
