/** Milliseconds that this process has worked so far: unlike a clock, it stands still while others have the processor. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
