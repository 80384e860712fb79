import { looseKey } from "../text/loose-key.ts";
import { grown, hashEnd, hashOf, hashStart, hashStep } from "./term-table.ts";
import type { TextList } from "./text-list.ts";

/**
 * Names and aliases by the hash of their loose key. An entry is a document number * 2, plus 1 for an alias; those whose
 * hash ends in the bits of `slot` are `entries[starts[slot]]` to `entries[starts[slot + 1] - 1]`, in the order of documents.
 * The number of slots is a power of two.
 */
export interface NameSlots {
  readonly starts: Uint32Array;
  readonly entries: Uint32Array;
}

/** Documents by name and alias, compared loosely. Holds numbers only; the texts stay where they are. */
export interface NameTable {
  /** Entries of a loose key in the order of documents: document number * 2, plus 1 for an alias. */
  find(key: string): readonly number[];
}

/** Collects the names of an index. */
export class NameCollector {
  private hashes = new Uint32Array(1 << 8);
  private entries = new Uint32Array(1 << 8);
  private count = 0;

  /** `entry` is not below the one before; names without a loose key are left out. */
  add(text: string, entry: number): void {
    const hash = looseHash(text);
    if (hash < 0) return;
    if (this.count === this.entries.length) {
      this.hashes = grown(this.hashes);
      this.entries = grown(this.entries);
    }
    this.hashes[this.count] = hash;
    this.entries[this.count++] = entry;
  }

  slots(): NameSlots {
    const { hashes, entries, count } = this;
    let width = 16;
    while (width < count) width *= 2;
    const starts = new Uint32Array(width + 1);
    for (let at = 0; at < count; at++) {
      const slot = (hashes[at] as number) & (width - 1);
      starts[slot + 1] = (starts[slot + 1] as number) + 1;
    }
    for (let slot = 0; slot < width; slot++)
      starts[slot + 1] = (starts[slot + 1] as number) + (starts[slot] as number);
    const next = starts.slice(0, width);
    const sorted = new Uint32Array(count);
    for (let at = 0; at < count; at++) {
      const slot = (hashes[at] as number) & (width - 1);
      const to = next[slot] as number;
      sorted[to] = entries[at] as number;
      next[slot] = to + 1;
    }
    return { starts, entries: sorted };
  }
}

/** `aliases` gives a document's aliases; most have none. */
export function nameTable(
  { starts, entries }: NameSlots,
  names: TextList,
  aliases: ReadonlyMap<number, readonly string[]>,
): NameTable {
  const width = starts.length - 1;
  const holds = (entry: number, key: string): boolean =>
    entry % 2 === 0
      ? looseKey(names.text(entry >>> 1)) === key
      : (aliases.get(entry >>> 1) ?? []).some((alias) => looseKey(alias) === key);
  return {
    find: (key) => {
      if (key === "") return [];
      const slot = hashOf(key) & (width - 1);
      return Array.from(entries.subarray(starts[slot], starts[slot + 1])).filter((entry) =>
        holds(entry, key),
      );
    },
  };
}

/** `hashOf(looseKey(text))`, or -1 where the key is empty. Makes no string of a text in ASCII. */
function looseHash(text: string): number {
  let hash = hashStart;
  let used = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > 127) {
      const key = looseKey(text);
      return key === "" ? -1 : hashOf(key);
    }
    // Separators, as `looseKey` drops them.
    if (unit === 0x2d || unit === 0x2e || unit === 0x5f || unit === 0x20 || (unit >= 9 && unit <= 13))
      continue;
    hash = hashStep(hash, unit >= 0x41 && unit <= 0x5a ? unit + 32 : unit);
    used++;
  }
  return used === 0 ? -1 : hashEnd(hash);
}
