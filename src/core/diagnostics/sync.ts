import { defineCodes } from "./define-codes.ts";

/** Putting the set of skills into folders that other agents read (docs/sync.md). */
export const syncCodes = defineCodes({
  "sync/kept": {
    severity: "warning",
    title: "Something that sync may not touch stands in a skill's place",
    why: "It was there before, or was changed after sync put it there. It may be the only copy of somebody's work, so the agent keeps seeing it instead.",
    fix: "Compare the two, then move or remove the one in the agent's folder and run skillet sync again.",
  },
  "sync/failed": {
    severity: "error",
    title: "A skill could not be put into an agent's folder",
    why: "The agent does not see it, or still sees the copy from before; nothing half-written is left.",
    fix: "See what the message says (permission, disk), then run skillet sync again.",
  },
  "sync/outside": {
    severity: "error",
    title: "An agent's folder in the project leads out of the project",
    why: "A link in the project would carry its skills into another folder, perhaps your own that every project sees. So nothing is written or removed there.",
    fix: "Replace the link by a folder, or use --user for your own folders.",
  },
  "sync/left-out": {
    severity: "warning",
    title: "A skill is offered here but not put into other agents' folders",
    why: "Other agents read plain folders: what asks first, exists only in memory or has a name that no folder can have does not work there.",
    fix: "Change the rule or the name that the message names, or go without it there.",
  },
});
