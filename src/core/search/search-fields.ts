/** A skill as search sees it. */
export interface SearchDocument {
  readonly name: string;
  readonly location: string;
  readonly aliases: readonly string[];
  /** Names and descriptions in other languages. */
  readonly localized: readonly string[];
  readonly description: string;
  readonly whenToUse: string;
  /** Markdown; headings are taken from it. Only the first 8,000 characters count. */
  readonly body: string;
}

export type SearchField = "name" | "alias" | "localized" | "description" | "when" | "heading" | "body";

export interface FieldRule {
  readonly field: SearchField;
  /** How much one occurrence counts. */
  readonly weight: number;
  /** How strongly long fields are held back, 0 to 1. */
  readonly lengthShare: number;
  /** Pairs of neighbouring words count too. */
  readonly pairs: boolean;
}

/** Field order is the index's field number. */
export const fieldRules: readonly FieldRule[] = [
  { field: "name", weight: 3, lengthShare: 0.3, pairs: true },
  { field: "alias", weight: 2.5, lengthShare: 0.3, pairs: true },
  { field: "localized", weight: 2, lengthShare: 0.5, pairs: true },
  { field: "description", weight: 1.5, lengthShare: 0.3, pairs: true },
  { field: "when", weight: 1.2, lengthShare: 0.3, pairs: true },
  { field: "heading", weight: 0.5, lengthShare: 0.6, pairs: false },
  { field: "body", weight: 0.25, lengthShare: 0.5, pairs: false },
];

/** UTF-16 units of a body that count. */
const bodyLength = 8_000;
/** UTF-16 units of every other field that count. */
const fieldLength = 8_000;

/** The texts of one field. */
export function fieldTexts(document: SearchDocument, field: SearchField): readonly string[] {
  switch (field) {
    case "name":
      return [document.name];
    case "alias":
      return document.aliases;
    case "localized":
      return document.localized;
    case "description":
      return [document.description.slice(0, fieldLength)];
    case "when":
      return [document.whenToUse.slice(0, fieldLength)];
    case "heading":
      return document.body.slice(0, bodyLength).match(/^#{1,6}[ \t].*$/gm) ?? [];
    case "body":
      return [document.body.slice(0, bodyLength)];
  }
}
