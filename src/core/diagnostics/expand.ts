import { defineCodes } from "./define-codes.ts";

/** What a typed message asks for and does not get. */
export const expandCodes = defineCodes({
  "expand/not-given": {
    severity: "warning",
    title: "A skill that the message calls is not given",
    why: "A rule denies it, it is switched off or not for users, or its file is gone, so the model answers without it.",
    fix: "skillet why NAME says which; change that, or leave the call out.",
  },
  "expand/unknown-skill": {
    severity: "error",
    title: "A skill to give with the message does not exist",
    why: "The message would be sent without the instructions that were asked for.",
    fix: "Correct the name; skillet list shows what there is.",
  },
});
