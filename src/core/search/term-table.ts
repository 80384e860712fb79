import type { Scanned } from "./tokenize.ts";

/** A typed array twice as long with the same numbers in front. */
export function grown<
  T extends Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array,
>(array: T, least = 0): T {
  const larger = new (array.constructor as new (length: number) => T)(Math.max(array.length * 2, least));
  larger.set(array);
  return larger;
}

/**
 * Gives texts numbers in order of first appearance: a hash table on typed arrays, which takes a slice of a text without
 * making a string of it. Texts are UTF-16 units; hashing is the same on every machine.
 */
export class TermTable {
  size = 0;
  /** Units of all texts, one after the other. */
  units: Uint16Array;
  /** `starts[id]` to `starts[id + 1]` in `units`. */
  starts: Uint32Array;
  /** Hash table with linear probing: a number + 1, or 0. A power of two long, at most two thirds full. */
  slots: Uint32Array;
  /** The slots belong to somebody else: they are copied before they change. */
  private borrowed = false;

  /** An empty table, or one of `size` texts; `slots` are those that a table of these texts had. */
  constructor(
    units = new Uint16Array(1 << 10),
    starts = new Uint32Array(1 << 8),
    size = 0,
    slots: Uint32Array | null = null,
  ) {
    this.units = units;
    this.starts = starts;
    this.size = size;
    this.borrowed = slots !== null;
    this.slots = slots ?? this.spread(1 << 9);
  }

  /** The number of `text.slice(start, end)`, or -1. */
  find(text: string, start = 0, end = text.length): number {
    return this.look(text, start, end, hashOf(text, start, end));
  }

  /** The number of `text.slice(start, end)`, which is added when it is new. */
  add(text: string, start = 0, end = text.length): number {
    const hash = hashOf(text, start, end);
    const known = this.look(text, start, end, hash);
    if (known >= 0) return known;
    const id = this.size++;
    const from = this.starts[id] as number;
    const to = from + end - start;
    if (to > this.units.length) this.units = grown(this.units, to);
    if (id + 2 > this.starts.length) this.starts = grown(this.starts);
    for (let at = start; at < end; at++) this.units[from + at - start] = text.charCodeAt(at);
    this.starts[id + 1] = to;
    if (this.size * 3 > this.slots.length * 2) this.slots = this.spread(this.slots.length * 2);
    else {
      if (this.borrowed) this.slots = this.slots.slice();
      put(this.slots, id, hash);
    }
    this.borrowed = false;
    return id;
  }

  /** The number of the word at `start` to `end` that a tokenizer just told, or -1. */
  findScanned(scanned: Scanned, start: number, end: number): number {
    const { units } = scanned;
    const hash = hashEnd(scanned.hash);
    const { slots, starts } = this;
    const own = this.units;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (slots[slot] as number) - 1;
      if (id < 0) return -1;
      let at = starts[id] as number;
      if ((starts[id + 1] as number) - at !== end - start) continue;
      let from = start;
      while (from < end && own[at] === units[from]) {
        at++;
        from++;
      }
      if (from === end) return id;
    }
  }

  text(id: number): string {
    return String.fromCharCode(...this.units.subarray(this.starts[id], this.starts[id + 1]));
  }

  length(id: number): number {
    return (this.starts[id + 1] as number) - (this.starts[id] as number);
  }

  private look(text: string, start: number, end: number, hash: number): number {
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (this.slots[slot] as number) - 1;
      if (id < 0) return -1;
      if (this.isText(id, text, start, end)) return id;
    }
  }

  private isText(id: number, text: string, start: number, end: number): boolean {
    const from = this.starts[id] as number;
    if ((this.starts[id + 1] as number) - from !== end - start) return false;
    for (let at = start; at < end; at++)
      if (this.units[from + at - start] !== text.charCodeAt(at)) return false;
    return true;
  }

  /** Slots for all texts, in the order of their numbers: at least `least` of them. */
  private spread(least: number): Uint32Array {
    let length = least;
    while (this.size * 3 > length * 2) length *= 2;
    const slots = new Uint32Array(length);
    for (let id = 0; id < this.size; id++)
      put(slots, id, hashUnits(this.units, this.starts[id] as number, this.starts[id + 1] as number));
    return slots;
  }
}

function put(slots: Uint32Array, id: number, hash: number): void {
  const mask = slots.length - 1;
  let slot = hash & mask;
  while (slots[slot] !== 0) slot = (slot + 1) & mask;
  slots[slot] = id + 1;
}

/** FNV-1a over UTF-16 units: a hash starts here, takes each unit, and is mixed at its end. */
export const hashStart = 0x811c9dc5;

export function hashStep(hash: number, unit: number): number {
  return Math.imul(hash ^ unit, 0x01000193);
}

export function hashEnd(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0;
}

export function hashOf(text: string, start = 0, end = text.length): number {
  let hash = hashStart;
  for (let at = start; at < end; at++) hash = hashStep(hash, text.charCodeAt(at));
  return hashEnd(hash);
}

function hashUnits(units: Uint16Array, start: number, end: number): number {
  let hash = hashStart;
  for (let at = start; at < end; at++) hash = hashStep(hash, units[at] as number);
  return hashEnd(hash);
}
