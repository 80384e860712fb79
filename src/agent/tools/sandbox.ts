import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";

export interface SandboxOptions {
  /** Names under `tools`. */
  readonly names: readonly string[];
  /** One call from inside. `failed` throws there. */
  call(name: string, input: unknown): Promise<{ readonly output: string; readonly failed: boolean }>;
  readonly signal: AbortSignal;
  readonly limits?: Partial<SandboxLimits>;
}

export interface SandboxLimits {
  /** Milliseconds that the program itself may compute; waiting for calls does not count. */
  readonly computing: number;
  readonly memoryBytes: number;
  /** Calls of tools. */
  readonly calls: number;
}

export type SandboxResult =
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "error"; readonly message: string };

/** What the thread gets to run. */
export interface SandboxJob {
  readonly code: string;
  readonly names: readonly string[];
  readonly limits: SandboxLimits;
  /** UTF-16 units of what it prints; more is dropped. */
  readonly logLimit: number;
  /** What is said when it computed for too long. */
  readonly tooLong: string;
}

export type FromSandbox =
  | { readonly type: "ready" }
  | { readonly type: "log"; readonly text: string }
  | { readonly type: "call"; readonly id: number; readonly name: string; readonly input: string }
  | { readonly type: "done"; readonly result: SandboxResult };

/** The answer to a call. */
export interface ToSandbox {
  readonly id: number;
  readonly output: string;
  readonly failed: boolean;
}

const usual: SandboxLimits = { computing: 10_000, memoryBytes: 64 * 1024 * 1024, calls: 200 };
/** UTF-16 units of what a program prints. */
const logLimit = 60_000;
/** Milliseconds for the engine to stop by itself before its thread is ended, and for the thread to begin. */
const grace = 2_000;
const beginning = 60_000;
/** The thread's own limits; those of the program are set inside. */
const threadLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16, stackSizeMb: 8 };

/**
 * Runs JavaScript in an engine of its own (QuickJS in WebAssembly): no files, no network, no process, no clock but
 * `Date`; only `tools` and `console.log`. The program is the body of an async function; what it returns is given as JSON.
 * It runs in a thread that is ended when it takes too long or too much, or when the signal says so, whatever it does.
 * Calls that it made are finished before this resolves. Never rejects.
 */
export async function runInSandbox(
  code: string,
  options: SandboxOptions,
): Promise<SandboxResult & { readonly log: string }> {
  const limits = { ...usual, ...options.limits };
  const tooLong = `The program computed for more than ${limits.computing / 1000} seconds.`;
  const job: SandboxJob = { code, names: options.names, limits, logLimit, tooLong };
  const running = new Set<Promise<void>>();
  let log = "";
  let calls = 0;
  const thread = startThread(job);
  const result = await new Promise<SandboxResult>((resolve) => {
    const end = (message: string): void => resolve({ kind: "error", message });
    let timer = setTimeout(() => end("The sandbox did not begin."), beginning);
    // It computes whenever no call is under way; then each sign of life gives it the whole time again, which only the
    // engine's own clock makes less.
    const watch = (): void => {
      clearTimeout(timer);
      if (running.size === 0) timer = setTimeout(() => end(tooLong), limits.computing + grace);
    };
    const cancel = (): void => end("Cancelled by the user.");
    options.signal.addEventListener("abort", cancel, { once: true });
    if (options.signal.aborted) cancel();
    const answer = async (id: number, name: string, input: string): Promise<void> => {
      calls += 1;
      const given =
        calls > limits.calls
          ? { output: `More than ${limits.calls} calls in one program.`, failed: true }
          : await options
              .call(name, parsed(input))
              .catch((error: unknown) => ({ output: textOf(error), failed: true }));
      thread.postMessage({ id, output: given.output, failed: given.failed } satisfies ToSandbox);
    };
    thread.on("message", (message: FromSandbox) => {
      if (message.type === "done") resolve(message.result);
      if (message.type === "log") log += `${message.text}\n`;
      if (message.type === "call") {
        const done = answer(message.id, message.name, message.input).finally(() => {
          running.delete(done);
          watch();
        });
        running.add(done);
      }
      watch();
    });
    thread.on("error", (error) => end(crashText(error)));
    thread.on("exit", () => end("The program was ended: it needed more memory than it may."));
  });
  await thread.terminate();
  await Promise.allSettled([...running]);
  return { ...result, log: log.slice(0, logLimit) };
}

/** From sources the thread's file has to be translated first; a build has it ready, in one place. */
function startThread(job: SandboxJob): Worker {
  const here = import.meta.url;
  const source = here.endsWith(".ts");
  const file = new URL(source ? "./sandbox-worker.ts" : "../agent/sandbox-worker.js", here);
  return new Worker(source ? translated(file.href, here) : file, {
    eval: source,
    workerData: job,
    env: {},
    execArgv: [],
    resourceLimits: threadLimits,
    // What the engine says when it breaks is not for the terminal.
    stdout: true,
    stderr: true,
  });
}

function translated(file: string, here: string): string {
  const tsx = pathToFileURL(createRequire(here).resolve("tsx/esm/api").replace(/cjs$/, "mjs")).href;
  const [from, what, whose] = [tsx, file, here].map((text) => JSON.stringify(text));
  return `import(${from}).then(({ tsImport }) => tsImport(${what}, ${whose}));`;
}

function crashText(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "code") : null;
  return code === "ERR_WORKER_OUT_OF_MEMORY"
    ? "The program was ended: it needed more memory than it may."
    : `The program was ended: ${textOf(error)}`;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return {};
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
