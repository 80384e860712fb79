import fc from "fast-check";
import { expect, it } from "vitest";
import { runsOf } from "./postings.ts";
import { PostingsReader } from "./postings-reader.ts";
import { noDocument, RunReader } from "./run-reader.ts";
import { buildIndexData } from "./stored-index.ts";

const words = ["convert", "pdf", "file", "Chart", "table"];
const text = fc.array(fc.constantFrom(...words), { maxLength: 5 }).map((list) => list.join(" "));
const corpus = fc
  .tuple(
    fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 12 }),
    fc.integer({ min: 1, max: 900 }),
  )
  .map(([some, count]) =>
    Array.from({ length: count }, (_, number) => {
      const [name = "", description = "", body = ""] =
        some[(number * 7 + ((number * number) % 5)) % some.length] ?? [];
      return { name, location: "", description, whenToUse: "", body, aliases: [], localized: [] };
    }),
  );

it("a reader reaches every document of a list from any start", () => {
  fc.assert(
    fc.property(corpus, fc.array(fc.nat(950), { maxLength: 12 }), (documents, steps) => {
      const { data } = buildIndexData(documents);
      const { postings } = data;
      const reader = new RunReader(postings);
      const placesAt = (): number[] => {
        const places: number[] = [];
        reader.places((place) => places.push(place));
        return places;
      };
      for (let term = 0; term < data.vocabulary.terms.size; term++) {
        const met = new Set<number>();
        for (const run of runsOf(postings, term)) {
          const told: [number, number[]][] = [];
          for (reader.open(run); reader.document !== noDocument; reader.next())
            told.push([reader.document, placesAt()]);
          expect(told.length).toBeLessThanOrEqual(run.documents);
          for (const [number] of told) {
            expect(met.has(number)).toBe(false);
            met.add(number);
          }
          reader.open(run);
          for (const step of [...steps].sort((a, b) => a - b)) {
            const next = told.find(([number]) => number >= step);
            reader.reach(step);
            expect(reader.document).toBe(next?.[0] ?? noDocument);
            if (next !== undefined) expect(placesAt()).toEqual(next[1]);
          }
        }
        expect(met.size).toBe(postings.frequency[term]);
        const whole = new PostingsReader(postings);
        whole.open(term);
        const all: number[] = [];
        for (let least = 0; whole.reach(least); least = whole.document + 1) all.push(whole.document);
        expect(all).toEqual([...met].sort((a, b) => a - b));
      }
    }),
    { numRuns: 60 },
  );
});
