import { catalogHeading } from "./catalog.ts";

/** A part of a stored message, as far as it matters here. */
export interface StoredPart {
  readonly type: string;
  readonly synthetic?: boolean;
  readonly text?: string;
}

const open = "<system-reminder>\n";
const close = "\n</system-reminder>";

/** The heading that a later form of the old catalogs begins with. */
const snapshotHeading = "Authoritative skills catalog snapshot";

/**
 * Whether a part of a user message is a catalog that an earlier version wrote there. The catalog stands in the system
 * prompt now, so such a part is left out when history is converted (feature M12). Only a synthetic part that is one
 * reminder, begins with the catalog's heading and ends with its list counts: typed text, loaded skills and texts that
 * go on after the list never do.
 */
export function isStoredCatalog({ type, synthetic, text }: StoredPart): boolean {
  if (type !== "text" || synthetic !== true || text === undefined) return false;
  const plain = text.replaceAll("\r\n", "\n");
  if (!plain.startsWith(open) || !plain.endsWith(close)) return false;
  const content = plain.slice(open.length, -close.length);
  if (content.includes("<skill_content")) return false;
  const begins = content.startsWith(`${catalogHeading}\n`) || content.startsWith(snapshotHeading);
  if (!begins || !content.includes(`${catalogHeading}\n`)) return false;
  return (
    content.endsWith("\n</available_skills>") || content.endsWith("\nNo skills are currently available.")
  );
}

/** The parts of a message without old catalogs, in order. */
export function withoutStoredCatalogs<Part extends StoredPart>(parts: readonly Part[]): readonly Part[] {
  return parts.filter((part) => !isStoredCatalog(part));
}
