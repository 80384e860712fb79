import { defineCodes } from "./define-codes.ts";

/** Handing skills on to others (docs/publish.md). */
export const publishCodes = defineCodes({
  "publish/hidden": {
    severity: "warning",
    title: "A hidden file was not handed on",
    why: "Files and folders that begin with a dot, such as .env, often hold secrets or settings of one machine. They are neither in the site nor in the skill's digest.",
    fix: "Give the file a name without a dot if others need it, or remove it from the skill's folder.",
  },
  "publish/link": {
    severity: "warning",
    title: "A link was not handed on",
    why: "It leads to a folder, to nothing, or out of the skill, or a whole skill is only linked there. Others get ordinary files only.",
    fix: "Replace the link by what it leads to, or name the folder that really holds the skill.",
  },
});
