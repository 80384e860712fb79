import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { main } from "../../src/cli/main.ts";
import { type Ground, makeGround, skillText } from "./ground.ts";
import { type Script, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

// `skillet run` as scripts use it: a process with stdin, stdout and an exit code.

const skillet = fileURLToPath(new URL("../../src/bin/skillet.ts", import.meta.url));
let ground: Ground;
let models: ScriptedModel[] = [];

beforeEach(() => {
  ground = makeGround("run");
  for (const name of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "SKILLET_MODEL", "SKILLET_BASE_URL"])
    delete process.env[name];
  ground.write(
    "project/.skillet/skills/greet/SKILL.md",
    skillText("greet", "Greets.", "Say good day to $ARGUMENTS."),
  );
});
afterEach(async () => {
  ground.remove();
  for (const model of models) await model.close();
  models = [];
});

async function model(script: Script): Promise<ScriptedModel> {
  const made = await scriptedModel(script);
  models.push(made);
  return made;
}

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Wish {
  readonly url?: string;
  readonly input?: string;
  /** Whether stdout and stderr are a terminal. */
  readonly terminal?: boolean;
}

/** In this process, with captured streams. */
async function run(args: readonly string[], { url, input, terminal = false }: Wish = {}): Promise<Ended> {
  const written = { out: "", err: "" };
  const sink = (name: "out" | "err") => ({
    write: (text: string) => {
      written[name] += text;
    },
    isTTY: terminal,
    columns: null,
  });
  const model =
    url === undefined ? [] : ["--env", `SKILLET_BASE_URL=${url}`, "--env", "SKILLET_MODEL=scripted"];
  const code = await main(["run", ...args, ...model, ...place()], {
    stdout: sink("out"),
    stderr: sink("err"),
    env: {},
    cwd: ground.project,
    interactive: false,
    ...(input === undefined ? {} : { input }),
  });
  return { code, ...written };
}

