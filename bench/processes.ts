import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Runs a program to its end with its output in a file (a pipe would measure the reader too); milliseconds. */
export function runToFile(program: Program, output: string): number {
  const descriptor = openSync(output, "w");
  try {
    const start = process.hrtime.bigint();
    const { status, error, stderr } = spawnSync(program.file, [...program.args], {
      stdio: ["ignore", descriptor, "pipe"],
      ...(program.cwd === undefined ? {} : { cwd: program.cwd }),
      ...(program.env === undefined ? {} : { env: { ...program.env } }),
    });
    const time = Number(process.hrtime.bigint() - start) / 1e6;
    if (error !== undefined || status !== 0)
      throw new Error(`${program.file} ${program.args.join(" ")} failed: ${error?.message ?? stderr}`);
    return time;
  } finally {
    closeSync(descriptor);
  }
}

/** Runs a worker of this folder in a process of its own and returns what it printed as JSON. */
export function runWorker<T>(worker: string, task: object): T {
  const args = [worker, JSON.stringify(task)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    maxBuffer: 1 << 26,
    env: plainEnvironment(),
  });
  if (status !== 0) throw new Error(`${worker} failed\n${stderr}`);
  return JSON.parse(stdout);
}

/** The process's variables without those that load more code into a new Node. */
export function plainEnvironment(): Record<string, string | undefined> {
  const { NODE_OPTIONS: _options, NODE_COMPILE_CACHE: _cache, ...rest } = process.env;
  return rest;
}
