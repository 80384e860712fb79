import { defineCodes } from "./define-codes.ts";

/** What an agent's file asks for and does not get. */
export const agentCodes = defineCodes({
  "agent/unknown-skill": {
    severity: "error",
    title: "An agent loads a skill at its start that does not exist",
    why: "The agent begins without instructions that its author counted on.",
    fix: "Correct the name in the agent's file, or add the skill; skillet list shows what there is.",
  },
  "agent/not-given": {
    severity: "warning",
    title: "An agent loads a skill at its start that it may not have",
    why: "A rule denies it, it is switched off, or its file is gone, so the agent begins without it.",
    fix: "skillet why NAME says which; change that, or leave the name out of the agent's file.",
  },
  "agent/untrusted": {
    severity: "info",
    title: "The file of an agent in an untrusted project is not used",
    why: "A stranger's project could else put text into every session of an agent with that name.",
    fix: "Look at the project and run skillet trust.",
  },
  "agent/unreadable": {
    severity: "warning",
    title: "The file of an agent cannot be read",
    why: "The skills that it names are not loaded at the agent's start.",
    fix: "Save it as a Markdown file with frontmatter between two lines of three dashes.",
  },
});
