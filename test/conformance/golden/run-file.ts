import { readFileSync } from "node:fs";
import type { GoldenFile } from "./golden-file.ts";
import { stableText } from "./golden-file.ts";
import { suites } from "./suites.ts";

/** What became of a file. */
export interface GoldenReport {
  readonly suite: string;
  readonly total: number;
  /** Equal, or with nothing to compare by the rules of the recording. */
  readonly passed: number;
  /** One line a case: id, expected, actual, shortened to where they part. */
  readonly failures: readonly string[];
  /** No such suite. */
  readonly unknown: boolean;
}

/** Runs every case of a golden file. A case that throws has failed. */
export async function runGoldenFile(path: string): Promise<GoldenReport> {
  const file = JSON.parse(readFileSync(path, "utf8")) as GoldenFile;
  const suite = Object.hasOwn(suites, file.suite) ? suites[file.suite] : undefined;
  const total = file.cases.length;
  if (suite === undefined)
    return { suite: file.suite, total, passed: 0, failures: [`unknown suite ${file.suite}`], unknown: true };
  const failures: string[] = [];
  for (const goldenCase of file.cases) {
    try {
      const outcome = await suite(goldenCase, file);
      if (outcome.kind === "different") failures.push(line(goldenCase.id, outcome.expected, outcome.actual));
    } catch (error) {
      failures.push(
        `${goldenCase.id}: threw ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    }
  }
  return { suite: file.suite, total, passed: total - failures.length, failures, unknown: false };
}

const shown = 300;

/** Both texts from a little before the first unit in which they differ. */
function line(id: string, expected: unknown, actual: unknown): string {
  const [left, right] = [stableText(expected) ?? "undefined", stableText(actual) ?? "undefined"];
  let start = 0;
  while (start < left.length && left[start] === right[start]) start++;
  const cut = (text: string): string => {
    const from = Math.max(0, start - 80);
    const part = text.slice(from, from + shown);
    return `${from > 0 ? "…" : ""}${part}${from + shown < text.length ? "…" : ""}`;
  };
  return `${id}: expected ${cut(left)} actual ${cut(right)}`;
}
