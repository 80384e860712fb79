import type { Comparison, Evaluation, RankMetrics } from "../../core/evaluation/evaluate.ts";
import type { Estimate } from "../../core/evaluation/statistics.ts";
import type { Context } from "../command.ts";
import type { KeptBack } from "../evaluation/kept-back.ts";
import { heading } from "../output/heading.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { truncate } from "../output/text-width.ts";
import { count } from "../output/words.ts";

interface Shown {
  readonly name: string;
  readonly corpus: number | null;
  readonly result: Evaluation;
  readonly rival: Evaluation | null;
  readonly comparison: Comparison | null;
  readonly broken: readonly { readonly measure: string; readonly bound: number; readonly value: number }[];
  readonly problems: readonly string[];
  readonly notes: readonly string[];
  /** Of wanted names those that no search could give. */
  readonly keptBack: (wanted: readonly string[]) => readonly KeptBack[];
}

const shownMisses = 15;
const shownNotes = 10;

const columns: readonly (readonly [string, (metrics: RankMetrics) => Estimate])[] = [
  ["Hit@1", ({ hit1 }) => hit1],
  ["Hit@3", ({ hit3 }) => hit3],
  ["Recall@3", ({ recall3 }) => recall3],
  ["Recall@10", ({ recall10 }) => recall10],
  ["MRR@10", ({ mrr10 }) => mrr10],
  ["nDCG@10", ({ ndcg10 }) => ndcg10],
];

function estimate({ value, low, high }: Estimate): string {
  return `${value.toFixed(3)}  (${Math.max(0, low).toFixed(3)} to ${Math.min(1, high).toFixed(3)})`;
}

function signed(value: number): string {
  return `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
}

/** One set: measures with their 95 % intervals, what would be loaded at once, the comparison, and the misses. */
export function printEvaluation(
  context: Context,
  shown: Shown,
  names: { readonly profile: string; readonly against: string | null },
): void {
  const { paint } = context;
  const { result, rival, comparison } = shown;
  const table = (list: readonly (readonly string[])[]): readonly string[] =>
    rows(
      list.map((row) => row.map((text, column) => ({ text, ...(column === 0 ? { paint: paint.dim } : {}) }))),
      paint,
      { indent: 2 },
    );
  const of = shown.corpus === null ? "the skills found here" : `${shown.corpus} skills`;
  context.print(
    paint.bold(
      `${safeLine(shown.name)}: ${count(result.metrics.count, "request")} that a skill serves, ${count(result.negatives, "negative")}, of ${of}`,
    ),
  );
  if (result.metrics.count > 0) {
    context.print(
      ...table(
        columns.map(([name, pick]) => [
          name,
          estimate(pick(result.metrics)),
          ...(rival === null ? [] : [estimate(pick(rival.metrics))]),
        ]),
      ),
    );
    const languages = Object.entries(result.byLanguage);
    if (languages.length > 1)
      for (const [language, metrics] of languages)
        context.print(
          ...table([
            [
              language === "han" ? "Chinese" : "other",
              `${metrics.count} requests: Hit@1 ${metrics.hit1.value.toFixed(3)}, Hit@3 ${metrics.hit3.value.toFixed(3)}, MRR@10 ${metrics.mrr10.value.toFixed(3)}`,
            ],
          ]),
        );
  }
  context.print(...heading("Loaded at once", paint), ...table(loadRows(result, rival)));
  if (result.nothing !== null)
    context.print(
      ...heading("Said that nothing fits", paint),
      ...table([
        ...(result.nothing.said === null ? [] : [["where no skill serves", estimate(result.nothing.said)]]),
        ...(result.metrics.count > 0 ? [["where one does", estimate(result.nothing.wrongly)]] : []),
      ]),
    );
  if (comparison !== null && names.against !== null)
    context.print(
      ...heading(`${names.profile} against ${safeLine(names.against)}, pair by pair`, paint),
      ...table([
        ["better, worse, same", `${comparison.better}, ${comparison.worse}, ${comparison.same}`],
        [
          "Hit@1",
          `${signed(comparison.hit1.value)}  (${signed(comparison.hit1.low)} to ${signed(comparison.hit1.high)})`,
        ],
        [
          "MRR@10",
          `${signed(comparison.mrr10.value)}  (${signed(comparison.mrr10.low)} to ${signed(comparison.mrr10.high)})`,
        ],
        [
          "by chance alone",
          comparison.probability < 0.001 ? "p < 0.001" : `p = ${comparison.probability.toFixed(3)}`,
        ],
      ]),
    );
  if (result.misses.length > 0) {
    context.print(
      ...heading(`Not first: ${result.misses.length} (the place of the right one; – = not among ten)`, paint),
    );
    for (const miss of result.misses.slice(0, context.verbose ? result.misses.length : shownMisses)) {
      const place = miss.rank === null ? "–" : `${miss.rank}.`;
      context.print(
        truncate(`  ${place.padStart(3)} ${safeLine(miss.query)}`, paint.textWidth, paint.symbols.ellipsis),
        paint.dim(
          truncate(
            `      wanted ${miss.expected.map(safeLine).join(" or ")}; found ${miss.found.map(safeLine).join(", ") || "nothing"}`,
            paint.textWidth,
            paint.symbols.ellipsis,
          ),
        ),
        ...shown
          .keptBack(miss.expected)
          .map(({ name, why }) =>
            paint.yellow(truncate(`      ${safeLine(name)} ${why}`, paint.textWidth, paint.symbols.ellipsis)),
          ),
      );
    }
    const more = result.misses.length - shownMisses;
    if (more > 0 && !context.verbose) context.print(paint.dim(`      and ${more} more; -v lists all`));
  }
  noteLabels(context, shown);
  for (const { measure, bound, value } of shown.broken)
    context.note(`${measure} is ${value.toFixed(3)}, the bound is ${bound}.`, "warning");
  context.print("");
}

/** What is wrong with the files, then what is hardly meant as it is written. */
function noteLabels(context: Context, { problems, notes }: Shown): void {
  for (const problem of problems) context.note(safeLine(problem), "warning");
  const told = notes.slice(0, context.verbose ? notes.length : shownNotes);
  for (const note of told) context.note(safeLine(note), "warning");
  const more = notes.length - told.length;
  if (more > 0) context.note(`${more} more like these; -v lists all`, "dim");
}

function loadRows(result: Evaluation, rival: Evaluation | null): readonly (readonly string[])[] {
  const both = (pick: (one: Evaluation) => Estimate): readonly string[] => [
    estimate(pick(result)),
    ...(rival === null ? [] : [estimate(pick(rival))]),
  ];
  const list: (readonly string[])[] = [];
  if (result.metrics.count > 0)
    list.push(
      ["coverage: load one", ...both(({ autoLoad }) => autoLoad.coverage)],
      ["precision: the right one", ...both(({ autoLoad }) => autoLoad.precision)],
    );
  if (result.negatives > 0)
    list.push(
      ["negatives that load any", ...both(({ autoLoad }) => autoLoad.negatives)],
      ["what they must not load", ...both(({ autoLoad }) => autoLoad.forbidden)],
    );
  return list;
}
