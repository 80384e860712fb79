import { defineCodes } from "./define-codes.ts";

/** Findings that only a mirrored agent's rules lead to. */
export const mirroredCodes = defineCodes({
  "title/missing": {
    severity: "info",
    title: "No title",
    why: "Agents that show titles fall back to the name when there is neither a `title` field nor a level-1 heading.",
    fix: "Begin the text with a heading.",
    example: "# Prune roses",
  },
  "file/changed-during-read": {
    severity: "warning",
    title: "SKILL.md changed while it was read",
    why: "The file was not the same before and after reading, or its folder was put elsewhere in between, so what was read cannot be relied on.",
    fix: "Search again.",
  },
  "file/link-refused": {
    severity: "warning",
    title: "SKILL.md is a link, and links are not read here",
    why: "The mirrored agent reads SKILL.md only where it is a file of its own; a link could lead to any file of yours.",
    fix: "Put a copy of the file in its place, or link the whole skill folder.",
  },
  "discovery/link-to-file": {
    severity: "warning",
    title: "A link in a skills folder leads to a file",
    why: "Only folders can be skills.",
    fix: "Remove the link, or let it lead to the skill's folder.",
  },
  "plugin/invalid": {
    severity: "error",
    title: "A plugin or one of its skills is not valid",
    why: "Skills inside plugins are read strictly: a skill that breaks the rules is left out, and in some formats the whole plugin.",
    fix: "Correct what the message names.",
  },
});
