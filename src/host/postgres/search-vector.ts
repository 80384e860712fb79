import { ByteArena, ByteReader } from "../../core/search/byte-arena.ts";
import { gapEntry, recordWriter } from "../../core/search/record-writer.ts";
import { fieldRules, type SearchDocument } from "../../core/search/search-fields.ts";
import { Vocabulary } from "../../core/search/vocabulary.ts";

/** PostgreSQL's four weights by field: names, what it is for, headings, and the rest. */
const weights: readonly string[] = ["A", "A", "B", "B", "B", "B", "D", "C", "D"];
/** PostgreSQL keeps no position beyond this. */
const lastPosition = 16_383;

/** A document's terms, as Skillet cuts and stems them, in the text form of `tsvector`. */
export function searchVector(document: SearchDocument): string {
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
  for (const [field, { ordered }] of fieldRules.entries()) {
    if (!ordered) reader.next();
    for (let left = reader.next(); left > 0; left--) {
      const entry = reader.next();
      if (!ordered) put(entry >>> 4, weights[field] as string);
      else if (entry !== gapEntry) put(entry >>> 2, weights[field] as string);
    }
  }
  return [...places]
    .map(([term, list]) => `${lexeme(vocabulary.terms.text(term))}:${list.join(",")}`)
    .join(" ");
}

/** A term as PostgreSQL reads it back letter by letter. */
export function lexeme(term: string): string {
  return `'${term.replaceAll("\0", "").replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
