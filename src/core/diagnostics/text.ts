import { defineCodes } from "./define-codes.ts";

/** The file as bytes and characters. */
export const textCodes = defineCodes({
  "file/empty": {
    severity: "error",
    title: "File is empty",
    why: "There is neither a field nor text in it.",
    fix: "Write the skill, or remove the folder.",
  },
  "text/not-text": {
    severity: "error",
    title: "File is not text",
    why: "It holds NUL bytes or other binary data.",
    fix: "Replace it by a Markdown file.",
  },
  "text/not-utf8": {
    severity: "error",
    title: "File is not valid UTF-8",
    why: "It was saved in another encoding. Guessing would give garbage, so it is not loaded.",
    fix: "Save the file as UTF-8.",
  },
  "text/utf16": {
    severity: "warning",
    title: "File is UTF-16",
    why: "Most agents take every file for UTF-8 and understand nothing of it.",
    fix: "Save the file as UTF-8.",
    mendable: true,
  },
  "text/utf16-unmarked": {
    severity: "error",
    title: "File looks like UTF-16 without a byte order mark",
    why: "Without the mark the byte order would be a guess, so it is not loaded.",
    fix: "Save the file as UTF-8.",
  },
  "text/utf32": {
    severity: "error",
    title: "File is UTF-32",
    why: "No agent reads this encoding.",
    fix: "Save the file as UTF-8.",
  },
  "text/hidden-characters": {
    severity: "warning",
    title: "Hidden characters in a value",
    why: "Invisible, direction-changing or control characters can carry instructions that no person sees. They were removed from the value.",
    fix: "Remove the characters from the file.",
    mendable: true,
  },
});
