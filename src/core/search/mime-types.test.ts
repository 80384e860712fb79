import { expect, it } from "vitest";
import { withTypesInWords } from "./mime-types.ts";
import { createSearchIndex } from "./search-index.ts";

it.each([
  ["an application/pdf, please", "an pdf, please"],
  ["Text/CSV and image/svg+xml", "csv and image svg"],
  [
    "mail it as application/vnd.openxmlformats-officedocument.wordprocessingml.document.",
    "mail it as docx word document.",
  ],
  ["text/plain; charset=utf-8", "text; charset=utf-8"],
  ["image/video tools in src/text/csv", "image/video tools in src/text/csv"],
  ["application/x-unheard-of", "application/x-unheard-of"],
])("%j", (text, expected) => expect(withTypesInWords(text)).toBe(expected));

it("a MIME type in a request is evidence for what opens such files", () => {
  const skill = (name: string, description: string) => ({
    name,
    location: `/${name}`,
    aliases: [],
    localized: [],
    description,
    whenToUse: "",
    body: "",
  });
  const index = createSearchIndex([
    skill("forms", "Write an application for a job, a text for a letter or an open sheet."),
    skill("pdf", "Read and merge PDF files."),
    skill("tables", "Clean CSV tables."),
    skill("office", "Edit .docx files in Word."),
    skill("sheets", "Formulas for Excel spreadsheets."),
  ]);
  const first = (query: string) => index.search(query, { limit: 1 })[0]?.name;
  expect(first("what is in this application/pdf")).toBe("pdf");
  expect(first("收到一个 text/csv")).toBe("tables");
  expect(first("open application/vnd.openxmlformats-officedocument.wordprocessingml.document")).toBe(
    "office",
  );
  expect(first("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")).toBe("sheets");
});
