import fc from "fast-check";
import { expect, it } from "vitest";
import { looseKey } from "../text/loose-key.ts";
import { NameCollector, nameTable } from "./name-table.ts";
import { TextList } from "./text-list.ts";

/** Names of which many are the same to a lookup. */
const name = fc
  .array(
    fc.constantFrom("a", "B", "b", "-", "_", ".", " ", "\t", "1", "é", "Ｂ", "ﬁ", "文", "\ud83d\ude00"),
    {
      maxLength: 4,
    },
  )
  .map((parts) => parts.join(""));

it("finds every name and alias that has the key, and nothing else, in the order of documents", () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.array(name, { maxLength: 2 })), { maxLength: 60 }),
      name,
      (documents, asked) => {
        const collector = new NameCollector();
        const aliases = new Map<number, readonly string[]>();
        const wanted = looseKey(asked);
        const expected: number[] = [];
        for (const [number, [own, others]] of documents.entries()) {
          collector.add(own, number * 2);
          if (wanted !== "" && looseKey(own) === wanted) expected.push(number * 2);
          for (const alias of others) {
            collector.add(alias, number * 2 + 1);
            if (wanted !== "" && looseKey(alias) === wanted) expected.push(number * 2 + 1);
          }
          if (others.length > 0) aliases.set(number, others);
        }
        const names = TextList.of(documents.map(([own]) => own));
        const found = nameTable(collector.slots(), names, aliases).find(wanted);
        expect([...new Set(found)]).toEqual([...new Set(expected)]);
      },
    ),
    { numRuns: 300 },
  );
});
