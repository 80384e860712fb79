import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import * as six from "ai";
import * as five from "ai-v5";
import { createOpenAICompatible as createForFive } from "ai-v5-openai-compatible";
import * as seven from "ai-v7";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { skillKit } from "../../src/adapters/ai-sdk.ts";
import { expectRequests, openScene, results, type Scene } from "./conversation.ts";

// Version 7 asks for Node 22; what is called here runs on Node 20 too.

let scene: Scene;
beforeEach(async () => {
  scene = await openScene();
});
afterEach(() => scene.close());

const prompt = "Deploy to the east.";

/** Texts of the tool results in the last request of Chat Completions. */
function toolTexts(): readonly string[] {
  const messages = (scene.server.requests.at(-1)?.body.messages ?? []) as readonly {
    readonly role: string;
    readonly content: string;
  }[];
  return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
}

function expectAll(text: string): void {
  expect(text).toContain("Deployed to the east.");
  expectRequests(scene.server.requests, scene.skills);
  expect(toolTexts()).toEqual(results.map((wanted) => expect.stringMatching(wanted)));
}

describe("version 5", () => {
  const model = () => createForFive({ name: "scripted", baseURL: scene.server.url })("scripted");

  test("generateText", async () => {
    const { instructions, tools } = skillKit(scene.skills);
    const { text } = await five.generateText({
      model: model(),
      system: instructions,
      tools,
      stopWhen: five.stepCountIs(8),
      prompt,
    });
    expectAll(text);
  });

  test("streamText", async () => {
    const { instructions, tools } = skillKit(scene.skills);
    const stream = five.streamText({
      model: model(),
      system: instructions,
      tools,
      stopWhen: five.stepCountIs(8),
      prompt,
    });
    expectAll(await stream.text);
  });
});

describe("version 6", () => {
  const compatible = () =>
    createOpenAICompatible({ name: "scripted", baseURL: scene.server.url })("scripted");

  test("generateText over Chat Completions", async () => {
    const { instructions, tools } = skillKit(scene.skills);
    const { text } = await six.generateText({
      model: compatible(),
      system: instructions,
      tools,
      stopWhen: six.stepCountIs(8),
      prompt,
    });
    expectAll(text);
  });

  test("streamText over Chat Completions", async () => {
    const { instructions, tools } = skillKit(scene.skills);
    const stream = six.streamText({
      model: compatible(),
      system: instructions,
      tools,
      stopWhen: six.stepCountIs(8),
      prompt,
    });
    expectAll(await stream.text);
  });

  test.each(["responses", "anthropic"] as const)("streamText over %s", async (wire) => {
    const { instructions, tools } = skillKit(scene.skills);
    const options = { baseURL: scene.server.url, apiKey: "none" };
    const model =
      wire === "responses"
        ? createOpenAI(options).responses("scripted")
        : createAnthropic(options)("scripted");
    const stream = six.streamText({
      model,
      system: instructions,
      tools,
      maxOutputTokens: 1_000,
      stopWhen: six.stepCountIs(8),
      prompt,
    });
    expect(await stream.text).toBe("Deployed to the east.");
    expectRequests(scene.server.requests, scene.skills);
    expect(scene.server.requests.every((request) => request.wire === wire)).toBe(true);
    expect(JSON.stringify(scene.server.requests.at(-1)?.body)).toContain("Push the button for east.");
  });

  test("an agent of the SDK", async () => {
    const { instructions, tools } = skillKit(scene.skills);
    const agent = new six.ToolLoopAgent({ model: compatible(), instructions, tools });
    expectAll((await agent.generate({ prompt })).text);
  });

  test("a cancelled call ends with the signal", async () => {
    const { tools } = skillKit(scene.skills);
    const call = tools.skill.execute({ name: "deploy" }, { abortSignal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ name: "AbortError" });
  });
});

describe("version 7", () => {
  const model = () => createOpenAICompatible({ name: "scripted", baseURL: scene.server.url })("scripted");

  test("generateText", async () => {
    const { instructions, tools } = skillKit(scene.skills);
    const { text } = await seven.generateText({
      model: model(),
      instructions,
      tools,
      stopWhen: seven.stepCountIs(8),
      prompt,
    });
    expectAll(text);
  });

  test("streamText", async () => {
    const { instructions, tools } = skillKit(scene.skills);
    const stream = seven.streamText({
      model: model(),
      instructions,
      tools,
      stopWhen: seven.stepCountIs(8),
      prompt,
    });
    expectAll(await stream.text);
  });
});
