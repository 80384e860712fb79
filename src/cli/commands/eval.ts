import type { Command, Context } from "../command.ts";

/** `skillet eval FILE|DIR…`: how well search answers labelled requests. */
export const evaluation: Command = {
  name: "eval",
  operands: "FILE|DIR…",
  least: 1,
  most: null,
  summary: "how well search finds the right skill for labelled requests",
  details: [
    'A file holds one request a line: {"query": "…", "relevant": ["NAME"]}, {"query": "…", "relevant": []} where nothing fits, or {"query": "…", "not_skill": "NAME"}; or it is a list of {"query": "…", "should_trigger": true} for the skill whose evals/ folder it lies in. A folder is searched for such files; where it has a corpus.jsonl, requests are asked of that instead of the skills that are found here.',
    "Measures are hit1, hit3, recall3, recall10, mrr10, ndcg10, coverage and precision (of loading at once), max-negatives (share of requests without an answer that load something), and nothing (share of requests that nothing serves for which that is said).",
  ],
  examples: [
    ["skillet eval skills", "all requests in evals/ folders of skills below"],
    ["skillet eval requests.jsonl --min hit1=0.9", "fails when too few are found first"],
    ["skillet eval DIR --against mimo", "compared with another agent's search"],
  ],
  flags: ["against", "min"],
  run,
};

async function run(context: Context): Promise<number> {
  const { runEvaluation } = await import("../evaluation/run-evaluation.ts");
  return runEvaluation(context);
}
