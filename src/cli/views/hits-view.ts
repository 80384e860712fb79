import { nothingBelow } from "../../core/search/decide.ts";
import type { SearchHit, Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import type { Painter } from "../output/paint.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { skilletLine } from "../output/shell-words.ts";
import { padEnd, textWidth } from "../output/text-width.ts";
import { likely, percent } from "./how-likely.ts";
import { noteTrust } from "./notes.ts";

interface Answer {
  readonly query: string;
  readonly results: readonly SearchHit[];
  readonly autoLoad: string | null;
}

/** Hits, best first, one row each; with --explain the words that counted below. */
export function printHits(context: Context, skills: Skills, { query, results, autoLoad }: Answer): void {
  const { paint } = context;
  const table = results.map((hit) => [
    { text: percent(hit.probability).padStart(5), paint: likely(hit.probability, paint) },
    { text: safeLine(hit.name), paint: paint.bold },
    { text: safeLine(hit.reason), paint: paint.dim },
  ]);
  const lines = rows(table, paint, { indent: 0 });
  for (const [index, line] of lines.entries()) {
    context.print(line);
    if (context.flags.on("explain")) context.print(...termLines(results[index]?.explain ?? [], paint));
  }
  if (results.length === 0) {
    const list = skilletLine("list", context.flags);
    context.note(`No skill fits "${safeLine(query)}". All: ${list}`);
  } else if ((results[0]?.probability ?? 0) < nothingBelow && query.trim() !== "")
    context.note("Probably none of these fits.", "dim");
  else if (autoLoad !== null)
    context.note(`"${safeLine(autoLoad)}" is likely enough to be loaded at once.`, "dim");
  noteTrust(context, skills);
}

function termLines(terms: NonNullable<SearchHit["explain"]>, paint: Painter): readonly string[] {
  const widest = Math.max(0, ...terms.map(({ term }) => textWidth(safeLine(term))));
  return terms.map(
    ({ term, field, weight }) =>
      `       ${padEnd(safeLine(term), widest)}  ${paint.dim(`${safeLine(field)}  ${weight.toFixed(2)}`)}`,
  );
}
