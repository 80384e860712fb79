import { defineCodes } from "./define-codes.ts";

/** Names and aliases of skills. */
export const nameCodes = defineCodes({
  "name/missing": {
    severity: "warning",
    title: "Name is missing",
    why: "The name of the folder (of the file, for a single Markdown file) is used instead. Several other agents drop the skill.",
    fix: "Add name with the name of the folder.",
    mendable: true,
  },
  "name/unsafe": {
    severity: "error",
    title: "Name is not allowed",
    why: "A name becomes a path, a command and a line in the model's list. Separators, .., drive letters and device names can reach outside the skills folder.",
    fix: "Use lower-case letters, digits and hyphens, the same as the folder's name.",
    mendable: true,
  },
  "name/hidden-characters": {
    severity: "error",
    title: "Name has hidden characters",
    why: "Invisible or direction-changing characters make a name look like another one.",
    fix: "Type the name again with letters, digits and hyphens.",
    mendable: true,
  },
  "name/folder-unsafe": {
    severity: "error",
    title: "Neither the name nor the folder's name can be used",
    why: "A skill needs a name that is safe as a path and as a command.",
    fix: "Rename the folder with lower-case letters, digits and hyphens.",
  },
  "name/too-long": {
    severity: "warning",
    title: "Name is longer than 64 characters",
    why: "The published standard allows 64; stricter agents drop the skill.",
    fix: "Shorten the name.",
  },
  "name/differs-from-folder": {
    severity: "info",
    title: "Name and folder differ",
    why: "Some agents show the skill under its folder's name, and some do not load it at all.",
    fix: "Give the folder the skill's name.",
  },
  "name/normalized": {
    severity: "info",
    title: "Name was brought to its usual Unicode form",
    why: "The file spells an accented letter as letter and accent; both forms look alike and are one name here.",
    fix: "Save the name in composed form (NFC).",
    mendable: true,
  },
  "name/not-portable": {
    severity: "info",
    title: "Name is not portable",
    why: "Some agents accept only lower-case letters a to z, digits and hyphens.",
    fix: "Use lower-case letters, digits and single hyphens.",
  },
  "name/confusable": {
    severity: "warning",
    title: "Name mixes look-alike letters",
    why: "Letters of different alphabets that look the same can make one name pose as another.",
    fix: "Use letters of one alphabet.",
  },
  "name/alias": {
    severity: "warning",
    title: "Alias cannot be used",
    why: "An alias follows the same rules as a name; an empty one would match anything.",
    fix: "Remove the alias or use letters, digits and hyphens.",
    mendable: true,
  },
  "name/argument": {
    severity: "warning",
    title: "Argument name cannot be used",
    why: "A named argument is written as $name in the text, so it must begin with a letter and hold only letters, digits, _ and -. Its place is kept.",
    fix: "Rename the argument.",
  },
});

/** Descriptions. */
export const descriptionCodes = defineCodes({
  "description/missing": {
    severity: "warning",
    title: "Description is missing",
    why: "The description is all a model knows before it loads the skill. The first paragraph of the text is used when there is one; several other agents drop the skill.",
    fix: "Add description: what the skill does and when to use it.",
    mendable: true,
  },
  "description/too-long": {
    severity: "warning",
    title: "Description is longer than 1024 characters",
    why: "The published standard allows 1024; some agents cut it or drop the skill.",
    fix: "Move details into the text below the frontmatter.",
  },
});
