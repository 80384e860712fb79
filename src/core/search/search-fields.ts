import { splitExclusions } from "./split-exclusions.ts";

/** A skill as search sees it. */
export interface SearchDocument {
  readonly name: string;
  readonly location: string;
  readonly aliases: readonly string[];
  /** Names and descriptions in other languages. */
  readonly localized: readonly string[];
  readonly description: string;
  readonly whenToUse: string;
  /** Requests that its author wrote down for it (`evals/`). */
  readonly examples?: readonly string[];
  /** Markdown; headings are taken from it. Only the first 8,000 characters count. */
  readonly body: string;
}

export type SearchField =
  | "name"
  | "alias"
  | "localized"
  | "description"
  | "when"
  | "example"
  | "exclusion"
  | "heading"
  | "body";

export interface FieldRule {
  readonly field: SearchField;
  /** The order of words is kept, for phrases; otherwise only how often each occurs. */
  readonly ordered: boolean;
}

/** Field order is the index's field number. Ordered fields come first. */
export const fieldRules: readonly FieldRule[] = [
  { field: "name", ordered: true },
  { field: "alias", ordered: true },
  { field: "localized", ordered: true },
  { field: "description", ordered: true },
  { field: "when", ordered: true },
  { field: "example", ordered: true },
  { field: "exclusion", ordered: true },
  { field: "heading", ordered: false },
  { field: "body", ordered: false },
];

/** Fields that say what a skill is: all but headings and body. They come first. */
export const metadataFields: number = fieldRules.filter(({ ordered }) => ordered).length;
/** Fields that a skill is called by: name and aliases. They are the first. */
export const namingFields = 2;
export const exampleField: number = fieldRules.findIndex(({ field }) => field === "example");
export const exclusionField: number = fieldRules.findIndex(({ field }) => field === "exclusion");

/** UTF-16 units of a body that count. */
const bodyLength = 8_000;
/** UTF-16 units of every other text that count. */
const fieldLength = 8_000;
/** Texts of one field that count. */
const fieldTexts = 64;

/** The texts of one document by field number. */
export function textsOf(document: SearchDocument): readonly (readonly string[])[] {
  const { purpose, exclusion } = splitExclusions(document.description.slice(0, fieldLength));
  const localized = bounded(document.localized).map(splitExclusions);
  const body = document.body.slice(0, bodyLength);
  return [
    [document.name.slice(0, fieldLength)],
    bounded(document.aliases),
    localized.map((text) => text.purpose),
    [purpose],
    [document.whenToUse.slice(0, fieldLength)],
    bounded(document.examples ?? []),
    [exclusion, ...localized.map((text) => text.exclusion)],
    headings(body),
    [body],
  ];
}

/** The first texts of a list, as many as count. */
function bounded(texts: readonly string[]): readonly string[] {
  let left = fieldLength;
  const kept: string[] = [];
  for (const text of texts.slice(0, fieldTexts)) {
    if (left <= 0) break;
    kept.push(text.slice(0, left));
    left -= text.length;
  }
  return kept;
}

/** Lines that start with one to six `#` and a blank. */
function headings(body: string): readonly string[] {
  const found: string[] = [];
  for (let at = body.startsWith("#") ? 0 : body.indexOf("\n#") + 1; at > 0 || body.startsWith("#", at); ) {
    const end = body.indexOf("\n", at);
    const line = body.slice(at, end < 0 ? body.length : end);
    if (/^#{1,6}[ \t]/.test(line)) found.push(line);
    if (end < 0) break;
    at = body.indexOf("\n#", end) + 1;
    if (at === 0) break;
  }
  return found;
}
