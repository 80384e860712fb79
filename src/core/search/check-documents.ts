import { SkilletError } from "../error.ts";
import type { SearchDocument } from "./search-fields.ts";

const texts = ["name", "location", "description", "whenToUse", "body"] as const;
const lists = ["aliases", "localized", "examples"] as const;

/**
 * The same documents, their fields checked: the border for callers without types. Throws `SkilletError` "usage" that names
 * the place in the list and the field. Linear in fields and list items; texts are not read.
 */
export function checkDocuments(documents: Iterable<SearchDocument>): readonly SearchDocument[] {
  if (typeof (documents as Partial<Iterable<unknown>> | null)?.[Symbol.iterator] !== "function")
    throw new SkilletError("usage", "createSearchIndex: documents must be a list.");
  const list = Array.isArray(documents) ? (documents as readonly SearchDocument[]) : [...documents];
  for (let index = 0; index < list.length; index++) checkDocument(list[index], index);
  return list;
}

function checkDocument(document: unknown, index: number): void {
  if (typeof document !== "object" || document === null) throw wrong(index, "must be an object");
  const fields = document as Readonly<Record<string, unknown>>;
  for (const field of texts)
    if (typeof fields[field] !== "string") throw wrong(index, `needs \`${field}\`, a text`);
  for (const field of lists) {
    const value = fields[field];
    if (value === undefined && field === "examples") continue;
    if (!Array.isArray(value) || !value.every((one) => typeof one === "string"))
      throw wrong(index, `needs \`${field}\`, a list of texts`);
  }
}

function wrong(index: number, what: string): SkilletError {
  return new SkilletError("usage", `createSearchIndex: documents[${index}] ${what}.`);
}
