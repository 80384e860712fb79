/** Runs one command line (without node and script) and resolves to the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  process.stderr.write(`skillet: not yet implemented (${args.length} arguments)\n`);
  return 2;
}
