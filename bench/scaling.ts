import type { Bench } from "./figures.ts";
import { runWorker } from "./processes.ts";
import type { RoundsResult, RoundsTask } from "./rounds-worker.ts";
import { median } from "./statistics.ts";
import type { TreeOptions } from "./trees.ts";

const shapes: readonly { readonly title: string; readonly options: Omit<TreeOptions, "size"> }[] = [
  { title: "plain", options: { kind: "plain" } },
  { title: "wild", options: { kind: "wild" } },
  { title: "one name in every folder", options: { kind: "plain", naming: "one-name" } },
];

/** Prints microseconds a skill at growing sizes, and the bare loop's beside them: both stay level when work is linear. */
export function measureScaling(bench: Bench): void {
  console.log("| tree | skills | library, µs a skill | bare loop, µs a file | ratio | second, µs a skill |");
  console.log("|---|---|---|---|---|---|");
  for (const { title, options } of shapes) {
    for (const size of [100, 1_000, 10_000, 40_000]) {
      const tree = bench.tree({ ...options, size });
      const task: RoundsTask = {
        places: bench.places(tree),
        subjects: ["library", "bare", "reload"],
        // Enough work in every row for the compiler to settle, and no more than a few seconds.
        rounds: Math.max(3, Math.min(bench.rounds * 10, Math.ceil(100_000 / size))),
        warmUp: Math.ceil(30_000 / size) + 1,
      };
      const result = runWorker<RoundsResult>(bench.workers.rounds, task);
      const each = (times: readonly number[] | undefined): number => (median(times ?? []) * 1000) / size;
      const [library, bare, second] = [each(result.library), each(result.bare), each(result.reload)];
      console.log(
        `| ${title} | ${size} | ${library.toFixed(1)} | ${bare.toFixed(1)} | ${(library / bare).toFixed(2)}× | ${second.toFixed(1)} |`,
      );
      tree.remove();
    }
  }
}
