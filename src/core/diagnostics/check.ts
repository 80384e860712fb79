import { defineCodes } from "./define-codes.ts";

/** What only `check` and `doctor` look for: links in a skill's text, files beside it, the state of the whole. */
export const checkCodes = defineCodes({
  "link/missing": {
    severity: "warning",
    title: "A link in the text points to nothing",
    why: "The model is told to read a file that is not there, and stops or guesses.",
    fix: "Correct the path, or put the file in the skill's folder.",
    example: "[the list of locks](references/locks.md)",
  },
  "link/outside": {
    severity: "warning",
    title: "A link in the text leads out of the skill's folder",
    why: "The skill works only where that other folder stands beside it; an installed or packed copy has lost the file.",
    fix: "Put the file in the skill's folder and link to it there.",
  },
  "file/case-twins": {
    severity: "warning",
    title: "Two skill files that differ in case only",
    why: "One of them is never read, and on systems that don't tell upper from lower case only one can exist.",
    fix: "Keep SKILL.md and remove the other.",
  },
  "doctor/untrusted": {
    severity: "warning",
    title: "Skills wait for the project to be trusted",
    why: "A cloned project can bring skills that its author wrote and you have never read, so no model is told of them yet.",
    fix: "Read them, then run skillet trust.",
  },
  "doctor/catalog-budget": {
    severity: "warning",
    title: "The catalog does not fit its budget",
    why: "A model chooses by the description. What is shortened is found less often, what is left out only by search.",
    fix: "Shorten long descriptions, switch off what you don't use, or raise the budget.",
  },
  "doctor/same-content": {
    severity: "info",
    title: "Two names, one content",
    why: "Both are offered, so the model reads the same description twice and may choose either.",
    fix: "Remove one, or give it as an alias of the other.",
  },
});
