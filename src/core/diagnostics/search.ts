import { defineCodes } from "./define-codes.ts";

/** Search (docs/search.md). */
export const searchCodes = defineCodes({
  "search/words-alone": {
    severity: "warning",
    title: "The search compared words alone, not meaning",
    why: "The model of the setting `search.semantic` gave no vectors that can be used, so the answer is the one that Skillet gives without it.",
    fix: "Start the server, or correct `search.semantic`: url, model, and the variable with the key; or the folder with the model. Many skills may need a longer `timeout` once.",
    example: '"search": { "semantic": { "folder": "~/models/all-MiniLM-L6-v2" } }',
  },
});
