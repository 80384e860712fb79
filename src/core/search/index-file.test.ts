import fc from "fast-check";
import { expect, it } from "vitest";
import { readGlossTable } from "./gloss-table.ts";
import { decodeIndex, encodeIndex } from "./index-file.ts";
import type { SearchDocument } from "./search-fields.ts";
import { createSearchIndex, searchStored } from "./search-index.ts";
import { buildIndexData, type KeyedDocument, updateIndexData } from "./stored-index.ts";

const words = [
  "pdf",
  "Convert",
  "bee-log",
  "the",
  "数据分析",
  "c++",
  "HTMLParser",
  "documents",
  "\n# Head\n",
  ".",
];
const text = fc.array(fc.constantFrom(...words), { maxLength: 8 }).map((parts) => parts.join(" "));
const document: fc.Arbitrary<SearchDocument> = fc.record({
  name: text,
  location: text,
  description: text,
  whenToUse: text,
  body: text,
  aliases: fc.array(text, { maxLength: 2 }),
  localized: fc.array(text, { maxLength: 2 }),
});
const keyed = (documents: readonly SearchDocument[]): KeyedDocument[] =>
  documents.map((one) => ({ key: JSON.stringify(one), document: () => one }));

it("an index that was written and read again answers the same", () => {
  fc.assert(
    fc.property(fc.array(document, { maxLength: 12 }), text, (documents, query) => {
      const stored = buildIndexData(documents);
      const read = decodeIndex(encodeIndex(stored));
      expect(read).not.toBeNull();
      if (read === null) return;
      const options = { explain: true };
      expect(searchStored(read).search(query, options)).toEqual(searchStored(stored).search(query, options));
      expect(encodeIndex(read)).toEqual(encodeIndex(stored));
    }),
    { numRuns: 40 },
  );
});

it("an index updated by difference answers as one built anew, and reads only what is new", () => {
  const pool = fc.array(document, { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(pool, pool, fc.array(fc.nat(9)), text, (first, second, kept, query) => {
      const old = updateIndexData(null, keyed(first));
      const next = [...second, ...kept.flatMap((place) => first[place] ?? [])];
      const known = new Set(first.map((one) => JSON.stringify(one)));
      let made = 0;
      const updated = updateIndexData(
        old,
        keyed(next).map(({ key, document: make }) => ({
          key,
          document: () => {
            made++;
            expect(known.has(key)).toBe(false);
            return make();
          },
        })),
      );
      expect(made).toBeLessThanOrEqual(second.length);
      const options = { explain: true };
      expect(searchStored(updated).search(query, options)).toEqual(
        createSearchIndex(next).search(query, options),
      );
    }),
    { numRuns: 40 },
  );
});

it("an index whose Chinese descriptions are gone again translates nothing", () => {
  const gloss = () => readGlossTable("天气\tweather\n");
  const one = (name: string, description: string, localized: readonly string[] = []): SearchDocument => ({
    name,
    location: name,
    aliases: [],
    localized,
    description,
    whenToUse: "",
    body: "",
  });
  const stays = [one("sky", "Look up.", ["天气"]), one("bread", "Weather and bread.")];
  const old = updateIndexData(null, keyed([one("rain", "看天气"), ...stays]));
  expect(old.data.hanDescriptions).toBe(true);
  const reread = decodeIndex(encodeIndex(old));
  const wanted = createSearchIndex(stays, { gloss }).search("weather カタカナ", { explain: true });
  expect(wanted.map(({ name }) => name)).toEqual(["bread"]);
  for (const from of [old, reread]) {
    const updated = updateIndexData(from, keyed(stays));
    expect(searchStored(updated, { gloss }).search("weather カタカナ", { explain: true })).toEqual(wanted);
    const back = updateIndexData(updated, keyed([...stays, one("rain", "看天气")]));
    expect([...back.han]).toEqual([2]);
    expect(searchStored(back, { gloss }).search("weather")).toHaveLength(3);
  }
});

it("an index that is made of one that was read leaves its bytes as they were", () => {
  fc.assert(
    fc.property(
      fc.array(document, { minLength: 1, maxLength: 8 }),
      fc.array(document, { maxLength: 8 }),
      (first, more) => {
        const bytes = encodeIndex(updateIndexData(null, keyed(first)));
        const before = bytes.slice();
        const read = decodeIndex(bytes);
        expect(read).not.toBeNull();
        const named = (list: readonly SearchDocument[]): SearchDocument[] =>
          list.map((one, number) => ({ ...one, name: `${one.name} extra${number} thing${number}` }));
        updateIndexData(read, keyed([...first, ...named(more)]));
        expect(bytes).toEqual(before);
      },
    ),
    { numRuns: 30 },
  );
});

it("refuses what is no index", () => {
  const whole = encodeIndex(buildIndexData([]));
  expect(decodeIndex(whole)).not.toBeNull();
  expect(decodeIndex(whole.subarray(1))).toBeNull();
  expect(decodeIndex(new Uint8Array(0))).toBeNull();
  expect(decodeIndex(whole.subarray(0, whole.length - 1))).toBeNull();
  expect(decodeIndex(new TextEncoder().encode("\u0002\0\0\0{}"))).toBeNull();
});
