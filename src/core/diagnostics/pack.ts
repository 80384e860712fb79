import { defineCodes } from "./define-codes.ts";

/** Skills that come with Skillet, and their copies in the data folder. */
export const packCodes = defineCodes({
  "pack/edited": {
    severity: "warning",
    title: "A built-in skill was changed on disk",
    why: "The folder of built-in skills belongs to Skillet: an update replaces it, so a change there would be lost sooner or later. What was changed or added is kept aside and the built-in skill is as it was.",
    fix: "Copy the skill to ~/.skillet/skills/NAME and change it there: your copy then wins over the built-in one.",
  },
  "pack/repaired": {
    severity: "info",
    title: "A damaged built-in skill was made right again",
    why: "Files of it were missing or cut off, for example after a crash.",
    fix: "Nothing to do.",
  },
  "pack/in-memory": {
    severity: "warning",
    title: "Built-in skills are served from memory",
    why: "Their folder in the data folder cannot be written or is not what it should be. The skills work, but have no folder: files beside SKILL.md cannot be opened.",
    fix: "Make the data folder writable, remove what stands in its place, or choose another one with --data or SKILLET_DATA_DIR.",
  },
  "pack/damaged": {
    severity: "error",
    title: "Part of Skillet itself is damaged",
    why: "Built-in skills in the installed package are not as they were published, so they are not used. All other skills are.",
    fix: "Install Skillet again.",
  },
  "pack/not-extracted": {
    severity: "warning",
    title: "The packs of this agent could not be written",
    why: "The mirrored agent then goes on without its own skills, and so does this view of it.",
    fix: "Make the data folder writable, or name another one with --data.",
  },
});
