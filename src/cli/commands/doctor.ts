import type { Command, Context } from "../command.ts";

/** `skillet doctor`: what is wrong with the whole, each with a way out. */
export const doctor: Command = {
  name: "doctor",
  summary: "what is wrong here, and how to mend it",
  details: [
    "Looks at everything that an agent would see from here: copies of one skill, files that cannot be read, links to nothing, settings, trust, and whether the catalog fits its budget. --fix does what is safe by itself; everything else names the command to run.",
  ],
  examples: [
    ["skillet doctor", "findings, worst first"],
    ["skillet doctor --fix --dry-run", "what --fix would change"],
  ],
  flags: ["fix", "dry-run"],
  run,
};

async function run(context: Context): Promise<number> {
  const { runDoctor } = await import("../check/run-doctor.ts");
  return runDoctor(context, await context.skills());
}
