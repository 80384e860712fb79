import OpenAI from "openai";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chatKit, responsesKit } from "../../src/adapters/openai.ts";
import { openSession } from "../../src/index.ts";
import { expectRequests, openScene, results, type Scene } from "./conversation.ts";

let scene: Scene;
let client: OpenAI;
beforeEach(async () => {
  scene = await openScene();
  client = new OpenAI({ baseURL: scene.server.url, apiKey: "none", maxRetries: 0 });
});
afterEach(() => scene.close());

const model = "scripted";
const question = "Deploy to the east.";

describe("Chat Completions", () => {
  /** Contents of the tool messages in the last request. */
  const toolTexts = () =>
    (scene.server.requests.at(-1)?.body.messages ?? []).flatMap((message) => {
      const { role, content } = message as { readonly role: string; readonly content: string };
      return role === "tool" ? [content] : [];
    });

  test.each([false, true])("the client's own runner calls the tools (stream: %s)", async (stream) => {
    const { instructions, tools } = chatKit(scene.skills);
    const messages = [
      { role: "system" as const, content: instructions },
      { role: "user" as const, content: question },
    ];
    const runner = stream
      ? client.chat.completions.runTools({ model, messages, tools, stream })
      : client.chat.completions.runTools({ model, messages, tools });
    expect(await runner.finalContent()).toBe("Deployed to the east.");
    expectRequests(scene.server.requests, scene.skills);
    expect(toolTexts()).toEqual(results.map((text) => expect.stringMatching(text)));
  });

  test("a loop of one's own, with `answer`", async () => {
    const { instructions, tools, answer } = chatKit(scene.skills);
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: "system", content: instructions },
      { role: "user", content: question },
    ];
    for (;;) {
      const completion = await client.chat.completions.create({ model, messages, tools });
      const message = completion.choices[0]?.message;
      if (message === undefined) throw new Error("no answer");
      messages.push(message);
      const answers = await answer(message);
      if (answers.length === 0) break;
      messages.push(...answers);
    }
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: "Deployed to the east." });
    expectRequests(scene.server.requests, scene.skills);
    expect(toolTexts()).toEqual(results.map((text) => expect.stringMatching(text)));
  });
});

describe("Responses", () => {
  test.each([false, true])("the calls of a response are answered (stream: %s)", async (stream) => {
    const { instructions, tools, answer } = responsesKit(scene.skills);
    const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: question }];
    let text = "";
    for (;;) {
      const request = { model, instructions, tools, input, store: false };
      const response = stream
        ? await client.responses.stream(request).finalResponse()
        : await client.responses.create(request);
      // The types of output and input differ in items that no call here gives.
      input.push(...(response.output as OpenAI.Responses.ResponseInputItem[]));
      const outputs = await answer(response);
      text = response.output_text;
      if (outputs.length === 0) break;
      input.push(...outputs);
    }
    expect(text).toBe("Deployed to the east.");
    expectRequests(scene.server.requests, scene.skills);
    const last = scene.server.requests.at(-1)?.body.input as readonly {
      readonly type?: string;
      readonly output?: string;
    }[];
    expect(last.filter(({ type }) => type === "function_call_output").map(({ output }) => output)).toEqual(
      results.map((wanted) => expect.stringMatching(wanted)),
    );
  });

  test("arguments that are no JSON, calls of other tools and a cancelled call", async () => {
    const { answer } = responsesKit(scene.skills);
    const call = (name: string, text: string) => ({
      output: [{ type: "function_call", call_id: "c1", name, arguments: text }],
    });
    expect(await answer(call("skill", "{broken"))).toMatchObject([
      { call_id: "c1", output: expect.stringContaining('Call `skill` with "name"') },
    ]);
    expect(await answer(call("weather", "{}"))).toEqual([]);
    expect(await answer({ output: [null, 7, {}] })).toEqual([]);
    await expect(answer(call("skill", "{}"), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  test("over a session the second load is a note and the instructions keep their bytes", async () => {
    const session = openSession(scene.skills);
    const first = responsesKit(session);
    const load = {
      output: [{ type: "function_call", call_id: "c", name: "skill", arguments: '{"name":"stock"}' }],
    };
    const [whole] = await first.answer(load);
    const [note] = await first.answer(load);
    expect(whole?.output).toContain("Count.");
    expect(note?.output).toMatch(/loaded earlier/);
    scene.place.skill("new", "x", ["description: New."]);
    scene.skills.reload();
    expect(responsesKit(session).instructions).toBe(first.instructions);
  });
});
