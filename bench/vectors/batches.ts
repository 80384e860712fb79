import type { Random } from "../random.ts";
import type { Batch } from "./contrast.ts";

/** The token numbers of a source's entries. */
export interface EncodedSource {
  readonly name: string;
  readonly titles: readonly Int32Array[];
  readonly texts: readonly Int32Array[];
}

export interface BatchOptions {
  readonly random: Random;
  readonly batch: number;
  /** How requests begin: put in front of half of the titles, so that they come to mean nothing. */
  readonly openings: readonly Int32Array[];
}

/** How often a source's turn comes, against the others. */
const turns: Readonly<Record<string, number>> = {
  packages: 20,
  wordnet: 20,
  skills: 45,
  gcide: 10,
  thesaurus: 5,
  foldoc: 3,
  manuals: 1,
  jargon: 1,
};
/** Tokens of either side; of longer texts some part is taken. */
const longest = { title: 48, text: 80 };
/** Of 100 texts: how many are told from a stretch of themselves instead of their title. */
const stretches = 20;
/** Of 100 tokens: how many are left out. */
const dropped = 10;

/** Batches without end, each of one source: there the others are hard to tell apart. */
export function createBatches(sources: readonly EncodedSource[], options: BatchOptions): () => Batch {
  const { random, batch } = options;
  let all = 0;
  const bags = sources.map((source) => {
    all += turns[source.name] ?? 1;
    return { source, next: shuffled(source.titles.length, random), until: all };
  });
  return () => {
    const turn = random.below(all);
    const { source, next } = bags.find(({ until }) => turn < until) as (typeof bags)[number];
    const left: Int32Array[] = [];
    const right: Int32Array[] = [];
    while (left.length < batch) {
      const entry = next();
      const [one, other] = pairOf(
        source.titles[entry] as Int32Array,
        source.texts[entry] as Int32Array,
        options,
      );
      if (one.length === 0 || other.length === 0) continue;
      left.push(one);
      right.push(other);
    }
    return { left, right };
  };
}

function pairOf(
  title: Int32Array,
  text: Int32Array,
  { random, openings }: BatchOptions,
): readonly [Int32Array, Int32Array] {
  let one = title;
  let other = text;
  if (text.length > 40 && random.chance(stretches)) {
    const length = 8 + random.below(16);
    const from = random.below(text.length - length);
    one = text.subarray(from, from + length);
    other = joined(text.subarray(0, from), text.subarray(from + length));
  }
  const thinned = (tokens: Int32Array): Int32Array => tokens.filter(() => !random.chance(dropped));
  one = thinned(partOf(one, longest.title, random));
  other = thinned(partOf(other, longest.text, random));
  if (one.length > 0 && random.chance(50))
    one = joined(openings[random.below(openings.length)] as Int32Array, one);
  return [one, other];
}

function partOf(tokens: Int32Array, most: number, random: Random): Int32Array {
  if (tokens.length <= most) return tokens;
  const from = random.below(tokens.length - most + 1);
  return tokens.subarray(from, from + most);
}

function joined(one: Int32Array, other: Int32Array): Int32Array {
  const all = new Int32Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

/** Numbers below `count` in random order, and again in another. */
function shuffled(count: number, random: Random): () => number {
  const order = Int32Array.from({ length: count }, (_, number) => number);
  let at = count;
  return () => {
    if (at === count) {
      for (let last = count - 1; last > 0; last--) {
        const other = random.below(last + 1);
        const kept = order[last] as number;
        order[last] = order[other] as number;
        order[other] = kept;
      }
      at = 0;
    }
    return order[at++] as number;
  };
}
