import { defineCodes } from "./define-codes.ts";

/** Putting a stored skill into an agent's folder. */
export const placeCodes = defineCodes({
  "place/method": {
    severity: "info",
    title: "How a skill was put into an agent's folder",
    why: "A link follows every update of the stored skill by itself; a copy has to be updated together with it.",
    fix: "Nothing to do. On Windows, links need the developer mode or an administrator; a junction or a copy works without.",
  },
  "place/left-out": {
    severity: "warning",
    title: "Part of a skill was not copied",
    why: "The system refuses links, so the skill was copied. Links that lead out of the skill and files that are no regular files are not part of a copy.",
    fix: "Replace them by regular files in the stored skill.",
  },
});
