import type { Command, Context } from "../command.ts";
import { searchMeaning } from "../search-meaning.ts";
import { requestFits } from "../views/how-likely.ts";

/** `skillet search QUERY…`: ranked skills. */
export const search: Command = {
  name: "search",
  operands: "QUERY…",
  least: 1,
  most: null,
  summary: "rank the skills for a request",
  details: [
    "Meaning counts besides words where the setting search.semantic names a model for it.",
    "With --json `fits` is false where probably none of them serves the request (without --json a line on stderr says so); null for an empty request, which lists skills in their order.",
  ],
  examples: [
    ["skillet search convert word to pdf", "best first"],
    ['skillet search --explain "release notes"', "with the words that counted"],
  ],
  flags: ["limit", "explain"],
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const query = context.operands.join(" ");
  const limit = context.flags.number("limit");
  const explain = context.flags.on("explain");
  const tool = skills.searchTool?.(query) ?? null;
  if (tool !== null) {
    context.write(tool);
    if (context.io.stdout.isTTY && !tool.endsWith("\n")) context.write("\n");
    return 0;
  }
  const { results, autoLoad, semantic } = await searchMeaning(context, skills, {
    query,
    ...(limit === undefined ? {} : { limit }),
    explain,
  });
  if (skills.profile.searchNote !== undefined) context.note(skills.profile.searchNote, "dim");
  if (context.json) {
    context.printJson({
      version: 1,
      profile: skills.snapshot.profile,
      query,
      ...semantic,
      results: results.map(({ explain: terms, meaning, ...hit }) => ({
        name: hit.name,
        location: hit.location,
        score: hit.score,
        probability: hit.probability,
        reason: hit.reason,
        ...(explain ? { explain: terms ?? [], ...(meaning === undefined ? {} : { meaning }) } : {}),
      })),
      autoLoad,
      fits: query.trim() === "" ? null : requestFits(results),
    });
    return 0;
  }
  const { printHits } = await import("../views/hits-view.ts");
  printHits(context, skills, { query, results, autoLoad });
  return 0;
}
