import { nothingBelow } from "../../core/search/decide.ts";
import { fieldName } from "../../core/search/explain-match.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import type { Painter } from "../output/paint.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { skilletLine } from "../output/shell-words.ts";
import { padEnd, textWidth } from "../output/text-width.ts";
import type { MeantHit } from "../search-meaning.ts";
import { likely, percent } from "./how-likely.ts";
import { noteTrust } from "./notes.ts";

interface Answer {
  readonly query: string;
  readonly results: readonly MeantHit[];
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
    const hit = results[index];
    if (context.flags.on("explain") && hit !== undefined)
      context.print(...termLines(hit.explain ?? [], paint), ...meaningLines(hit, paint));
  }
  if (results.length === 0) {
    const list = skilletLine("list", context.flags);
    context.note(`No skill fits "${safeLine(query)}". All: ${list}`);
  } else if (likeliest(results) < nothingBelow && query.trim() !== "")
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

/** Of the first hit; where meaning moved hits about, the highest of all. */
function likeliest(results: readonly MeantHit[]): number {
  const counted = results.filter(({ meaning }, place) => place === 0 || meaning !== undefined);
  return Math.max(...counted.map(({ probability }) => probability));
}

/** How much of the score comes from closeness in meaning. */
function meaningLines({ meaning }: MeantHit, paint: Painter): readonly string[] {
  if (meaning === undefined) return [];
  const { share, similarity } = meaning;
  return [
    `       ${paint.dim(`meaning: ${percent(share)} of the score, similarity ${similarity.toFixed(2)}`)}`,
  ];
}

/** Groups that are no words. */
const groups: Readonly<Record<string, string>> = { letters: "(letters in common)" };

/** One line a word, heaviest first: what it adds in all, and in which fields. */
function termLines(terms: NonNullable<MeantHit["explain"]>, paint: Painter): readonly string[] {
  const words = new Map<string, { sum: number; places: string[] }>();
  for (const { term, field, weight } of terms) {
    const place = term in groups ? [] : [`${fieldName(field)} ${weight.toFixed(2)}`];
    const known = words.get(term);
    if (known === undefined) words.set(term, { sum: weight, places: place });
    else {
      known.sum += weight;
      known.places.push(...place);
    }
  }
  const sorted = [...words].sort((a, b) => b[1].sum - a[1].sum);
  const shown = sorted.map(([term, { sum, places }]) => ({
    word: safeLine(groups[term] ?? term),
    sum: sum.toFixed(2),
    places: safeLine(places.join(", ")),
  }));
  const widest = Math.max(0, ...shown.map(({ word }) => textWidth(word)));
  return shown.map(({ word, sum, places }) =>
    `       ${padEnd(word, widest)}  ${sum.padStart(5)}  ${paint.dim(places)}`.trimEnd(),
  );
}
