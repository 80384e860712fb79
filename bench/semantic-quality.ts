import { tmpdir } from "node:os";
import { join } from "node:path";
import { compareEvaluations, type Evaluation, evaluate } from "../src/core/evaluation/evaluate.ts";
import { autoLoadFrom } from "../src/core/search/decide.ts";
import type { GlossTable } from "../src/core/search/gloss-table.ts";
import {
  createSearchIndex,
  type SearchDocument,
  type SearchIndex,
  type SearchResult,
} from "../src/core/search/search-index.ts";
import {
  type Embedder,
  fuseMeaning,
  meaningOf,
  meaningOfRequest,
  semanticWeight,
  similarTo,
} from "../src/core/search/semantic.ts";
import { type EvaluationSet, evaluationSets } from "../src/host/evaluation-sets.ts";
import { cachedEmbedder } from "../src/host/semantic/embedding-cache.ts";
import { type EmbeddingFolder, onnxEmbedder } from "../src/host/semantic/onnx/onnx-embedder.ts";
import { pairedBootstrap } from "./paired-bootstrap.ts";
import { qualityRow } from "./quality-row.ts";
import { randomEmbedder } from "./random-embedder.ts";

/** Hits by words that meaning may move, as in the command. */
const moved = 50;
/** Besides the usual one, with `--ablation`. */
const weights = [0.1, 0.2, 0.4, 0.5, 0.7, 1];

export interface SemanticOptions {
  /** A model in a folder, or the seed of vectors that say nothing. */
  readonly model: EmbeddingFolder | number;
  readonly gloss: () => GlossTable;
  /** Other weights too. */
  readonly ablation: boolean;
}

/** Prints the figures of each set by words, and by words and a model, compared request by request. */
export async function semanticQuality(data: string, options: SemanticOptions): Promise<void> {
  const { gloss, ablation, model } = options;
  // What was embedded in an earlier run is there again.
  const embedder =
    typeof model === "number"
      ? randomEmbedder(model)
      : cachedEmbedder(await onnxEmbedder(model), join(tmpdir(), "skillet-bench-vectors"));
  for (const set of evaluationSets([data])) {
    if (set.corpus === null) continue;
    const index = createSearchIndex(set.corpus, { gloss });
    const from = performance.now();
    const vectors = await vectorsFor(set, set.corpus, embedder);
    const took = ((performance.now() - from) / 1000).toFixed(1);
    console.log(`${set.name}: ${set.corpus.length} skills, vectors after ${took} s`);
    const measured = (weight: number): { readonly result: Evaluation; readonly each: number } => {
      const cpu = process.cpuUsage().user;
      const result = evaluate(set.cases, (query) => {
        const words = index.search(query, { limit: moved });
        const results = weight === 0 ? words.slice(0, 10) : vectors.fuse(query, words, weight);
        const [first] = words;
        const sure =
          first !== undefined && first.probability >= autoLoadFrom && results[0]?.name === first.name;
        return {
          results: results.map(({ name, location, probability }) => ({ id: location, name, probability })),
          autoLoad: sure ? first.name : null,
        };
      });
      return { result, each: (process.cpuUsage().user - cpu) / 1000 / set.cases.length };
    };
    const words = measured(0);
    console.log(qualityRow("words", words.result, words.each));
    for (const weight of ablation ? [semanticWeight, ...weights] : [semanticWeight]) {
      const { result, each } = measured(weight);
      console.log(qualityRow(`words and meaning, weight ${weight}`, result, each));
      console.log(`  against words: ${comparison(result, words.result)}`);
    }
  }
}

/** Wins, losses, and differences with their paired intervals. */
function comparison(one: Evaluation, other: Evaluation): string {
  const { better, worse, same, probability } = compareEvaluations(one, other);
  const difference = (label: string, gain: (rank: number) => number): string => {
    const values = one.ranks.map((rank, place) => gain(rank) - gain(other.ranks[place] as number));
    const { value, low, high } = pairedBootstrap(values);
    return `${label} ${value.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`;
  };
  const differences = [
    difference("Hit@1", (rank) => Number(rank === 0)),
    difference("Hit@3", (rank) => Number(rank >= 0 && rank < 3)),
    difference("MRR@10", (rank) => (rank < 0 ? 0 : 1 / (rank + 1))),
  ].join(", ");
  return `${better} better, ${worse} worse, ${same} the same, p ${probability.toFixed(4)}; ${differences}`;
}

async function vectorsFor(
  { cases }: EvaluationSet,
  corpus: readonly SearchDocument[],
  embedder: Embedder,
): Promise<{
  fuse(query: string, words: ReturnType<SearchIndex["search"]>, weight: number): readonly SearchResult[];
}> {
  const { prefixes } = embedder;
  const documents = await embedder.embed(corpus.map((document) => meaningOf(document, prefixes)));
  const queries = [...new Set(cases.map(({ query }) => query))];
  const asked = await embedder.embed(queries.map((query) => meaningOfRequest(query, prefixes)));
  const vectorOf = new Map(queries.map((query, number) => [query, asked[number]]));
  return {
    fuse: (query, words, weight) => {
      const own = vectorOf.get(query);
      if (own === undefined) return words.slice(0, 10);
      return fuseMeaning(
        words,
        similarTo(own, corpus, (_, number) => documents[number]),
        { weight, limit: 10 },
      );
    },
  };
}
