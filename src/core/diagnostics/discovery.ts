import { defineCodes } from "./define-codes.ts";

/** Searching folders: what could not be entered or read, and what was bounded. */
export const discoveryCodes = defineCodes({
  "discovery/missing-root": {
    severity: "warning",
    title: "A configured skills folder does not exist",
    why: "A folder that you named in `skills.paths` is not there, so none of its skills can be offered. Relative paths count from the folder of the configuration file.",
    fix: "Create the folder, or correct `skills.paths`.",
  },
  "discovery/not-a-folder": {
    severity: "warning",
    title: "A file stands where a skills folder is expected",
    why: "Only a folder can be searched for skills.",
    fix: "Name the folder that holds the skill folders.",
  },
  "discovery/unreadable-folder": {
    severity: "warning",
    title: "A folder cannot be listed",
    why: "The system refuses to list it, so skills in it stay unknown. Everything else is offered as usual.",
    fix: "Give yourself permission to read the folder.",
  },
  "discovery/link-outside": {
    severity: "warning",
    title: "A link leads out of the folders that may be read",
    why: "A repository could otherwise make your agent read any file of yours. Links of a project are followed inside the repository, to another skills folder and to folders that you trust.",
    fix: "Copy the skill here, or name its real folder in `skills.paths` of your own configuration.",
  },
  "discovery/link-broken": {
    severity: "warning",
    title: "A link points to nothing",
    why: "The folder or file behind the link is gone, so its skill is not there.",
    fix: "Remove the link or restore what it points to.",
  },
  "discovery/link-loop": {
    severity: "warning",
    title: "A link leads back to itself",
    why: "Following it would never end, so it is left alone.",
    fix: "Remove the link.",
  },
  "discovery/link-back": {
    severity: "info",
    title: "A link leads back into its own tree",
    why: "Each real folder is searched once; the link adds nothing.",
    fix: "Remove the link if it has no purpose.",
  },
  "discovery/too-many-entries": {
    severity: "warning",
    title: "A root is too large to be searched whole",
    why: "The search stops at a bound so that a mistake such as naming a home folder cannot hang an agent. Skills beyond that point are not seen.",
    fix: "Name a smaller folder, or raise `limits.scanFolders` and `limits.scanEntries` in your own configuration.",
  },
  "discovery/skill-file-case": {
    severity: "info",
    title: "The skill file is not named SKILL.md",
    why: "It is read here, but most agents look for exactly SKILL.md and do not see it on systems that tell upper from lower case.",
    fix: "Rename the file to SKILL.md.",
  },
  "discovery/grouped": {
    severity: "info",
    title: "Skills sit in grouping folders",
    why: "Agents that look only one level deep do not see them.",
    fix: "Move each skill folder directly below the skills folder if such agents have to see it.",
  },
  "discovery/main-checkout": {
    severity: "info",
    title: "A skill comes from the main checkout of this worktree",
    why: "The worktree has no copy of its own, for example because git ignores it. The main checkout fills the gap.",
    fix: "Nothing to do; set `skills.mainCheckout` to false to use the worktree's own skills only.",
  },
});

/** Files that were found but not opened or not read. */
export const fileCodes = defineCodes({
  "file/too-large": {
    severity: "error",
    title: "SKILL.md is too large",
    why: "A skill is read into a model's context; the largest real ones stay below 300 KB.",
    fix: "Move long parts into files beside SKILL.md and name them in the text.",
  },
  "file/not-a-file": {
    severity: "error",
    title: "SKILL.md is not a regular file",
    why: "A folder, pipe, socket or device of that name is never opened: reading it could block for ever.",
    fix: "Put a regular text file in its place.",
  },
  "file/unreadable": {
    severity: "error",
    title: "SKILL.md cannot be read",
    why: "The system refuses to open the file, so the skill cannot be offered.",
    fix: "Give yourself permission to read it.",
  },
});

/** Who wins a name. */
export const precedenceCodes = defineCodes({
  "precedence/shadowed": {
    severity: "info",
    title: "Another copy of this name is in use",
    why: "Several folders hold a skill of one name; the strongest one is used, always the same.",
    fix: "Run `skillet why NAME` to see how it was decided; `precedence` and `brands` in the configuration change the order.",
  },
  "precedence/identical-copy": {
    severity: "info",
    title: "The same skill is there twice",
    why: "Two files have the same content, so it does not matter which one is used.",
    fix: "Nothing to do; one of the two can be removed.",
  },
  "precedence/declared-twice": {
    severity: "warning",
    title: "Two folders of one root claim one name",
    why: "Only one of them can be used: the first in the order of folder names.",
    fix: "Give one of the two another name.",
  },
  "precedence/duplicate-name": {
    severity: "warning",
    title: "A later copy of this name replaces an earlier one",
    why: "The mirrored agent uses the copy that it scans last.",
    fix: "Give one of the two another name, or remove the one that you do not want.",
  },
  "precedence/case-twins": {
    severity: "warning",
    title: "Two names differ in case only",
    why: "Both are kept, but people and models will take one for the other, and on some systems their folders are one.",
    fix: "Give one of the two another name.",
  },
  "precedence/broken-override": {
    severity: "error",
    title: "A broken copy would have replaced this skill",
    why: "The stronger copy cannot be read, so the weaker one stays in effect. That is probably not what was meant.",
    fix: "Mend the file, or remove it.",
  },
});
