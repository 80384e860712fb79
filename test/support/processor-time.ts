/** Milliseconds that this process has worked so far: unlike a clock, it stands still while others have the processor. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Milliseconds of processor time of the fastest of some runs. */
export function fastest(work: () => void, runs = 3): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const started = processorTime();
    work();
    best = Math.min(best, processorTime() - started);
  }
  return best;
}
