import { isMainThread, parentPort, Worker } from "node:worker_threads";

/** What the working thread tells about a query that begins (its limit in seconds) or has ended (null). */
interface Notice {
  readonly limit: number | null;
}

/**
 * Runs `work` in a thread of its own, because a query that never ends can only be stopped from outside. Output and exit
 * code are those of the thread; a query over its limit, or one that fills the memory, ends as a failure.
 */
export async function supervise(name: string, work: () => Promise<void>): Promise<void> {
  if (!isMainThread) return work();
  process.stdout.on("error", (error: NodeJS.ErrnoException) => process.exit(error.code === "EPIPE" ? 0 : 1));
  const worker = new Worker(new URL(import.meta.url), { argv: process.argv.slice(2) });
  const failed = (message: string, hint: string): void => {
    process.stderr.write(`${name}: ${message}\n  ${hint}\n`);
    process.exitCode = 1;
  };
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  worker.on("message", ({ limit }: Notice) => {
    clearTimeout(timer);
    if (limit === null) return;
    timer = setTimeout(() => {
      stopped = true;
      failed(
        `the query did not end within ${limit} s and was stopped`,
        "a join without a condition or a recursion without an end? --timeout SECONDS gives it more time",
      );
      void worker.terminate();
    }, limit * 1000);
  });
  await new Promise<void>((done) => {
    worker.on("error", (error: NodeJS.ErrnoException) => {
      stopped = true;
      const full = error.code === "ERR_WORKER_OUT_OF_MEMORY";
      failed(full ? "the result does not fit into memory" : error.message, "ask for fewer rows or columns");
    });
    worker.on("exit", (code) => {
      clearTimeout(timer);
      if (!stopped) process.exitCode = code;
      done();
    });
  });
}

/** Does what may take without end, for at most `seconds`. */
export function limited<Result>(seconds: number, work: () => Result): Result {
  const tell = (notice: Notice): void => parentPort?.postMessage(notice);
  tell({ limit: seconds });
  try {
    return work();
  } finally {
    tell({ limit: null });
  }
}
