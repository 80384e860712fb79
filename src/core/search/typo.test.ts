import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readGlossTable } from "./gloss-table.ts";
import { createSearchIndex } from "./search-index.ts";

const text = readFileSync(new URL("../../../data/gloss.txt", import.meta.url), "utf8");
const table = readGlossTable(text);
const skill = (name: string, description: string) => ({
  name,
  location: name,
  aliases: [],
  localized: [],
  description,
  whenToUse: "",
  body: "",
});
const index = createSearchIndex(
  [
    skill("digest", "Summarized letters to print and count."),
    skill("ship-frontend", "Deploy."),
    skill("browser", "Look at the front page, once in front, then in front again."),
    skill("strology", "Predictions for a sign."),
  ],
  { gloss: () => table },
);
const first = (query: string): string | undefined => index.search(query)[0]?.name;

it("mends a word by what was written before its stem", () => {
  expect(first("frontned")).toBe("ship-frontend");
  expect(first("fornt")).toBe("browser");
  expect(first("summarze")).toBe("digest");
});

it("takes no word of English for a typing error of another, unless it is so long that both are kin", () => {
  for (const query of ["summer", "paint", "mount", "painting"])
    expect([query, first(query)]).toEqual([query, undefined]);
  expect(first("priint")).toBe("digest");
  expect(first("astrology")).toBe("strology");
});

it("knows the same words of English, whether it searches the text or has collected them", () => {
  const words = ["summer", "paint", "summar", "frontned", "winter", "qqqq", "of"];
  const searching = words.map((word) => readGlossTable(text).english(word, word));
  expect(searching).toEqual([true, true, false, false, true, false, true]);
  const used = readGlossTable(text);
  for (let times = 0; times < 200; times++) used.english("paint", "paint");
  expect(words.map((word) => used.english(word, word))).toEqual(searching);
});
