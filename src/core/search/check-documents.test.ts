import { expect, it } from "vitest";
import { SkilletError } from "../error.ts";
import { createSearchIndex, type SearchDocument } from "./search-index.ts";

const good: SearchDocument = {
  name: "oven",
  location: "/oven",
  aliases: [],
  localized: [],
  description: "Bake bread.",
  whenToUse: "",
  body: "",
};

it.each([
  [null, "documents must be a list"],
  [7, "documents must be a list"],
  [[good, null], "documents[1] must be an object"],
  [[good, good, "oven"], "documents[2] must be an object"],
  [[{}], "documents[0] needs `name`, a text"],
  [[{ name: "oven", description: "Bake bread." }], "documents[0] needs `location`, a text"],
  [[good, { ...good, description: 7 }], "documents[1] needs `description`, a text"],
  [[{ ...good, whenToUse: null }], "documents[0] needs `whenToUse`, a text"],
  [[{ ...good, body: undefined }], "documents[0] needs `body`, a text"],
  [[{ ...good, aliases: "bread" }], "documents[0] needs `aliases`, a list of texts"],
  [[{ ...good, localized: [1] }], "documents[0] needs `localized`, a list of texts"],
  [[{ ...good, examples: [null] }], "documents[0] needs `examples`, a list of texts"],
])("refuses %j", (documents, message) => {
  const make = () => createSearchIndex(documents as unknown as readonly SearchDocument[]);
  expect(make).toThrow(SkilletError);
  expect(make).toThrow(expect.objectContaining({ code: "usage", message: `createSearchIndex: ${message}.` }));
});

it.each([
  ["a list", [good, { ...good, name: "other", location: "/other", examples: ["a loaf"] }]],
  ["any iterable", new Set([good])],
  ["none", []],
])("takes %s", (_, documents) => {
  const index = createSearchIndex(documents);
  expect(index.size).toBe([...documents].length);
  expect(index.search("bake bread").length).toBe(index.size);
});
