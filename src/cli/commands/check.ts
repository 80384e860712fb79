import type { Command, Context } from "../command.ts";

/** `skillet check`: skills as text files. */
export const check: Command = {
  name: "check",
  operands: "[PATH…]",
  most: null,
  summary: "look for mistakes in SKILL.md files",
  details: [
    "PATH is a SKILL.md, a skill's folder, or a folder with skills in it. Without one: every skill of this project. What keeps a skill from being read everywhere is a warning, what keeps it from being read here an error; --strict holds it to the published standard as well.",
    "What looks like an attack is named too (codes risk/…, docs/risks.md). A skill without findings is not thereby harmless.",
    "Exit code 1 when there is an error, or when there are more warnings than --max-warnings.",
  ],
  examples: [
    ["skillet check", "all skills of this project"],
    ["skillet check --strict --format github .", "in a workflow of GitHub Actions"],
    ["skillet check --fix", "repair what can be repaired safely"],
    ["skillet check --fix --dry-run", "what --fix would change"],
  ],
  flags: ["strict", "format", "fix", "dry-run", "max-warnings"],
  run,
};

async function run(context: Context): Promise<number> {
  const { runCheck } = await import("../check/run-check.ts");
  return runCheck(context);
}
