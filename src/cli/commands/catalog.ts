import type { Command, Context } from "../command.ts";

/** `skillet catalog`: exactly the text about skills that the model gets. */
export const catalog: Command = {
  name: "catalog",
  summary: "exactly what a model is told about the skills",
  examples: [
    ["skillet catalog", "the text"],
    ["skillet catalog --report --window 200000", "what is cut at that window, and by how much"],
    ["skillet catalog --raw --as opencode > catalog.txt", "byte for byte OpenCode's"],
  ],
  flags: ["window", "budget", "report", "raw"],
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const window = context.flags.number("window");
  const budget = context.flags.number("budget");
  const made = skills.catalog({
    ...(window === undefined ? {} : { contextWindow: window }),
    ...(budget === undefined ? {} : { budget }),
  });
  if (context.json) {
    context.printJson({
      version: 1,
      profile: skills.snapshot.profile,
      text: made.text,
      tokens: made.tokens,
      budget: made.budget,
      overflow: made.overflow,
      skills: made.skills.map(({ name, state, tokens, reason }) => ({ name, state, tokens, reason })),
    });
    return 0;
  }
  const { printReport, noteCatalog } = await import("../views/catalog-view.ts");
  if (context.flags.on("report")) printReport(context, made);
  else if (made.text !== null) {
    context.write(made.text);
    if (!context.flags.on("raw")) context.write("\n");
  }
  noteCatalog(context, skills, made);
  return 0;
}
