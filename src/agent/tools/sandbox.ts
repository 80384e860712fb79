import type { QuickJSContext, QuickJSRuntime, QuickJSSyncVariant } from "quickjs-emscripten-core";

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
  | { readonly kind: "value"; readonly value: string; readonly log: string }
  | { readonly kind: "error"; readonly message: string; readonly log: string };

const usual: SandboxLimits = { computing: 10_000, memoryBytes: 64 * 1024 * 1024, calls: 200 };
/** UTF-16 units of what a program prints. */
const logLimit = 60_000;

/**
 * Runs JavaScript in an engine of its own (QuickJS in WebAssembly): no files, no network, no process, no clock but
 * `Date`; only `tools` and `console.log`. The program is the body of an async function; what it returns is given as JSON.
 * The engine is loaded on first use. Never rejects.
 */
export async function runInSandbox(code: string, options: SandboxOptions): Promise<SandboxResult> {
  const limits = { ...usual, ...options.limits };
  const [{ newQuickJSWASMModuleFromVariant }, { default: variant }] = await Promise.all([
    import("quickjs-emscripten-core"),
    import("@jitl/quickjs-wasmfile-release-sync"),
  ]);
  // A module for each run: one that ran out of memory is not used again.
  const engine = await newQuickJSWASMModuleFromVariant(variant as unknown as QuickJSSyncVariant);
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(512 * 1024);
  const clock = { used: 0, since: 0 };
  let stopped: string | null = null;
  runtime.setInterruptHandler(() => {
    if (options.signal.aborted) stopped = "Cancelled by the user.";
    else if (clock.used + performance.now() - clock.since > limits.computing)
      stopped = `The program computed for more than ${limits.computing / 1000} seconds.`;
    return stopped !== null;
  });
  const context = runtime.newContext();
  const output = { log: "" };
  try {
    return await run({ code, options, limits, runtime, context, clock, output, stopped: () => stopped });
  } catch (error) {
    return { kind: "error", message: stopped ?? textOf(error), log: output.log };
  } finally {
    try {
      context.dispose();
      runtime.dispose();
    } catch {
      // Memory of a program that was stopped in the middle is freed with the engine.
    }
  }
}

interface Run {
  readonly code: string;
  readonly options: SandboxOptions;
  readonly limits: SandboxLimits;
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly clock: { used: number; since: number };
  readonly output: { log: string };
  stopped(): string | null;
}

async function run(parts: Run): Promise<SandboxResult> {
  const { options, limits, runtime, context, clock, output } = parts;
  const waiting = new Set<Promise<unknown>>();
  let calls = 0;
  let wake: () => void = () => {};
  const timed = <T>(work: () => T): T => {
    clock.since = performance.now();
    try {
      return work();
    } finally {
      clock.used += performance.now() - clock.since;
    }
  };
  context
    .newFunction("log", (text) => {
      if (output.log.length < logLimit) output.log += `${context.getString(text)}\n`;
    })
    .consume((handle) => context.setProp(context.global, "__log", handle));
  context
    .newFunction("call", (name, input) => {
      const [tool, json] = [context.getString(name), context.getString(input)];
      const promise = context.newPromise();
      calls += 1;
      const answer =
        calls > limits.calls
          ? Promise.resolve({ output: `More than ${limits.calls} calls in one program.`, failed: true })
          : options.call(tool, parsed(json));
      const done = answer
        .catch((error: unknown) => ({ output: textOf(error), failed: true }))
        .then((result) => {
          if (context.alive)
            context
              .newString(JSON.stringify({ output: result.output, failed: result.failed }))
              .consume((handle) => promise.resolve(handle));
        })
        .finally(() => {
          waiting.delete(done);
          wake();
        });
      waiting.add(done);
      return promise.handle;
    })
    .consume((handle) => context.setProp(context.global, "__call", handle));
  const started = timed(() => context.evalCode(program(parts.code, options.names), "program.js"));
  if (started.error !== undefined) {
    const message = context.dump(started.error) as unknown;
    started.error.dispose();
    return { kind: "error", message: parts.stopped() ?? errorText(message), log: output.log };
  }
  const box = started.value;
  try {
    for (;;) {
      const jobs = timed(() => runtime.executePendingJobs());
      if (jobs.error !== undefined) {
        const message = context.dump(jobs.error) as unknown;
        jobs.error.dispose();
        return { kind: "error", message: parts.stopped() ?? errorText(message), log: output.log };
      }
      const state = context.getPromiseState(box);
      if (state.type === "fulfilled") {
        const value = context.getString(state.value);
        if (state.value !== box) state.value.dispose();
        await Promise.allSettled([...waiting]);
        return { kind: "value", value, log: output.log };
      }
      if (state.type === "rejected") {
        const message = context.dump(state.error) as unknown;
        state.error.dispose();
        await Promise.allSettled([...waiting]);
        return { kind: "error", message: parts.stopped() ?? errorText(message), log: output.log };
      }
      if (waiting.size === 0)
        return {
          kind: "error",
          message: "The program waits for something that never comes.",
          log: output.log,
        };
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (waiting.size === 0) resolve();
      });
    }
  } finally {
    await Promise.allSettled([...waiting]);
    box.dispose();
  }
}

/** The program with what it may use around it; the names of the bridge are gone before it begins. */
function program(code: string, names: readonly string[]): string {
  return `(() => {
  const call = globalThis.__call, log = globalThis.__log;
  delete globalThis.__call; delete globalThis.__log;
  const shown = (value) => typeof value === "string" ? value : value instanceof Error ? String(value) : (JSON.stringify(value) ?? String(value));
  const print = (...values) => log(values.map(shown).join(" "));
  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print };
  globalThis.tools = Object.freeze(Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, async (input) => {
    const answer = JSON.parse(await call(name, JSON.stringify(input ?? {})));
    if (answer.failed) throw new Error(answer.output);
    return answer.output;
  }])));
  return (async () => {
${code}
  })().then((value) => value === undefined ? "" : typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? String(value)));
})()`;
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

/** What the engine says of an error: its name, its message and where in the program. */
function errorText(error: unknown): string {
  if (typeof error !== "object" || error === null) return String(error);
  const [name, message, stack] = ["name", "message", "stack"].map(
    (key) => Reflect.get(error, key) as unknown,
  );
  // The body of the program begins on the line behind those of its frame.
  const at = typeof stack === "string" ? /program\.js:(\d+)/.exec(stack)?.[1] : undefined;
  const line = at === undefined ? "" : ` (line ${Math.max(1, Number(at) - frameLines)})`;
  return `${typeof name === "string" ? name : "Error"}: ${String(message)}${line}`;
}

/** Lines of the frame in front of the program. */
const frameLines = 12;
