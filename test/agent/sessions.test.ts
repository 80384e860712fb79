import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { conversationOf, interruptedOutput } from "../../src/agent/session/conversation-of.ts";
import type { SessionRecord } from "../../src/agent/session/record.ts";
import { openSession, parseSession } from "../../src/agent/session/session-file.ts";
import { listSessions } from "../../src/agent/session/session-store.ts";
import { type Ground, makeGround, skillText } from "./ground.ts";
import { type Script, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

// What is kept of a conversation: after a kill, after it was shortened, after two thousand messages.

const skillet = fileURLToPath(new URL("../../src/bin/skillet.ts", import.meta.url));
let ground: Ground;
let models: ScriptedModel[] = [];

beforeEach(() => {
  ground = makeGround("sessions");
  ground.write("project/notes.txt", "one\n");
  ground.write(
    "project/.skillet/skills/greet/SKILL.md",
    skillText("greet", "Greets.", "Say good day, then bow."),
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

const noUsage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

describe("a conversation that grows too long", () => {
  test("is shortened; loaded skills, open steps and the last message stay", async () => {
    const steps = [
      { text: "Look", status: "done" },
      { text: "Greet", status: "active" },
    ];
    const server = await model([
      {
        calls: [
          { name: "skill", input: { name: "greet" } },
          { name: "todo", input: { items: steps } },
        ],
      },
      { text: "so far", inputTokens: 90_000 },
      (request) => {
        expect(request.turns.at(-1)?.text).toContain(
          "Write down what the next part of this conversation needs",
        );
        return { text: "## Task\nGreet the queen." };
      },
      { text: "done" },
    ]);
    const { agent, events, file } = ground.start(server);
    await agent.submit("greet the queen");
    expect(await agent.submit("and now the king")).toEqual({ reason: "done" });
    const [first, , summary, last] = server.requests;
    expect(summary?.system).toBe(first?.system);
    expect(summary?.body.tools).toEqual(first?.body.tools);
    const [message] = last?.turns ?? [];
    expect(last?.turns).toHaveLength(1);
    expect(message?.text).toContain("Greet the queen.");
    expect(message?.text).toContain("Say good day, then bow.");
    expect(message?.text).toContain("- Greet (begun)");
    expect(message?.text).toContain("and now the king");
    expect(events).toContainEqual(
      expect.objectContaining({ type: "skill-loaded", name: "greet", by: "compaction" }),
    );
    expect(agent.status.skills).toEqual(["greet"]);
    expect(conversationOf(file.records).ledger.filter(({ inContext }) => inContext)).toHaveLength(1);
  });

  test("is shortened when the model says so, once, and goes on", async () => {
    const server = await model([
      { text: "fine" },
      { status: 400, error: "prompt is too long: 210000 tokens > 200000 maximum" },
      { text: "## Task\nAll of it." },
      { text: "went on" },
    ]);
    const { agent, answers } = ground.start(server);
    await agent.submit("one");
    expect(await agent.submit("two")).toEqual({ reason: "done" });
    expect(answers().at(-1)).toBe("went on");
  });

  test("what went along with the message that is not answered yet stays: files, pictures, piped text", async () => {
    ground.write("project/shot.png", Buffer.from("iVBORw0KGgo=", "base64"));
    const server = await model([
      { text: "fine" },
      { status: 400, error: "prompt is too long: 210000 tokens > 200000 maximum" },
      { text: "## Task\nAll of it." },
      { text: "went on" },
    ]);
    const { agent } = ground.start(server);
    await agent.submit("one");
    await agent.submit("look at @notes.txt and @shot.png", { piped: "<stdin>\na diff\n</stdin>" });
    const sent = server.requests[3];
    expect(sent?.turns).toHaveLength(1);
    for (const text of ["look at @notes.txt", '<attached_file path="notes.txt">', "a diff", "All of it."])
      expect(sent?.turns[0]?.text).toContain(text);
    expect(sent?.raw).toContain("data:image/png;base64,iVBORw0KGgo=");
  });

  test("a message that would fill the context again keeps its words, and names what went along", async () => {
    ground.write("project/large.txt", "word ".repeat(40_000));
    const server = await model([
      { text: "fine" },
      { status: 400, error: "prompt is too long" },
      { text: "## Task\nAll of it." },
      { text: "went on" },
    ]);
    const files = ["large.txt", "large.txt", "./large.txt", "../project/large.txt"];
    const { agent } = ground.start(server);
    await agent.submit("one");
    await agent.submit("count the words", { files });
    const text = server.requests[3]?.turns[0]?.text ?? "";
    expect(text).toContain("count the words");
    expect(text).toContain("@large.txt");
    expect(text.length).toBeLessThan(40_000);
  });

  test.each(["anthropic", "responses", "chat"] as const)(
    "a model that answers the request for a summary with a call is asked in another way (%s)",
    async (language) => {
      const call = { name: "read", input: { path: "notes.txt" } };
      const server = await model([
        { text: "The word is 42.", calls: [call] },
        { text: "fine" },
        { calls: [call] },
        { text: "## Task\nRemember 42." },
        { text: "next" },
      ]);
      const { agent, events } = ground.start(server, { language });
      await agent.submit("one");
      expect(await agent.compact()).toEqual({ reason: "done" });
      await agent.submit("two");
      const plain = server.requests[3];
      expect(plain?.tools).toEqual([]);
      expect(plain?.turns.every(({ role }) => role === "user")).toBe(true);
      expect(plain?.raw).toContain("The word is 42.");
      expect(server.requests[4]?.turns[0]?.text).toContain("Remember 42.");
      expect(events.filter(({ type }) => type === "tool-call")).toHaveLength(1);
    },
  );

  test("without any summary what was said is kept, so that a session is never stuck", async () => {
    const server = await model((_, count) =>
      count === 1
        ? { text: "The word is 42." }
        : count < 4
          ? { calls: [{ name: "read", input: { path: "notes.txt" } }] }
          : { text: "next" },
    );
    const { agent } = ground.start(server);
    await agent.submit("what is the word?");
    expect(await agent.compact()).toEqual({ reason: "done" });
    await agent.submit("two");
    expect(server.requests[3]?.turns[0]?.text).toContain("User: what is the word?\n\nAgent: The word is 42.");
  });

  test("what was told of changes is told again when the message that told it is gone", async () => {
    ground.write("project/AGENTS.md", "Use tabs.\n");
    const server = await model((request) => ({
      text: request.turns.at(-1)?.text.includes("Write down what the next part") ? "## Task\nx" : "ok",
    }));
    const { agent } = ground.start(server);
    await agent.submit("one");
    ground.write("project/AGENTS.md", "Use spaces.\n");
    ground.write("project/.skillet/skills/wave/SKILL.md", skillText("wave", "Waves.", "Wave."));
    await agent.submit("two");
    await agent.compact();
    await agent.submit("three");
    await agent.submit("four");
    const [three, four] = server.requests.slice(-2).map(({ turns }) => turns.at(-1)?.text ?? "");
    expect(three).toContain("Use spaces.");
    expect(three).toContain('<skill name="wave">');
    expect(four).toBe("four");
  });

  test("/compact does it by hand", async () => {
    const server = await model([{ text: "fine" }, { text: "## Task\nOne." }, { text: "next" }]);
    const { agent } = ground.start(server);
    await agent.submit("one");
    expect(await agent.compact()).toEqual({ reason: "done" });
    await agent.submit("two");
    expect(server.requests[2]?.turns.map(({ role }) => role)).toEqual(["user", "user"]);
  });
});

describe("a session that was killed", () => {
  test("goes on with everything that had arrived, and knows which call was cut off", async () => {
    const server = await model((request, count) =>
      count === 1
        ? { text: "I begin.", calls: [{ name: "read", input: { path: "notes.txt" } }] }
        : count === 2
          ? { text: "This answer is long and slow. ".repeat(60), pause: 40 }
          : { text: `I know ${request.turns.length} turns.` },
    );
    const { agent, folder } = ground.start(server);
    agent.close();
    const child = spawn(
      process.execPath,
      [
        "--import",
        "tsx",
        skillet,
        "run",
        "read and tell",
        "--cwd",
        ground.project,
        "--home",
        ground.home,
        "--data",
        ground.data,
        "--trust",
      ],
      { stdio: "ignore", env: { ...process.env, NODE_NO_WARNINGS: "1" } },
    );
    for (let round = 0; round < 400; round++) {
      const [session] = listSessions(folder);
      if (session !== undefined && readFileSync(session.path, "utf8").includes("long and slow")) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    child.kill("SIGKILL");
    await new Promise((resolve) => child.on("exit", resolve));
    const resumed = ground.start(server, { resume: "last" });
    const before = conversationOf(resumed.file.records).messages;
    expect(before.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant"]);
    expect(JSON.stringify(before.at(-1))).toContain("This answer is long and slow.");
    await resumed.agent.submit("go on");
    expect(resumed.answers()).toEqual(["I know 5 turns."]);
  });

  test("a call without a result is told as interrupted, a torn line is dropped, a damaged one counted", async () => {
    const server = await model(() => ({ text: "ok" }));
    const first = ground.start(server);
    await first.agent.submit("hello");
    const { path } = first.file;
    first.agent.close();
    const call: SessionRecord = {
      type: "assistant",
      model: "test/scripted",
      parts: [{ type: "call", id: "c1", name: "bash", input: { command: "make" } }],
      usage: noUsage,
    };
    appendFileSync(
      path,
      `{"type":"user","at":"x","text":"build","parts":[{"text":"build","origin":"user"}],"images":[],"files":[]}\nnonsense\n${JSON.stringify(call)}\n{"type":"result","id":"c1","na`,
    );
    const second = ground.start(server, { resume: "last" });
    expect(second.file.damaged).toBe(1);
    await second.agent.submit("go on");
    expect(server.requests[1]?.turns.map(({ role, text }) => [role, text])).toEqual([
      ["user", "hello"],
      ["assistant", "ok"],
      ["user", "build"],
      ["assistant", ""],
      ["tool", interruptedOutput],
      ["user", "go on"],
    ]);
    second.agent.close();
    expect(parseSession(readFileSync(path, "utf8")).damaged).toBe(1);
  });
});

describe("AGENTS.md that changes", () => {
  test("is told each time: to another text, back, away, and anew; also after the session was resumed", async () => {
    const server = await model(() => ({ text: "ok" }));
    const start = (resume: "last" | null) => ground.start(server, { resume });
    const told = () => server.requests.at(-1)?.turns.at(-1)?.text ?? "";
    ground.write("project/AGENTS.md", "Text A.\n");
    let { agent } = start(null);
    await agent.submit("one");
    for (const [text, expected] of [
      ["Text B.", "Text B."],
      ["Text A.", "Text A."],
      [null, "are not there any more"],
      ["Text A.", "Text A."],
      ["Text B.", "Text B."],
    ] as const) {
      if (text === null) rmSync(`${ground.project}/AGENTS.md`);
      else ground.write("project/AGENTS.md", `${text}\n`);
      await agent.submit("go on");
      expect(told()).toContain(expected);
      agent.close();
      ({ agent } = start("last"));
      await agent.submit("and on");
      expect(told()).toBe("and on");
    }
    expect(new Set(server.requests.map(({ system }) => system)).size).toBe(1);
  });
});

describe("sessions", () => {
  test("with a prompt of any length are listed and resumed", async () => {
    for (const folder of ["", "a/", "a/b/", "a/b/c/", "a/b/c/d/", "a/b/c/d/e/"])
      ground.write(`project/${folder}AGENTS.md`, `${folder} `.repeat(1).padEnd(120_000, "word "));
    const server = await model(() => ({ text: "ok" }));
    const open = { cwd: `${ground.project}/a/b/c/d/e`, home: ground.home, data: ground.data, trust: true };
    const first = ground.start(server, { open });
    await first.agent.submit("hello");
    expect(server.requests[0]?.system.length).toBeGreaterThan(600_000);
    first.agent.close();
    expect(listSessions(first.folder).map(({ title }) => title)).toEqual(["hello"]);
    expect(ground.start(server, { open, resume: "last" }).resumed).toBe(true);
  });

  test("are open in one process at a time", async () => {
    const server = await model(() => ({ text: "ok" }));
    const { agent, file } = ground.start(server);
    await agent.submit("hello");
    expect(() => openSession(file.path)).toThrow(/is open in another Skillet/);
    agent.close();
    openSession(file.path).close();
    const lock = `${file.path}.lock`;
    const held = (text: string, secondsAgo = 0): void => {
      writeFileSync(lock, text);
      const then = Date.now() / 1000 - secondsAgo;
      utimesSync(lock, then, then);
      expect(() => openSession(file.path)).toThrow(/is open in another Skillet/);
    };
    const free = (text: string, secondsAgo = 0): void => {
      writeFileSync(lock, text);
      const then = Date.now() / 1000 - secondsAgo;
      utimesSync(lock, then, then);
      openSession(file.path).close();
      expect(existsSync(lock)).toBe(false);
    };
    // Elsewhere, e.g. in a container: its signs of life count.
    held("999999999 nowhere-else");
    held("1 nowhere-else -", 20);
    free("1 nowhere-else -", 600);
    // Here: a process that is gone, and one whose number went to another.
    free(`999999999 ${hostname()}`);
    held(`${process.ppid} ${hostname()}`, 600);
    if (existsSync("/proc/self/stat")) free(`${process.ppid} ${hostname()} another-boot/1`);
    free("");
  });

  test("are listed by what was said first, the last one first; empty ones are not kept", async () => {
    const server = await model(() => ({ text: "ok" }));
    for (const text of ["first of all", "second"]) {
      const { agent } = ground.start(server);
      await agent.submit(text);
      agent.close();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const { agent, folder } = ground.start(server);
    agent.close();
    expect(listSessions(folder).map(({ title }) => title)).toEqual(["second", "first of all"]);
  });

  test("one of two thousand messages opens, goes on and stays in order", async () => {
    const server = await model((request) => ({ text: `turn ${request.turns.length}` }));
    const first = ground.start(server);
    await first.agent.submit("message 0");
    const { path } = first.file;
    first.agent.close();
    const lines: string[] = [];
    for (let number = 1; number < 1_000; number++) {
      const parts = [{ text: `message ${number}`, origin: "user" }];
      lines.push(
        JSON.stringify({ type: "user", at: "x", text: `message ${number}`, parts, images: [], files: [] }),
      );
      lines.push(JSON.stringify({ type: "delta", text: `answer ${number}` }));
      lines.push(
        JSON.stringify({
          type: "assistant",
          model: "test/scripted",
          parts: [{ type: "text", text: `answer ${number}` }],
          usage: noUsage,
        }),
      );
    }
    appendFileSync(path, `${lines.join("\n")}\n`);
    const second = ground.start(server, { resume: "last" });
    const { messages } = conversationOf(second.file.records);
    expect(messages).toHaveLength(2_000);
    expect(await second.agent.submit("message 1000")).toEqual({ reason: "done" });
    const { turns, system } = server.requests[1] ?? { turns: [], system: "" };
    expect(turns).toHaveLength(2_001);
    expect(turns[1_001]?.text).toBe("answer 500");
    expect(system).toBe(server.requests[0]?.system);
    expect(listSessions(second.folder)[0]?.title).toBe("message 0");
  });
});
