import { skill } from "../cli/run-skillet.ts";

const lines = (...rows: readonly unknown[]): string => rows.map((row) => JSON.stringify(row)).join("\n");

/** Three skills with two meanings, and requests that only a meaning leads from to the right one. */
export const workshop = {
  ".agents/skills/baker/SKILL.md": skill("baker", "Shape the dough and heat the oven."),
  ".agents/skills/mechanic/SKILL.md": skill("mechanic", "Mend a bicycle and its wheel."),
  ".agents/skills/guide/SKILL.md": skill("guide", "Where a tour may lead when something is loose."),
  "set/corpus.jsonl": lines(
    { id: "1", name: "baker", description: "Shape the dough and heat the oven." },
    { id: "2", name: "mechanic", description: "Mend a bicycle and its wheel." },
  ),
  "set/queries.jsonl": lines(
    { query: "a spoke needs care", relevant: ["2"] },
    { query: "heat my oven", relevant: ["1"] },
  ),
};