/** As a process of its own; it is interrupted once, when its output holds `stopAt`. */
function runProcess(
  args: readonly string[],
  more: { readonly url: string; readonly input?: string; readonly stopAt?: string },
): Promise<Ended> {
  const model = ["--env", `SKILLET_BASE_URL=${more.url}`, "--env", "SKILLET_MODEL=scripted"];
  const child = spawn(process.execPath, ["--import", "tsx", skillet, "run", ...args, ...model, ...place()], {
    stdio: [more.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  if (more.input !== undefined) child.stdin?.end(more.input);
  return new Promise((resolve) => {
    let [out, err] = ["", ""];
    let sent = false;
    child.stdout?.on("data", (chunk) => {
      out += String(chunk);
      if (sent || more.stopAt === undefined || !out.includes(more.stopAt)) return;
      sent = true;
      child.kill("SIGINT");
    });
    child.stderr?.on("data", (chunk) => {
      err += String(chunk);
    });
    child.on("close", (code) => resolve({ code, out, err }));
  });
}

function place(): readonly string[] {
  return ["--cwd", ground.project, "--home", ground.home, "--data", ground.data, "--trust"];
}

function events(out: string): readonly Readonly<Record<string, unknown>>[] {
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const touch = { name: "bash", input: { command: "touch made" } };

describe("skillet run", () => {
  test("prints the answer alone on stdout, progress on stderr, and takes what is piped in", async () => {
    const server = await model([
      { text: "I look.", calls: [{ name: "bash", input: { command: "ls" } }] },
      { text: "It is empty." },
    ]);
    const ended = await runProcess(["what is here?"], { url: server.url, input: "a diff\n" });
    expect(ended).toMatchObject({ code: 0, out: "It is empty.\n" });
    expect(ended.err).toContain("bash ls");
    expect(server.requests[0]?.turns[0]?.text).toBe("what is here?\n<stdin>\na diff\n</stdin>");
  });

  test("tells every event as one line of JSON", async () => {
    const server = await model([
      {
        calls: [
          { name: "skill", input: { name: "greet" } },
          { name: "write", input: { path: "x", content: "x" } },
        ],
      },
      { text: "Done." },
    ]);
    const ended = await run(["go", "--json"], { url: server.url });
    const told = events(ended.out);
    expect(told.map(({ type }) => type)).toEqual([
      "session",
      "usage",
      "tool-call",
      "skill-loaded",
      "tool-result",
      "tool-call",
      "permission",
      "tool-result",
      "text",
      "usage",
      "done",
    ]);
    expect(told[0]).toMatchObject({ version: 1, agent: "build", model: "custom/scripted", resumed: false });
    expect(told[3]).toMatchObject({ name: "greet", by: "model" });
    expect(told[6]).toMatchObject({ permission: "edit", patterns: ["x"], outcome: "refused" });
    expect(told.at(-1)).toMatchObject({ reason: "done", text: "Done." });
    expect(ended).toMatchObject({ code: 0, err: "" });
  });

  test("--command calls a skill with the message as its arguments", async () => {
    const server = await model([{ text: "ok" }]);
    await run(["--command", "greet", "the queen"], { url: server.url });
    expect(server.requests[0]?.turns[0]?.text).toContain("Say good day to the queen.");
    expect(await run(["--command", "gret", "x"], { url: server.url })).toMatchObject({ code: 3 });
  });

  test("--schema closes the prompt, checks the answer and asks once more", async () => {
    const schema = ground.write(
      "answer.json",
      JSON.stringify({ type: "object", properties: { n: { type: "integer" } }, required: ["n"] }),
    );
    const server = await model([{ text: "about three" }, { text: '```json\n{"n": 3}\n```' }]);
    const ended = await run(["count", "--schema", schema], { url: server.url });
    expect(ended).toMatchObject({ code: 0, out: '{"n": 3}\n' });
    expect(server.requests[0]?.system).toMatch(/Use tools as usual before that\.\n\{"type":"object".*\}$/);
    const wrong = await model(() => ({ text: "no" }));
    expect(await run(["count", "--schema", schema], { url: wrong.url })).toMatchObject({ code: 1 });
    expect(wrong.requests).toHaveLength(2);
  });

  test.each([
    [
      "beside a message",
      ["review this @notes.txt"],
      "see @../secret.txt, @types/node and @notes.txt /greet",
      ["notes.txt"],
    ],
    ["as the message", [], "see @../secret.txt, @types/node and @notes.txt", []],
    ["as arguments of a command", ["--command", "greet"], "@../secret.txt and @notes.txt", []],
    ["with --attach", ["review", "--attach", "notes.txt"], "@../secret.txt", ["notes.txt"]],
  ])("text that is piped in names no files: %s", async (_, args, input, files) => {
    ground.write("secret.txt", "geheim");
    ground.write("project/notes.txt", "a note");
    const server = await model([{ text: "ok" }]);
    const ended = await run(args, { url: server.url, input });
    const sent = server.requests[0]?.turns[0]?.text ?? "";
    expect(ended).toEqual({ code: 0, out: "ok\n", err: expect.not.stringContaining("not attached") });
    expect(sent).toContain(input);
    expect(sent).not.toContain("geheim");
    expect([...sent.matchAll(/<attached_file path="([^"]+)"/g)].map(([, path]) => path)).toEqual(files);
    // Nor does it call skills, where it goes along with a message.
    expect(sent.includes("Say good day")).toBe(args.includes("--command"));
  });

  const evil = "a\u001b]0;title\u0007b\u009b31mc\u202ed\n\tend";

  test("on a terminal an answer cannot steer it; in a pipe its bytes stay; errors are safe in both", async () => {
    const server = await model((_, count) => (count < 3 ? { text: evil } : { status: 400, error: evil }));
    const shown = await run(["x"], { url: server.url, terminal: true });
    expect(shown.out).toBe("a\\u{1b}]0;title\\u{7}b\\u{9b}31mc\\u{202e}d\n    end\n");
    expect(await run(["x"], { url: server.url })).toMatchObject({ code: 0, out: `${evil}\n` });
    for (const terminal of [true, false]) {
      const failed = await run(["x"], { url: server.url, terminal });
      expect(failed.code).toBe(1);
      expect(failed.err).toContain("did not accept the request (400)");
      expect(failed.err).not.toMatch(/[\u0000-\u0009\u000b-\u001a\u007f-\u009f\u202e]|\u001b\]/);
    }
  });

  test("an agent that nobody knows is refused with the names there are", async () => {
    const server = await model(() => ({ text: "ok" }));
    const wrong = await run(["x", "--agent", "plna"], { url: server.url });
    expect(wrong).toMatchObject({ code: 2, out: "" });
    expect(wrong.err).toMatch(/Did you mean plan\?\s+There are: build, plan, compose\./);
    expect(server.requests).toHaveLength(0);
    ground.write(
      "home/.config/skillet/skillet.jsonc",
      '{ "agent": { "mine": { "permission": { "bash": "deny" } } } }',
    );
    expect(await run(["x", "--agent", "mine"], { url: server.url })).toMatchObject({ code: 0 });
    // A session of an agent that is gone does not go on as the usual one.
    ground.write("home/.config/skillet/skillet.jsonc", "{}");
    expect(await run(["x", "--continue"], { url: server.url })).toMatchObject({ code: 2 });
    expect(await run(["x", "--continue", "--agent", "plan"], { url: server.url })).toMatchObject({ code: 0 });
  });

  test("a model's name that may be a misspelt provider is pointed out", async () => {
    const server = await model(() => ({ text: "ok" }));
    const ended = await run(["x", "--model", "costum/m"], { url: server.url });
    expect(ended.code).toBe(0);
    expect(ended.err.replace(/\s+/g, " ")).toContain('There is no provider "costum", so custom');
    expect((await run(["x", "--model", "custom/m"], { url: server.url })).err).toBe("");
  });

  test.each([
    '{ "permission": { "fetch": "allow" } }',
    '{ "permission": { "*": "allow" } }',
    '{ "agent": { "build": { "permission": { "fetch": { "http://*": "ask" } } } } }',
    '{ "permission": { "*": "ask", "f?tch": { "*": "allow" } } }',
  ])("a project cannot open what is closed by itself: %s", async (settings) => {
    ground.write("project/skillet.jsonc", settings);
    const server = await model((_, count) =>
      count === 1 ? { calls: [{ name: "fetch", input: { url: server.url } }] } : { text: "ok" },
    );
    await run(["x", "--yes"], { url: server.url });
    expect(server.requests[1]?.turns.at(-1)?.text).toMatch(
      /There is no tool `fetch`|A permission rule forbids/,
    );
    // The user's own rule opens it, and the project cannot widen that either.
    ground.write("home/.config/skillet/skillet.jsonc", '{ "permission": { "fetch": "ask" } }');
    const open = await model([{ text: "ok" }]);
    await run(["x"], { url: open.url });
    expect(open.requests[0]?.tools.includes("fetch")).toBe(true);
  });

  test("goes on with the last session", async () => {
    const server = await model((request) => ({ text: `${request.turns.length} turns` }));
    await run(["one"], { url: server.url });
    expect(await run(["two", "--continue"], { url: server.url })).toMatchObject({
      code: 0,
      out: "3 turns\n",
    });
  });

  test("exit codes: 1 failed, 2 no model or no message, 3 no such session, 130 cancelled", async () => {
    const broken = await model(() => ({ status: 401, error: "invalid" }));
    const failed = await run(["x", "--json"], { url: broken.url });
    expect(failed.code).toBe(1);
    expect(events(failed.out).slice(-2)).toMatchObject([
      { type: "error", code: "key" },
      { type: "done", reason: "failed" },
    ]);
    const none = await run(["x"]);
    expect(none.code).toBe(2);
    expect(none.err).toContain("No model is set up.");
    for (const way of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "SKILLET_BASE_URL"])
      expect(none.err).toContain(way);
    expect(await run([], { url: broken.url })).toMatchObject({ code: 2 });
    expect(await run(["x", "--resume", "2020"], { url: broken.url })).toMatchObject({ code: 3 });
    const slow = await model(() => ({ calls: [{ name: "bash", input: { command: "sleep 30" } }] }));
    const cancelled = await runProcess(["x", "--json"], { url: slow.url, stopAt: '"tool-call"' });
    expect(cancelled.code).toBe(130);
    expect(events(cancelled.out).at(-1)).toMatchObject({ type: "done", reason: "cancelled" });
  });

  test.each([
    ["cut off", { text: "half", stop: "length" }, "cut-off", "half"],
    ["refused", { stop: "filtered" }, "filtered", ""],
    ["refused in the middle", { text: "I w", stop: "filtered" }, "filtered", "I w"],
    ["refused behind a call", { text: "I w", stop: "filtered", calls: [touch] }, "filtered", "I w"],
    ["empty", {}, "empty", ""],
    ["blank", { text: " " }, "empty", " "],
  ] as const)("an answer that is %s ends with 1", async (_, answer, code, text) => {
    const server = await model([answer, { text: "again" }]);
    const ended = await run(["x", "--json", "--yes"], { url: server.url });
    const told = events(ended.out);
    expect(ended.code).toBe(1);
    expect(told.slice(-2)).toMatchObject([
      { type: "error", code },
      { type: "done", reason: "incomplete", text },
    ]);
    expect(told.some(({ type }) => type === "tool-call")).toBe(false);
    expect(server.requests).toHaveLength(1);
  });

  test("nothing more to say behind the work is no failure", async () => {
    const server = await model([{ calls: [touch] }, {}]);
    expect(await run(["x", "--yes"], { url: server.url })).toMatchObject({ code: 0 });
  });

  test("keys of models do not reach the commands that it runs", async () => {
    const server = await model([{ calls: [{ name: "bash", input: { command: "env" } }] }, { text: "ok" }]);
    await run(["x", "--yes", "--env", "SKILLET_API_KEY=geheim"], { url: server.url });
    expect(server.requests[0]?.headers.authorization).toBe("Bearer geheim");
    expect(server.requests[1]?.turns.at(-1)?.text).toContain("PATH=");
    expect(server.requests[1]?.raw).not.toContain("geheim");
  });
});
