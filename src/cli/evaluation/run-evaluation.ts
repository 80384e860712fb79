import { compareEvaluations, type Evaluation, evaluate } from "../../core/evaluation/evaluate.ts";
import { labelNotes } from "../../core/evaluation/label-notes.ts";
import type { Estimate } from "../../core/evaluation/statistics.ts";
import { type EvaluationSet, evaluationSets } from "../../host/evaluation-sets.ts";
import { openSkills } from "../../host/open-skills.ts";
import type { Meaning } from "../../host/semantic/prepare-meaning.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import { openOptions } from "../open-options.ts";
import {
  noteSemanticSetting,
  preparedMeaning,
  semanticJson,
  semanticSetting,
  visibleDocuments,
} from "../search-meaning.ts";
import { usageError } from "../usage-error.ts";
import { printEvaluation } from "../views/evaluation-view.ts";
import { noteTrust } from "../views/notes.ts";
import { keptBackBy, knownSkills, wantedAndOffered } from "./kept-back.ts";
import { rankerFor } from "./ranker-for.ts";

/** What `--min` may ask for, and where it stands. */
const measures: Readonly<Record<string, (result: Evaluation) => Estimate>> = {
  hit1: ({ metrics }) => metrics.hit1,
  hit3: ({ metrics }) => metrics.hit3,
  recall3: ({ metrics }) => metrics.recall3,
  recall10: ({ metrics }) => metrics.recall10,
  mrr10: ({ metrics }) => metrics.mrr10,
  ndcg10: ({ metrics }) => metrics.ndcg10,
  coverage: ({ autoLoad }) => autoLoad.coverage,
  precision: ({ autoLoad }) => autoLoad.precision,
  "max-negatives": ({ autoLoad }) => autoLoad.negatives,
  nothing: ({ nothing }) => nothing?.said ?? { value: 0, low: 0, high: 0 },
};

interface Bound {
  readonly measure: string;
  readonly bound: number;
}

function bounds(context: Context): readonly Bound[] {
  return context.flags.texts("min").map((text) => {
    const [, measure = "", value = ""] = /^([a-z0-9-]+)=(\d*\.?\d+)$/.exec(text) ?? [];
    if (!Object.hasOwn(measures, measure) || Number(value) > 1)
      throw usageError(
        `--min ${text} names no measure and share.`,
        `Like hit1=0.9; measures: ${Object.keys(measures).join(", ")}.`,
      );
    return { measure, bound: Number(value) };
  });
}

/** Runs every set, prints it, and fails when a bound or a line of a file is broken. */
export async function runEvaluation(context: Context): Promise<number> {
  const wanted = bounds(context);
  const sets = evaluationSets(context.operands);
  const against = context.flags.text("against");
  const own = await context.skills();
  const other =
    against === undefined
      ? null
      : openSkills({ ...openOptions(context.flags, context.io), profile: against });
  const [meaning = [], rivalMeaning = []] = await meaningForSets(
    context,
    sets,
    other === null ? [own] : [own, other],
  );
  const setting = semanticSetting(own);
  let failed = false;
  const shown = [];
  for (const [place, set] of sets.entries()) {
    const result = evaluate(set.cases, rankerFor(own, set.corpus, { meaning: meaning[place] ?? null }));
    const sees = other === null || set.corpus !== null ? null : wantedAndOffered(other, set.cases);
    // What an agent is not offered its search cannot find: figures of it would say nothing.
    const blind = sees?.offered === 0;
    const rival =
      other === null || blind
        ? null
        : evaluate(set.cases, rankerFor(other, set.corpus, { meaning: rivalMeaning[place] ?? null }));
    const broken = wanted.flatMap(({ measure, bound }) => {
      const value = measures[measure]?.(result).value ?? 0;
      const fails = measure === "max-negatives" ? value > bound : value < bound;
      return fails ? [{ measure, bound, value }] : [];
    });
    failed ||= broken.length > 0 || set.problems.length > 0 || set.cases.length === 0;
    shown.push({
      name: set.name,
      corpus: set.corpus?.length ?? null,
      result,
      rival,
      comparison: rival === null ? null : compareEvaluations(result, rival),
      broken,
      problems: set.problems,
      notes: [
        ...set.notes,
        ...labelNotes(set.cases, knownSkills(own, set.corpus)),
        ...(sees === null || sees.offered === sees.wanted ? [] : [seesLess(`${set.name}: ${against}`, sees)]),
      ],
      keptBack: keptBackBy(own, set.corpus),
    });
  }
  other?.close();
  if (context.json)
    context.printJson({
      version: 1,
      profile: own.snapshot.profile,
      against: against ?? null,
      ...(setting === null ? {} : { semantic: semanticJson(setting, meaning[0] ?? null) }),
      sets: shown.map(({ name, corpus, result, rival, comparison, broken, problems, notes, keptBack }) => ({
        name,
        corpus,
        negatives: result.negatives,
        metrics: result.metrics,
        byLanguage: result.byLanguage,
        autoLoad: result.autoLoad,
        misses: result.misses.map((miss) => ({ ...miss, keptBack: keptBack(miss.expected) })),
        against: rival === null ? null : { metrics: rival.metrics, autoLoad: rival.autoLoad },
        comparison,
        broken,
        problems,
        notes,
      })),
    });
  else {
    for (const one of shown)
      printEvaluation(context, one, { profile: own.snapshot.profile, against: against ?? null });
    if (sets.some(({ corpus }) => corpus === null)) noteTrust(context, own);
  }
  return failed ? 1 : 0;
}

function seesLess(
  who: string,
  { wanted, offered }: { readonly wanted: number; readonly offered: number },
): string {
  return offered === 0
    ? `${who} is offered none of the skills that are wanted, so there is nothing to compare`
    : `${who} is offered ${offered} of the ${wanted} skills that are wanted, and cannot find the others`;
}

/**
 * Vectors for every set of every one that is measured, before the first is: an address that fails on the way would else
 * leave figures of two kinds. After a failure nothing more is asked, and all is measured by words alone.
 */
async function meaningForSets(
  context: Context,
  sets: readonly EvaluationSet[],
  measured: readonly Skills[],
): Promise<readonly (readonly (Meaning | null)[])[]> {
  const prepared: (Meaning | null)[][] = [];
  for (const skills of measured) {
    noteSemanticSetting(context, skills);
    const own: (Meaning | null)[] = [];
    for (const { cases, corpus } of semanticSetting(skills) === null ? [] : sets) {
      const meaning = await preparedMeaning(context, skills, {
        documents: corpus ?? visibleDocuments(skills),
        queries: cases.map(({ query }) => query),
        patient: true,
      });
      if (meaning === null) return [];
      own.push(meaning);
    }
    prepared.push(own);
  }
  return prepared;
}
