import Anthropic from "@anthropic-ai/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { skillKit } from "../../src/adapters/anthropic.ts";
import { expectRequests, openScene, results, type Scene } from "./conversation.ts";

let scene: Scene;
let client: Anthropic;
beforeEach(async () => {
  scene = await openScene();
  client = new Anthropic({ baseURL: scene.server.origin, apiKey: "none", maxRetries: 0 });
});
afterEach(() => scene.close());

const base = { model: "scripted", max_tokens: 1_000 };
const question = "Deploy to the east.";

/** Tool results of all requests, each once, in order, with whether they are errors. */
function toolResults(): readonly (readonly [text: string, isError: boolean])[] {
  interface Block {
    readonly type: string;
    readonly tool_use_id: string;
    readonly content: unknown;
    readonly is_error?: boolean;
  }
  const found = new Map<string, readonly [string, boolean]>();
  for (const { body } of scene.server.requests)
    for (const { content } of (body.messages ?? []) as readonly { readonly content: readonly Block[] }[])
      for (const block of Array.isArray(content) ? (content as readonly Block[]) : []) {
        if (block.type !== "tool_result") continue;
        const [first] = Array.isArray(block.content)
          ? (block.content as readonly { readonly text: string }[])
          : [];
        const text = typeof block.content === "string" ? block.content : (first?.text ?? "");
        found.set(block.tool_use_id, [text, block.is_error === true]);
      }
  return [...found.values()];
}

test.each([false, true])("the client's own runner calls the tools (stream: %s)", async (stream) => {
  const { instructions, tools } = skillKit(scene.skills);
  const request = {
    ...base,
    system: instructions,
    tools,
    messages: [{ role: "user" as const, content: question }],
  };
  const message = stream
    ? await client.beta.messages.toolRunner({ ...request, stream: true })
    : await client.beta.messages.toolRunner(request);
  expect(message).toMatchObject({ content: [{ type: "text", text: "Deployed to the east." }] });
  expectRequests(scene.server.requests, scene.skills);
  expect(toolResults().map(([text]) => text)).toEqual(results.map((text) => expect.stringMatching(text)));
});

test.each([false, true])("a loop of one's own, with `answer` (stream: %s)", async (stream) => {
  const { instructions, tools, answer } = skillKit(scene.skills);
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];
  for (;;) {
    const request = { ...base, system: instructions, tools, messages };
    const message = stream
      ? await client.messages.stream(request).finalMessage()
      : await client.messages.create(request);
    messages.push({ role: "assistant", content: message.content });
    const answers = await answer(message);
    if (answers.length === 0) break;
    messages.push({ role: "user", content: answers });
  }
  expect(messages.at(-1)).toMatchObject({ content: [{ text: "Deployed to the east." }] });
  expectRequests(scene.server.requests, scene.skills);
  expect(toolResults()).toEqual(results.map((text, at) => [expect.stringMatching(text), at === 2]));
});

test("a cancelled call rejects, and calls of other tools are left to the caller", async () => {
  const { answer } = skillKit(scene.skills);
  const block = { type: "tool_use", id: "t", name: "skill", input: { name: "deploy" } };
  await expect(answer({ content: [block] }, { signal: AbortSignal.abort() })).rejects.toMatchObject({
    name: "AbortError",
  });
  expect(
    await answer({
      content: [
        { ...block, name: "weather" },
        { type: "text", text: "x" },
      ],
    }),
  ).toEqual([]);
});
