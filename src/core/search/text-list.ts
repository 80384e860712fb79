import { ByteArena, ByteReader } from "./byte-arena.ts";
import { grown } from "./term-table.ts";

/** Units of a text that is read just now. */
const piece = new Uint16Array(4_096);

/**
 * Texts by number, kept as bytes: a million names are a few objects. A UTF-16 unit takes one byte where it is ASCII, so
 * that any text comes back as it was.
 */
export class TextList {
  readonly arena: ByteArena;
  offsets: Uint32Array;
  size: number;
  private readonly reader = new ByteReader();
  private readonly second = new ByteReader();

  constructor(arena = new ByteArena(), offsets: Uint32Array = new Uint32Array(1 << 8), size = 0) {
    this.arena = arena;
    this.offsets = offsets;
    this.size = size;
  }

  static of(texts: Iterable<string>): TextList {
    const list = new TextList();
    for (const text of texts) list.push(text);
    return list;
  }

  /** Texts beyond a million units are cut there. */
  push(text: string): void {
    const length = Math.min(text.length, 1 << 20);
    if (this.size === this.offsets.length) this.offsets = grown(this.offsets);
    this.offsets[this.size++] = this.arena.open(5 + 3 * length);
    this.arena.put(length);
    for (let at = 0; at < length; at++) this.arena.put(text.charCodeAt(at));
    this.arena.close();
  }

  text(number: number): string {
    const { reader } = this;
    reader.open(this.arena, this.offsets[number] as number);
    let left = reader.next();
    let text = "";
    while (left > 0) {
      const count = Math.min(left, piece.length);
      for (let at = 0; at < count; at++) piece[at] = reader.next();
      text += String.fromCharCode(...piece.subarray(0, count));
      left -= count;
    }
    return text;
  }

  /** Below 0 where the first of two texts comes first by UTF-16 units, 0 where they are equal. */
  compare(number: number, other: number): number {
    const { reader, second } = this;
    reader.open(this.arena, this.offsets[number] as number);
    second.open(this.arena, this.offsets[other] as number);
    const left = reader.next();
    const right = second.next();
    for (let at = Math.min(left, right); at > 0; at--) {
      const difference = reader.next() - second.next();
      if (difference !== 0) return difference;
    }
    return left - right;
  }
}
