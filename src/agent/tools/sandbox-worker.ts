import { parentPort, workerData } from "node:worker_threads";
import type { newVariant, QuickJSContext, QuickJSRuntime, QuickJSSyncVariant } from "quickjs-emscripten-core";
import type { FromSandbox, SandboxJob, SandboxResult, ToSandbox } from "./sandbox.ts";

// The thread in which a program of `exec` runs; `sandbox.ts` starts it and may end it at any moment.

/** Deeper calls end in a "stack overflow" of the engine; twice as much would overflow the thread's own stack. */
const stackBytes = 256 * 1024;
/** What the engine needs besides the program's own memory. */
const engineBytes = 64 * 1024 * 1024;
const pageBytes = 65_536;
/** UTF-16 units of a value that is given back or of a line that is printed; more is never shown. */
const textLimit = 1_000_000;

if (parentPort !== null) {
  const port = parentPort;
  const tell = (message: FromSandbox): void => {
    port.postMessage(message);
  };
  runJob(workerData as SandboxJob, tell).then(
    (result) => tell({ type: "done", result }),
    (error: unknown) => tell({ type: "done", result: { kind: "error", message: textOf(error) } }),
  );
}

async function runJob(job: SandboxJob, tell: (message: FromSandbox) => void): Promise<SandboxResult> {
  const { limits } = job;
  const [{ newQuickJSWASMModuleFromVariant, newVariant: withMemory }, { default: variant }] =
    await Promise.all([import("quickjs-emscripten-core"), import("@jitl/quickjs-wasmfile-release-sync")]);
  const wasmMemory = boundedMemory(limits.memoryBytes + engineBytes);
  const engine = await newQuickJSWASMModuleFromVariant(
    withMemory(variant as unknown as QuickJSSyncVariant, { wasmMemory }),
  );
  const runtime = engine.newRuntime();
  runtime.setMemoryLimit(limits.memoryBytes);
  runtime.setMaxStackSize(stackBytes);
  const clock = { used: 0, since: performance.now() };
  let stopped: string | null = null;
  runtime.setInterruptHandler(() => {
    if (clock.used + performance.now() - clock.since > limits.computing) stopped = job.tooLong;
    return stopped !== null;
  });
  const context = runtime.newContext();
  tell({ type: "ready" });
  return run({ job, tell, runtime, context, clock, stopped: () => stopped });
}

type Memory = Extract<NonNullable<Parameters<typeof newVariant>[1]["wasmMemory"]>, object>;

/** The engine counts what the program asks for, and can be wrong; this holds whatever happens. */
function boundedMemory(bytes: number): Memory {
  const { Memory: memory } = Reflect.get(globalThis, "WebAssembly") as {
    readonly Memory: new (pages: { readonly initial: number; readonly maximum: number }) => Memory;
  };
  return new memory({ initial: 256, maximum: Math.ceil(bytes / pageBytes) });
}

interface Run {
  readonly job: SandboxJob;
  readonly tell: (message: FromSandbox) => void;
  readonly runtime: QuickJSRuntime;
  readonly context: QuickJSContext;
  readonly clock: { used: number; since: number };
  stopped(): string | null;
}

async function run(parts: Run): Promise<SandboxResult> {
  const { job, tell, runtime, context, clock } = parts;
  const waiting = new Map<number, (answer: string) => void>();
  let calls = 0;
  let logged = 0;
  let wake: () => void = () => {};
  const timed = <T>(work: () => T): T => {
    clock.since = performance.now();
    try {
      return work();
    } finally {
      clock.used += performance.now() - clock.since;
    }
  };
  const failed = (error: unknown): SandboxResult => ({
    kind: "error",
    message: parts.stopped() ?? errorText(error),
  });
  parentPort?.on("message", ({ id, output, failed: bad }: ToSandbox) => {
    waiting.get(id)?.(JSON.stringify({ output, failed: bad }));
    waiting.delete(id);
    wake();
  });
  context
    .newFunction("log", (handle) => {
      if (logged > job.logLimit) return;
      const text = context.getString(handle);
      logged += text.length + 1;
      tell({ type: "log", text });
    })
    .consume((handle) => context.setProp(context.global, "__log", handle));
  context
    .newFunction("call", (name, input) => {
      const promise = context.newPromise();
      calls += 1;
      const id = calls;
      waiting.set(id, (answer) => context.newString(answer).consume((handle) => promise.resolve(handle)));
      tell({ type: "call", id, name: context.getString(name), input: context.getString(input) });
      return promise.handle;
    })
    .consume((handle) => context.setProp(context.global, "__call", handle));
  const started = timed(() => context.evalCode(program(job.code, job.names), "program.js"));
  if (started.error !== undefined) return failed(context.dump(started.error));
  const box = started.value;
  for (;;) {
    const jobs = timed(() => runtime.executePendingJobs());
    if (jobs.error !== undefined) return failed(context.dump(jobs.error));
    const state = context.getPromiseState(box);
    if (state.type === "fulfilled") return { kind: "value", value: context.getString(state.value) };
    if (state.type === "rejected") return failed(context.dump(state.error));
    if (waiting.size === 0)
      return { kind: "error", message: "The program waits for something that never comes." };
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
}

/** The program with what it may use around it; the names of the bridge are gone before it begins. */
function program(code: string, names: readonly string[]): string {
  return `(() => {
  const call = globalThis.__call, log = globalThis.__log;
  delete globalThis.__call; delete globalThis.__log;
  const shown = (value) => typeof value === "string" ? value : value instanceof Error ? String(value) : (JSON.stringify(value) ?? String(value));
  const print = (...values) => log(values.map(shown).join(" ").slice(0, ${textLimit}));
  globalThis.console = { log: print, info: print, warn: print, error: print, debug: print };
  globalThis.tools = Object.freeze(Object.fromEntries(${JSON.stringify(names)}.map((name) => [name, async (input) => {
    const answer = JSON.parse(await call(name, JSON.stringify(input ?? {})));
    if (answer.failed) throw new Error(answer.output);
    return answer.output;
  }])));
  return (async () => {
${code}
  })().then((value) => (value === undefined ? "" : typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? String(value))).slice(0, ${textLimit}));
})()`;
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
