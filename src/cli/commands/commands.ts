import type { Command, Context } from "../command.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";

/** `skillet commands`: the slash commands that the skills give. */
export const commands: Command = {
  name: "commands",
  summary: "the slash commands that the skills give",
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const found = skills.commands();
  if (context.json) {
    context.printJson({ version: 1, profile: skills.snapshot.profile, commands: found });
    return 0;
  }
  const { paint } = context;
  context.print(
    ...rows(
      found.map(({ usage, aliases, description }) => {
        const others =
          aliases.length === 0 ? "" : `(also ${aliases.map((alias) => `/${alias}`).join(", ")}) `;
        return [
          { text: safeLine(usage), paint: paint.bold },
          { text: safeLine(others + description), paint: paint.dim },
        ];
      }),
      paint,
      { indent: 0 },
    ),
  );
  if (found.length === 0) context.note("No skill here can be called by a slash command.");
  const { noteTrust } = await import("../views/notes.ts");
  noteTrust(context, skills);
  return 0;
}
