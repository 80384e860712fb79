import type { Evaluation } from "../src/core/evaluation/evaluate.ts";

/** A row of the tables in search.md: the measures of one ranking, and milliseconds for a request. */
export function qualityRow(label: string, { metrics, autoLoad }: Evaluation, each: number): string {
  const { hit1, hit3, recall10, mrr10, ndcg10 } = metrics;
  const { coverage, precision, negatives, forbidden } = autoLoad;
  const cells = [hit1, hit3, recall10, mrr10, ndcg10, coverage, precision, negatives, forbidden];
  return `| ${label} | ${cells.map(({ value }) => value.toFixed(3)).join(" | ")} | ${each.toFixed(2)} ms |`;
}
