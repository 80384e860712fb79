import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ground, makeGround } from "./ground.ts";
import { type Script, type ScriptedAnswer, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

// Servers that break, fall silent, point elsewhere, refuse: in all three wire formats.

let ground: Ground;
let closing: (() => Promise<unknown>)[] = [];

beforeEach(() => {
  ground = makeGround("connection");
});
afterEach(async () => {
  ground.remove();
  for (const close of closing) await close();
  closing = [];
});

async function model(script: Script): Promise<ScriptedModel> {
  const made = await scriptedModel(script);
  closing.push(() => made.close());
  return made;
}

/** A server that should never be asked; what it was asked is kept. */
async function stranger(): Promise<{ readonly url: string; readonly heard: string[] }> {
  const heard: string[] = [];
  const server: Server = createServer((request, response) => {
    heard.push(`${request.method} ${request.url}`);
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

const long = "This answer is long enough to break in its middle, and then some more of it.";

describe.each(["anthropic", "responses", "chat"] as const)("in the language %s", (language) => {
  const call = { name: "bash", input: { command: "touch made" } };
  const broken: readonly (readonly [string, ScriptedAnswer])[] = [
    ["breaks before its first word", { text: long, breakAfter: 0 }],
    ["breaks in its middle", { text: long, breakAfter: 2 }],
    ["is closed before its first word", { text: long, endAfter: 0 }],
    ["is closed in its middle", { text: long, endAfter: 2 }],
    ["lacks its end alone", { text: long, noEnd: true }],
    ["lacks its end behind a call", { text: long, calls: [call], noEnd: true }],
  ];

  test.each(broken)("an answer that %s is asked for again", async (_, answer) => {
    const server = await model([answer, { text: "Whole." }]);
    const { agent, events, answers } = ground.start(server, { language });
    expect(await agent.submit("hello")).toEqual({ reason: "done" });
    const retries = events.flatMap((event) => (event.type === "retry" ? [event.failure] : []));
    expect(retries).toMatchObject([{ code: "network", retryable: true }]);
    // No status: the answer began well. The address's port may hold those digits.
    expect(retries[0]?.message).not.toMatch(/\b200\b/);
    expect(answers()).toEqual(["Whole."]);
    expect(events.filter(({ type }) => type === "tool-call")).toHaveLength(0);
    expect(server.requests[1]?.turns).toHaveLength(1);
  });

  test("a server that falls silent is a broken connection, not a stop of the user", async () => {
    const server = await model([{ silent: true }, { text: "Whole." }]);
    const { agent, events } = ground.start(server, { language, stream: { firstWait: 5, silence: 3_000 } });
    expect(await agent.submit("hello")).toEqual({ reason: "done" });
    expect(events.find(({ type }) => type === "retry")).toMatchObject({ failure: { code: "network" } });
  });

  test.each([301, 302, 303, 307, 308])("a redirect (%i) is not followed", async (status) => {
    const other = await stranger();
    const server = await model([{ status, headers: { location: `${other.url}/take?it=1` } }]);
    const { agent } = ground.start(server, { language });
    const end = await agent.submit("hello");
    expect(end).toMatchObject({ reason: "failed", failure: { code: "redirect" } });
    expect(JSON.stringify(end)).toContain(`points to ${other.url}. Nothing was sent there.`);
    expect(other.heard).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    ["length", "cut-off"],
    ["filtered", "filtered"],
  ] as const)("an answer that ends by %s is not whole", async (stop, code) => {
    const server = await model([{ text: "half", stop, calls: stop === "filtered" ? [call] : [] }]);
    const { agent, answers, events } = ground.start(server, { language });
    expect(await agent.submit("hello")).toMatchObject({ reason: "incomplete", failure: { code } });
    expect(answers()).toEqual(["half"]);
    expect(events.filter(({ type }) => type === "tool-call")).toHaveLength(0);
  });

  test("a page in place of an answer is said to be one", async () => {
    const server = await model([{ page: "<html>Log in first</html>" }]);
    const { agent } = ground.start(server, { language });
    const end = await agent.submit("hello");
    expect(end).toMatchObject({ reason: "failed", failure: { code: "request" } });
    expect(JSON.stringify(end)).toContain("answered with a page");
    expect(server.requests).toHaveLength(1);
  });

  test("a key that the server repeats is neither shown nor stored", async () => {
    const key = "sk-a-very-secret-key+/=";
    const error = `Incorrect API key provided: ${key} (${encodeURIComponent(key)})`;
    for (const status of [401, 400, 500]) {
      const server = await model(() => ({ status, error }));
      const { agent, events, file } = ground.start(server, {
        language,
        key,
        stream: { firstWait: 1, attempts: 2 },
      });
      const end = await agent.submit("hello");
      const { authorization = "", "x-api-key": header } = server.requests[0]?.headers ?? {};
      expect(header ?? authorization).toContain(key);
      expect(JSON.stringify(end)).toContain("Incorrect API key provided: [key] ([key])");
      const kept =
        JSON.stringify([end, events, file.records]) + ground.read(file.path.slice(ground.place.length + 1));
      expect(kept).not.toContain(key);
      expect(kept).not.toContain(encodeURIComponent(key));
      agent.close();
    }
  });

  test.each([
    ["90 seconds", { "retry-after": "90" }, 90_000],
    ["milliseconds", { "retry-after-ms": "70500" }, 70_500],
    [
      "a date by the server's clock",
      { date: "Mon, 04 May 2026 10:00:00 GMT", "retry-after": "Mon, 04 May 2026 10:02:00 GMT" },
      120_000,
    ],
    ["no time at all", { "retry-after": "0" }, 5],
  ] as const)("waits as long as the server asks: %s", async (_, headers, wait) => {
    const server = await model([{ status: 429, headers, error: "slow down" }, { text: "ok" }]);
    const { agent, events } = ground.start(server, { language });
    agent.on((event) => {
      if (event.type === "retry" && event.wait > 1_000) agent.cancel();
    });
    await agent.submit("hello");
    expect(events.find(({ type }) => type === "retry")).toMatchObject({ wait, failure: { code: "limit" } });
  });

  test("a server that asks for hours is not waited for", async () => {
    const server = await model([{ status: 429, headers: { "retry-after": "7200" }, error: "tomorrow" }]);
    const { agent } = ground.start(server, { language });
    expect(await agent.submit("hello")).toMatchObject({
      reason: "failed",
      failure: { code: "limit", hint: "It asks to wait 120 minutes; send it again then." },
    });
  });
});
