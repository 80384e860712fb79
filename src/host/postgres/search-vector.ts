import { ByteArena, ByteReader } from "../../core/search/byte-arena.ts";
import { gapEntry, recordWriter, wordEntry } from "../../core/search/record-writer.ts";
import { fieldRules, type SearchDocument } from "../../core/search/search-fields.ts";
import { Vocabulary } from "../../core/search/vocabulary.ts";

/** PostgreSQL's four weights by field: names, what it is for, what it is not for, and the text. */
const weights: readonly string[] = ["A", "A", "B", "B", "B", "B", "C", "D", "D"];
/** The weights of names and descriptions. */
export const metadataWeights = "{a,b,c}";
/** PostgreSQL keeps no position beyond this. */
const lastPosition = 16_383;

export interface SearchVector {
  /** The terms, as Skillet cuts and stems them, in the text form of `tsvector`. */
  readonly text: string;
  /** Words by field number. */
  readonly lengths: readonly number[];
}

/** What PostgreSQL keeps of a document for finding it. */
export function searchVector(document: SearchDocument): SearchVector {
  const vocabulary = new Vocabulary();
  const arena = new ByteArena();
  const reader = new ByteReader();
  reader.open(arena, recordWriter(vocabulary, arena)(document));
  const places = new Map<number, string[]>();
  let position = 1;
  const put = (term: number, weight: string): void => {
    const list = places.get(term);
    const place = `${Math.min(position, lastPosition)}${weight}`;
    if (list === undefined) places.set(term, [place]);
    else if (list.length < 200) list.push(place);
    position++;
  };
  const lengths: number[] = [];
  for (const [field, { ordered }] of fieldRules.entries()) {
    let words = ordered ? 0 : reader.next();
    for (let left = reader.next(); left > 0; left--) {
      const entry = reader.next();
      if (!ordered) put(entry >>> 4, weights[field] as string);
      else if (entry !== gapEntry) put(entry >>> 2, weights[field] as string);
      if (ordered && (entry & 3) === wordEntry) words++;
    }
    lengths.push(words);
  }
  const text = [...places]
    .map(([term, list]) => `${lexeme(vocabulary.terms.text(term))}:${list.join(",")}`)
    .join(" ");
  return { text, lengths };
}

/** A term as PostgreSQL reads it back letter by letter. */
export function lexeme(term: string): string {
  return `'${term.replaceAll("\0", "").replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
