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

  test.each(["process", "require", "fetch", "globalThis.__call", "globalThis.__log", "import.meta"])(
    "%s is not there",
    async (name) => {
      const result = await runInSandbox(`return typeof ${name};`, options());
      expect(result.kind === "error" || result.value === "undefined").toBe(true);
    },
  );

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
