import { fieldName } from "../../core/search/explain-match.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import type { Painter } from "../output/paint.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { skilletLine } from "../output/shell-words.ts";
import { padEnd, textWidth } from "../output/text-width.ts";
import type { MeantHit } from "../search-meaning.ts";
import { likely, percent, requestFits } from "./how-likely.ts";
import { noteTrust } from "./notes.ts";

interface Answer {
  readonly query: string;
  readonly results: readonly MeantHit[];
  readonly autoLoad: string | null;
}

/** Hits, best first, one row each; with --explain the words that counted below. */
export function printHits(context: Context, skills: Skills, { query, results, autoLoad }: Answer): void {
  const { paint } = context;
  if (query.trim() === "") {
    printAll(context, skills, results);
    noteTrust(context, skills);
    return;
  }
  const table = results.map((hit) => [
    { text: percent(hit.probability).padStart(5), paint: likely(hit.probability, paint) },
    { text: safeLine(hit.name), paint: paint.bold },
    { text: safeLine(hit.reason), paint: paint.dim },
  ]);
  const lines = rows(table, paint, { indent: 0 });
  for (const [index, line] of lines.entries()) {
    context.print(line);
    const hit = results[index];
    if (context.flags.on("explain") && hit !== undefined)
      context.print(...termLines(hit.explain ?? [], paint), ...meaningLines(hit, paint));
  }
  if (results.length === 0) {
    const list = skilletLine("list", context.flags);
    context.note(`No skill fits "${safeLine(query)}". All: ${list}`);
  } else if (!requestFits(results))
    context.note(
      results[0]?.meaning === undefined
        ? "Probably none of these fits."
        : "By words probably none of these fits; they are the closest in words and meaning.",
      "dim",
    );
  else if (autoLoad !== null)
    context.note(`"${safeLine(autoLoad)}" is likely enough to be loaded at once.`, "dim");
  noteTrust(context, skills);
}

/** Without a request nothing is likelier than anything else: names and descriptions, in the order of the list. */
function printAll(context: Context, skills: Skills, results: readonly MeantHit[]): void {
  const { paint } = context;
  const described = new Map(skills.entries.map(({ skill }) => [skill.location, skill.description ?? ""]));
  const table = results.map(({ name, location }) => [
    { text: safeLine(name), paint: paint.bold },
    { text: safeLine(described.get(location) ?? ""), paint: paint.dim },
  ]);
  context.print(...rows(table, paint, { indent: 0 }));
  context.note("No request was given, so these are simply the first.", "dim");
}

/** How much of the score comes from closeness in meaning. */
function meaningLines({ meaning }: MeantHit, paint: Painter): readonly string[] {
  if (meaning === undefined) return [];
  const { share, similarity } = meaning;
  return [
    `       ${paint.dim(`meaning: ${percent(share)} of the score, similarity ${similarity.toFixed(2)}`)}`,
  ];
}

/** A group that is no word, and how it is shown. */
const group = { term: "letters in common", shown: "(letters in common)" };

/** One line a word, heaviest first: what it adds in all, and in which fields. */
function termLines(terms: NonNullable<MeantHit["explain"]>, paint: Painter): readonly string[] {
  const words = new Map<string, { sum: number; places: string[] }>();
  for (const { term, field, weight } of terms) {
    const place = term === group.term ? [] : [`${fieldName(field)} ${weight.toFixed(2)}`];
    const known = words.get(term);
    if (known === undefined) words.set(term, { sum: weight, places: place });
    else {
      known.sum += weight;
      known.places.push(...place);
    }
  }
  const sorted = [...words].sort((a, b) => b[1].sum - a[1].sum);
  const shown = sorted.map(([term, { sum, places }]) => ({
    word: term === group.term ? group.shown : safeLine(term),
    sum: sum.toFixed(2),
    places: safeLine(places.join(", ")),
  }));
  const widest = Math.max(0, ...shown.map(({ word }) => textWidth(word)));
  return shown.map(({ word, sum, places }) =>
    `       ${padEnd(word, widest)}  ${sum.padStart(5)}  ${paint.dim(places)}`.trimEnd(),
  );
}
