import { defineCodes } from "./define-codes.ts";

/** Watching folders, and what became of skills meanwhile (docs/watching.md). */
export const watchCodes = defineCodes({
  "watch/polling": {
    severity: "warning",
    title: "Folders are looked at every few seconds instead of being watched",
    why: "The system has no more watch handles to give, or cannot watch this kind of disk. Changes are seen a little later; nothing is missed.",
    fix: "On Linux, raise `fs.inotify.max_user_watches` and `fs.inotify.max_user_instances`, or stop a program that watches a lot.",
  },
  "watch/refresh-failed": {
    severity: "error",
    title: "A change was noticed, but the skills could not be read again",
    why: "The state from before stays in use until the next change can be read.",
    fix: "See what the message says, then save any skill again or restart.",
  },
  "skill/departed": {
    severity: "info",
    title: "The skill was there before and is not any more",
    why: "A conversation may still speak of it. It was removed, renamed or broken while the program ran.",
    fix: "Restore or mend its SKILL.md, or go on without it.",
  },
});
