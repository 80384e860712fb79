import { checkOptions } from "../check-options.ts";
import { SkilletError } from "../error.ts";
import type { SearchDocument, SearchResult } from "./search-index.ts";

export interface EmbedOptions {
  /** Ends the work at the next step; `embed` rejects then. */
  readonly signal?: AbortSignal | undefined;
  /** Told of each vector by the place of its text, as soon as it is there: it stays although `embed` may yet fail. */
  readonly onVector?: ((place: number, vector: Float32Array) => void) | undefined;
}

/** What a model wants to read in front of a text, `query: `; empty = nothing. */
export interface EmbeddingPrefixes {
  readonly request: string;
  readonly document: string;
}

/** Anything that turns texts into vectors of equal length. Vectors need no unit length. */
export interface Embedder {
  /** Names model and settings: vectors of one id are comparable and may be kept. */
  readonly id: string;
  /** Who asks puts them in front; left out = nothing. */
  readonly prefixes?: EmbeddingPrefixes | undefined;
  /** Vectors in the order of the texts. Need not know the options. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>;
}

/** A hit of a search by words and meaning. */
export interface FusedResult extends SearchResult {
  /** How close its meaning is (cosine), and the share of its score that comes from that, 0 to 1; four decimals. */
  readonly meaning?: { readonly similarity: number; readonly share: number };
}

/** How close one skill is to a request. */
export interface Similar {
  readonly name: string;
  readonly location: string;
  readonly similarity: number;
}

/** What meaning counts against words where those are unsure; the lexical order alone is 0. */
export const semanticWeight = 0.3;
/** How fast meaning steps back as words grow sure of their first hit. */
const doubtPower = 4;
/** Closeness counts from one of these on and counts in full at the other, against the largest by chance. */
const standingOut = { none: 0.25, all: 2 };
/** Skills that meaning alone may add to an answer. */
const addedByMeaning = 20;
/** Hits that are asked for by name are at least this; meaning never moves them. */
const namedFrom = 0.9;
/** UTF-16 units of a skill that are embedded. */
const embeddedLength = 1_500;

/** The text of a skill that stands for its meaning. */
export function meaningOf(
  { name, description, whenToUse, localized }: SearchDocument,
  prefixes?: EmbeddingPrefixes,
): string {
  const parts = [name.replace(/[-_:]/g, " "), description, whenToUse, ...localized];
  const text = parts.filter((part) => part !== "").join("\n");
  return (prefixes?.document ?? "") + text.slice(0, embeddedLength);
}

/** The part of a request that is embedded. */
export function meaningOfRequest(query: string, prefixes?: EmbeddingPrefixes): string {
  return (prefixes?.request ?? "") + query.slice(0, embeddedLength);
}

/** Closeness of every document to a request. Throws `SkilletError` "failed" for vectors that cannot be compared. */
export function similarTo(
  own: Float32Array,
  documents: readonly SearchDocument[],
  vectorOf: (document: SearchDocument, number: number) => Float32Array | undefined,
): readonly Similar[] {
  return documents.map((document, number) => {
    const vector = vectorOf(document, number);
    if (vector?.length !== own.length)
      throw new SkilletError("failed", "The vectors of skills and request are of different length.");
    return { name: document.name, location: document.location, similarity: cosine(own, vector) };
  });
}

/** Cosine of the angle between two vectors, -1 to 1; 0 where one of them has no length. */
export function cosine(one: Float32Array, other: Float32Array): number {
  let dot = 0;
  let left = 0;
  let right = 0;
  for (let at = 0; at < one.length; at++) {
    const a = one[at] as number;
    const b = other[at] ?? 0;
    dot += a * b;
    left += a * a;
    right += b * b;
  }
  return left === 0 || right === 0 ? 0 : dot / Math.sqrt(left * right);
}

/**
 * Joins the order by words with closeness in meaning, linearly, both from 0 to 1. `similar` is every skill, in any order.
 * A score by words counts by its share of the best one of the answer, and by how good that one is. Closeness counts as far
 * as it stands out from what chance gives among so many skills, and the less, the likelier the first hit by words is
 * right: at its `probability` of a half a sixteenth of it is left. Weight 0 is the order by words, weight 1 that by
 * meaning with what only words found after it. Ties keep the order by words. Hits that are asked for by name stay first. A
 * skill that only its meaning brought in stands out, and has probability 0: nothing speaks for loading it at once.
 */
export function fuseMeaning(
  words: readonly SearchResult[],
  similar: readonly Similar[],
  options: { readonly weight?: number; readonly limit: number },
): readonly FusedResult[] {
  checkOptions("fuseMeaning", options, { weight: "number", limit: "number" });
  const weight = options.weight ?? semanticWeight;
  if (weight <= 0 || similar.length === 0) return words.slice(0, options.limit);
  const byPlace = new Map(similar.map((one) => [one.location, one.similarity]));
  const similarityOf = ({ location }: SearchResult): number => byPlace.get(location) ?? 0;
  const closeness = beyondChance(similar.map(({ similarity }) => similarity));
  const all = [...words, ...addedTo(words, similar, closeness)];
  const most = words.reduce((best, { score }) => (score < namedFrom ? Math.max(best, score) : best), 0);
  const lexical = most === 0 ? 0 : 1 / Math.sqrt(most * namedFrom);
  const doubt = (1 - (words[0]?.probability ?? 0)) ** doubtPower;
  return all
    .map((hit, place) => {
      const named = hit.score >= namedFrom;
      const meant = weight * doubt * closeness(similarityOf(hit));
      const fused = named ? 2 + hit.score : (1 - weight) * hit.score * lexical + meant;
      return { hit, place, fused, share: named || fused === 0 ? 0 : meant / fused };
    })
    .sort((a, b) => b.fused - a.fused || a.place - b.place)
    .slice(0, options.limit)
    .map(({ hit, fused, share }) => ({
      ...hit,
      score: hit.score >= namedFrom ? hit.score : rounded(Math.min(1, fused) * namedFrom),
      meaning: { similarity: rounded(similarityOf(hit)), share: rounded(share) },
    }));
}

/** The closest skills that words did not find, closest first; only where they stand out. */
function addedTo(
  words: readonly SearchResult[],
  similar: readonly Similar[],
  closeness: (similarity: number) => number,
): readonly SearchResult[] {
  const found = new Set(words.map(({ location }) => location));
  return [...similar]
    .sort((a, b) => b.similarity - a.similarity || (a.location < b.location ? -1 : 1))
    .slice(0, addedByMeaning)
    .filter(({ location, similarity }) => !found.has(location) && closeness(similarity) > 0)
    .map(({ name, location }) => ({ name, location, score: 0, probability: 0, reason: "close in meaning" }));
}

/**
 * How far a similarity stands out from all of them, 0 to 1: its distance from the mean in standard deviations, against the
 * largest that is to be expected of as many random numbers. Models differ in where their similarities lie and how far
 * apart; this does not depend on it.
 */
function beyondChance(similarities: readonly number[]): (similarity: number) => number {
  const count = similarities.length;
  const mean = similarities.reduce((sum, value) => sum + value, 0) / count;
  const deviation = Math.sqrt(similarities.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count);
  // Vectors are single precision: smaller differences are none.
  if (deviation < 1e-6) return () => 0;
  const chance = deviation * Math.sqrt(2 * Math.log(count));
  const { none, all } = standingOut;
  return (similarity) => Math.min(1, Math.max(0, ((similarity - mean) / chance - none) / (all - none)));
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
