import { describe, expect, test } from "vitest";
import { runInSandbox, type SandboxOptions } from "./sandbox.ts";

function options(more: Partial<SandboxOptions> = {}): SandboxOptions {
  return {
    names: ["echo", "fail"],
    signal: new AbortController().signal,
    call: async (name, input) =>
      name === "fail"
        ? { output: "no such thing", failed: true }
        : { output: JSON.stringify(input), failed: false },
    ...more,
  };
}

describe("a program in the sandbox", () => {
  test("calls tools, prints and gives a value back", async () => {
    const code = `
      const [one, two] = await Promise.all([tools.echo({ n: 1 }), tools.echo({ n: 2 })]);
      console.log("got", one, { two });
      return [one, two].map((text) => JSON.parse(text).n);`;
    expect(await runInSandbox(code, options())).toEqual({
      kind: "value",
      value: "[\n  1,\n  2\n]",
      log: 'got {"n":1} {"two":"{\\"n\\":2}"}\n',
    });
  });

  test("a failed call throws inside, and what is thrown is told with its line", async () => {
    const caught = await runInSandbox(
      "try { await tools.fail() } catch (error) { return error.message }",
      options(),
    );
    expect(caught).toMatchObject({ kind: "value", value: "no such thing" });
    const thrown = await runInSandbox("const a = 1;\nthrow new TypeError('bad');", options());
    expect(thrown).toMatchObject({ kind: "error", message: "TypeError: bad (line 2)" });
    expect(await runInSandbox("const a = ;", options())).toMatchObject({ kind: "error" });
  });

  test("nothing of the process is there", async () => {
    const names = [
      "process",
      "require",
      "fetch",
      "globalThis.__call",
      "globalThis.__log",
      "setTimeout",
      "WebAssembly",
    ];
    const result = await runInSandbox(`return [${names.map((name) => `typeof ${name}`)}]`, options());
    expect(result.kind === "value" && JSON.parse(result.value)).toEqual(names.map(() => "undefined"));
    expect(await runInSandbox("return typeof import.meta;", options())).toMatchObject({ kind: "error" });
  });

  test("the constructor of a function reaches nothing outside", async () => {
    const result = await runInSandbox(
      'return [].constructor.constructor("return typeof process + typeof require")();',
      options(),
    );
    expect(result).toMatchObject({ kind: "value", value: "undefinedundefined" });
  });

  test("endless work, too much memory and endless waiting end", async () => {
    const limits = { computing: 200, memoryBytes: 4 * 1024 * 1024 };
    expect(await runInSandbox("for (;;) {}", options({ limits }))).toMatchObject({
      kind: "error",
      message: "The program computed for more than 0.2 seconds.",
    });
    expect(
      await runInSandbox('const all = []; for (;;) all.push("x".repeat(10000));', options({ limits })),
    ).toMatchObject({ kind: "error" });
    expect(await runInSandbox("await new Promise(() => {});", options())).toMatchObject({
      kind: "error",
      message: "The program waits for something that never comes.",
    });
    expect(
      await runInSandbox("for (let i = 0; i < 300; i++) await tools.echo({});", options()),
    ).toMatchObject({
      kind: "error",
      message: expect.stringContaining("More than 200 calls"),
    });
  });

  // The thread's own signs of life must not keep a program alive, nor what an engine cannot interrupt.
  test.each([
    ["a pattern that backtracks", '/^(a+)+$/.test("a".repeat(40) + "b")'],
    ["large texts", 'const a = []; while (true) a.push("x".repeat(1e6) + a.length)'],
    ["printing", 'for (;;) console.log("x".repeat(1e6))'],
    [
      "caught errors",
      'const all = []; for (;;) try { for (;;) all.push("y".repeat(1e5) + all.length) } catch {}',
    ],
    ["endless promises", "const again = () => Promise.resolve().then(again); await again();"],
  ])("%s without an end is ended, and this thread goes on meanwhile", async (_, code) => {
    let beats = 0;
    const heart = setInterval(() => {
      beats += 1;
    }, 20);
    const before = process.memoryUsage().rss;
    const result = await runInSandbox(code, options({ limits: { computing: 500 } }));
    clearInterval(heart);
    expect(result.kind).toBe("error");
    expect(beats).toBeGreaterThan(3);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });

  test.each([
    "const f = () => f(); f()",
    "const f = () => [1].map(f); f()",
    "const f = async () => f(); await f()",
  ])("calls without a bottom (%s) are an error of the program, and nothing is printed", async (code) => {
    const printed: unknown[] = [];
    const write = process.stderr.write;
    process.stderr.write = ((text: unknown) => printed.push(text) > 0) as typeof write;
    try {
      const result = await runInSandbox(code, options());
      expect(result).toMatchObject({ kind: "error", message: expect.stringContaining("stack overflow") });
      expect(await runInSandbox(`try { ${code} } catch { return "caught" }`, options())).toMatchObject({
        kind: "value",
        value: "caught",
      });
    } finally {
      process.stderr.write = write;
    }
    expect(printed).toEqual([]);
  });

  test("a stop ends it at once, also in the middle of work, and calls are finished first", async () => {
    const controller = new AbortController();
    let finished = false;
    const result = await runInSandbox(
      "tools.echo({}); await null; for (;;) {}",
      options({
        signal: controller.signal,
        limits: { computing: 600_000 },
        call: async () => {
          controller.abort();
          await new Promise((resolve) => setTimeout(resolve, 50));
          finished = true;
          return { output: "", failed: false };
        },
      }),
    );
    expect(result).toMatchObject({ kind: "error", message: "Cancelled by the user." });
    expect(finished).toBe(true);
  });

  test("waiting for a call takes no time of the program's own", async () => {
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      return { output: "late", failed: false };
    };
    expect(
      await runInSandbox(
        "return await tools.echo({});",
        options({ limits: { computing: 3_000 }, call: slow }),
      ),
    ).toMatchObject({ kind: "value", value: "late" });
  });

  test("what is printed and given back is bounded", async () => {
    const { log } = await runInSandbox(
      'for (let i = 0; i < 20000; i++) console.log("0123456789");',
      options(),
    );
    expect(log.length).toBeLessThan(70_000);
    const result = await runInSandbox('return "x".repeat(2e7);', options());
    expect(result.kind === "value" && result.value.length).toBe(1_000_000);
  });

  test("a call that is not waited for is still finished before the program counts as over", async () => {
    let finished = false;
    const result = await runInSandbox(
      "tools.echo({}); return 1;",
      options({
        call: async () => {
          await new Promise((resolve) => setTimeout(resolve, 20));
          finished = true;
          return { output: "", failed: false };
        },
      }),
    );
    expect([result.kind, finished]).toEqual(["value", true]);
  });
});
