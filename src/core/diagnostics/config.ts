import { defineCodes } from "./define-codes.ts";

/** Settings files. */
export const configCodes = defineCodes({
  "config/invalid-json": {
    severity: "error",
    title: "Settings file is not valid JSON",
    why: "Nothing in the file counts, except that what it denies stays denied as far as it could be read.",
    fix: "Mend the file at the named place; comments and trailing commas are fine.",
    example: '{ "catalog": { "share": 0.02 } }',
  },
  "config/invalid-yaml": {
    severity: "error",
    title: "A settings file is not valid YAML",
    why: "Nothing of it can be used, so the defaults hold.",
    fix: "Correct the line that the message names.",
  },
  "config/too-large": {
    severity: "error",
    title: "Settings file is larger than 1 MiB",
    why: "Settings are small; a file of this size is something else, so it was not read.",
    fix: "Keep only settings in the file.",
  },
  "config/too-deep": {
    severity: "error",
    title: "Settings file is nested too deeply",
    why: "No setting is nested that deep, and deep nesting can exhaust a program's memory.",
    fix: "Remove the nested part.",
  },
  "config/unreadable": {
    severity: "error",
    title: "Settings file cannot be read",
    why: "Nothing in it counts, so a restriction in it does not hold either.",
    fix: "Make the file readable, or remove it.",
  },
  "config/managed-unusable": {
    severity: "error",
    title: "The administrator's settings cannot be used",
    why: "They may forbid anything, so every skill is denied until they can be read again.",
    fix: "Ask the administrator to mend the file.",
  },
  "config/two-files": {
    severity: "warning",
    title: "Two settings files in one folder",
    why: "Only skillet.jsonc is read where there is also a skillet.json.",
    fix: "Move the settings into skillet.jsonc and remove skillet.json.",
  },
  "config/duplicate-key": {
    severity: "warning",
    title: "Key occurs twice",
    why: "Only the last one counts.",
    fix: "Remove one of them.",
  },
  "config/unsafe-key": {
    severity: "warning",
    title: "Key is not allowed",
    why: "This name has a meaning inside JavaScript and is never taken from a file.",
    fix: "Remove the key.",
  },
  "config/unknown-key": {
    severity: "warning",
    title: "Unknown setting",
    why: "Nothing reads it; most often the name is misspelt.",
    fix: "Remove it, or write the name as in docs/configuration.md.",
  },
  "config/wrong-type": {
    severity: "error",
    title: "Setting has the wrong kind of value",
    why: "It is ignored; the value of the layer below holds.",
    fix: "Write the kind of value that docs/configuration.md names.",
  },
  "config/out-of-range": {
    severity: "warning",
    title: "Number is outside the allowed range",
    why: "The nearest allowed number is used.",
    fix: "Write a number inside the range.",
  },
  "config/unknown-value": {
    severity: "warning",
    title: "Unknown word",
    why: "Only the words of a list have a meaning here; this one is ignored.",
    fix: "Write one of the known words.",
  },
  "config/not-for-project": {
    severity: "warning",
    title: "A project cannot set this",
    why: "A project's file could come from anybody, so it may restrict but never grant rights or raise limits.",
    fix: "Set it in your own configuration if you want it.",
  },
  "config/too-many-rules": {
    severity: "error",
    title: "Project has too many permission rules",
    why: "Weighing them against your own rules would take too long, so everything is denied in this project.",
    fix: "Use wildcards instead of long lists.",
  },
  "config/path-outside": {
    severity: "warning",
    title: "Project names a folder outside of itself",
    why: "A project's file must not make Skillet read your other files, so the folder is not searched.",
    fix: "Name the folder in skills.paths or trust.folders of your own configuration if you want it.",
  },
  "config/too-many": {
    severity: "info",
    title: "More findings in this file",
    why: "Only the first ones are listed.",
    fix: "Mend those and look again.",
  },
});

/** The environment of a run. */
export const environmentCodes = defineCodes({
  "environment/bad-home": {
    severity: "warning",
    title: "Home folder cannot be used",
    why: "Skills and settings of the user are looked for in another place, or not at all.",
    fix: "Set HOME to your home folder.",
  },
  "environment/relative-folder": {
    severity: "warning",
    title: "Folder variable is not an absolute path",
    why: "It would mean another folder in every working folder, so it counts as not set.",
    fix: "Write the whole path.",
  },
  "environment/bad-language": {
    severity: "warning",
    title: "Not a language tag",
    why: "English is used.",
    fix: "Write a tag like zh-CN.",
  },
});

/** Stored state: what was switched off, which folders are trusted. */
export const stateCodes = defineCodes({
  "state/unusable": {
    severity: "error",
    title: "Stored state cannot be read",
    why: "It is treated as empty and left as it is; nothing new is stored until it is mended.",
    fix: "Run `skillet doctor --fix`; a copy of the file is kept.",
  },
  "state/newer": {
    severity: "warning",
    title: "Stored state comes from a newer Skillet",
    why: "What this version understands is used; nothing is written, so that nothing is lost.",
    fix: "Update Skillet.",
  },
  "state/entry": {
    severity: "warning",
    title: "Entry of the stored state cannot be read",
    why: "It is ignored; the others count.",
    fix: "Set it again with enable, disable, trust or untrust.",
  },
});
