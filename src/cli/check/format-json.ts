import { type Finding, findingJson, type Tally } from "./finding.ts";
import { tallySentence } from "./tally-sentence.ts";

/** `check --json` and `doctor --json`, version 1. */
export function findingsJson(findings: readonly Finding[], counts: Tally): object {
  return {
    version: 1,
    findings: findings.map(findingJson),
    summary: tallySentence(counts),
    counts,
  };
}
