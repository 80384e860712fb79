import { localDescription } from "../../core/packs/localize.ts";
import type { Skill } from "../../core/snapshot.ts";
import { safeLine } from "../output/safe-text.ts";

/** A skill's description for people, in one line and their language; null when it has none. */
export function descriptionText(skill: Skill, language: string): string | null {
  const text = localDescription(skill, language);
  if (text === null) return null;
  // What a mirrored agent makes of a UTF-16 file: every other character would be a code.
  return text.includes("\0") ? "(no readable text: the file is not UTF-8)" : safeLine(text);
}
