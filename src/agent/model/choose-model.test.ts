import { describe, expect, test } from "vitest";
import { SkilletError } from "../../core/error.ts";
import { chooseModel, type ModelWish, selectableModels } from "./choose-model.ts";
import { modelName } from "./model-choice.ts";
import { modelFailure } from "./model-error.ts";

const nothing: ModelWish = { flag: null, setting: null, variables: {}, settings: {} };

function chosen(wish: Partial<ModelWish>): string {
  const choice = chooseModel({ ...nothing, ...wish });
  return `${modelName(choice)} ${choice.provider.format} ${choice.provider.url} by ${choice.origin}`;
}

function refusal(wish: Partial<ModelWish>): SkilletError {
  try {
    chooseModel({ ...nothing, ...wish });
  } catch (error) {
    if (error instanceof SkilletError) return error;
  }
  throw new Error("It was not refused.");
}

describe("chooseModel", () => {
  test("by the keys that are there, Anthropic first", () => {
    const both = { ANTHROPIC_API_KEY: "a", OPENAI_API_KEY: "o" };
    expect(chosen({ variables: both })).toBe(
      "anthropic/claude-sonnet-4-5 anthropic https://api.anthropic.com/v1 by ANTHROPIC_API_KEY",
    );
    expect(chosen({ variables: { OPENAI_API_KEY: "o" } })).toBe(
      "openai/gpt-5.1 openai https://api.openai.com/v1 by OPENAI_API_KEY",
    );
  });

  test("flag above variable above setting", () => {
    const variables = { ANTHROPIC_API_KEY: "a", SKILLET_MODEL: "claude-b" };
    expect(chosen({ variables, setting: "claude-c", flag: "anthropic/claude-a" })).toMatch(
      /^anthropic\/claude-a .* by --model$/,
    );
    expect(chosen({ variables, setting: "claude-c" })).toMatch(/^anthropic\/claude-b .* by SKILLET_MODEL$/);
    expect(chosen({ variables: { ANTHROPIC_API_KEY: "a" }, setting: "claude-c" })).toMatch(
      /claude-c .* by the setting model$/,
    );
  });

  test("any address: by variables, by settings, ids with slashes, moved usual ones", () => {
    const own = { SKILLET_BASE_URL: "http://127.0.0.1:1/v1/" };
    expect(chosen({ variables: own, flag: "qwen/qwen3" })).toBe(
      "custom/qwen/qwen3 openai-compatible http://127.0.0.1:1/v1 by --model",
    );
    const settings = { lab: { url: "https://lab.example/v1", format: "openai-chat", models: ["m1"] } };
    expect(chosen({ settings })).toBe("lab/m1 openai-chat https://lab.example/v1 by the setting providers");
    expect(chosen({ settings, flag: "m1" })).toMatch(/^lab\/m1 /);
    const moved = { ANTHROPIC_API_KEY: "a", ANTHROPIC_BASE_URL: "http://127.0.0.1:2" };
    expect(chosen({ variables: moved })).toContain(" http://127.0.0.1:2/v1 ");
    const older = { OPENAI_API_KEY: "o", OPENAI_BASE_URL: "http://127.0.0.1:3/v1" };
    expect(chosen({ variables: older })).toContain("openai-compatible http://127.0.0.1:3/v1");
  });

  test("what the user says of a model counts", () => {
    const settings = {
      lab: {
        url: "https://lab.example",
        models: { m: { window: 9, output: 8, price: { input: 1, output: 2 }, tools: "exec" } },
      },
    };
    expect(chooseModel({ ...nothing, settings })).toMatchObject({
      window: 9,
      output: 8,
      price: { input: 1, output: 2 },
      tools: "exec",
    });
    expect(chooseModel({ ...nothing, variables: { ANTHROPIC_API_KEY: "a" } }).window).toBe(200_000);
    expect(selectableModels({ variables: { OPENAI_API_KEY: "o" }, settings }, "x/y")).toEqual([
      "x/y",
      "openai/gpt-5.1",
      "lab/m",
    ]);
  });

  test("SKILLET_MODEL beside SKILLET_BASE_URL is a model of that address, whatever settings say", () => {
    const variables = {
      SKILLET_BASE_URL: "http://127.0.0.1:1/v1",
      SKILLET_MODEL: "m1",
      ANTHROPIC_API_KEY: "a",
    };
    const settings = {
      lab: { url: "https://lab.example", models: ["m1"] },
      custom: { url: "https://elsewhere.example", models: { m1: { window: 9 } } },
    };
    const choice = chooseModel({ ...nothing, variables, settings, setting: "lab/m1" });
    expect([modelName(choice), choice.provider.url, choice.window]).toEqual([
      "custom/m1",
      "http://127.0.0.1:1/v1",
      9,
    ]);
    for (const id of ["lab/m1", "anthropic/claude-sonnet-4-5", "claude-x", "gpt-5"])
      expect(chosen({ variables: { ...variables, SKILLET_MODEL: id }, settings })).toBe(
        `custom/${id} openai-compatible http://127.0.0.1:1/v1 by SKILLET_MODEL`,
      );
    expect(chosen({ variables: { ...variables, SKILLET_MODEL: "custom/m2" } })).toMatch(/^custom\/m2 /);
    expect(chosen({ variables, settings, flag: "lab/m1" })).toMatch(/^lab\/m1 .*lab\.example/);
  });

  test("a name that may be a misspelt provider is taken as an id, and that is said", () => {
    const variables = { SKILLET_BASE_URL: "http://me:word@127.0.0.1:1/v1" };
    const settings = { local: { url: "http://127.0.0.1:2/v1" } };
    expect(chooseModel({ ...nothing, variables, flag: "costum/x" }).doubt).toBe(
      'There is no provider "costum", so custom (http://127.0.0.1:1/v1) is asked for the model "costum/x". Did you mean custom/x?',
    );
    expect(chooseModel({ ...nothing, variables, flag: "plain" }).doubt).toBeNull();
    expect(chooseModel({ ...nothing, settings, flag: "local/qwen/q" }).doubt).toBeNull();
  });

  test("without any, one message with the three ways", () => {
    const error = refusal({});
    expect(error.code).toBe("config");
    for (const word of ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "SKILLET_BASE_URL"])
      expect(error.hint).toContain(word);
  });

  test("what is missing or wrong is named", () => {
    expect(refusal({ flag: "anthropic/claude-x" }).message).toContain("ANTHROPIC_API_KEY is not set");
    expect(refusal({ variables: { SKILLET_BASE_URL: "http://x" } }).hint).toContain("SKILLET_MODEL");
    expect(refusal({ flag: "lab/m", settings: { lab: { url: "ftp://x" } } }).message).toContain(
      "providers.lab.url",
    );
    expect(
      refusal({ flag: "lab/m", settings: { lab: { url: "http://x", key: "sk-secret-1" } } }).message,
    ).toContain("never the key itself");
    expect(refusal({ flag: "mystery" }).hint).toContain("PROVIDER/ID");
  });
});

describe("modelFailure", () => {
  const context = { provider: "p", model: "m", url: "http://u", keyVariable: "KEY", secrets: [] };
  const failed = (fields: object) => modelFailure(Object.assign(new Error("said"), fields), context);

  test.each([
    [{ statusCode: 401 }, "key", false],
    [{ statusCode: 404 }, "model", false],
    [{ statusCode: 429, responseHeaders: { "retry-after": "7" } }, "limit", true],
    [{ statusCode: 529 }, "server", true],
    [{ statusCode: 400, message: "prompt is too long: 9 tokens" }, "context", false],
    [{ statusCode: 400 }, "request", false],
    [
      { message: "fetch failed", cause: Object.assign(new Error(""), { code: "ECONNREFUSED" }) },
      "network",
      true,
    ],
    [{ name: "AbortError" }, "cancelled", false],
  ])("%j is %s", (fields, code, retryable) => {
    expect(failed(fields)).toMatchObject({ code, retryable });
  });

  test("an answer that began and broke is a broken connection, whatever the conversation is about", () => {
    const request = { requestBodyValues: { messages: ["a rate limit, overloaded"] } };
    const cause = Object.assign(new TypeError("terminated"), { cause: { code: "UND_ERR_SOCKET" } });
    const broken = failed({
      statusCode: 200,
      message: "Failed to process successful response",
      cause,
      ...request,
    });
    expect(broken).toMatchObject({ code: "network", retryable: true });
    expect(broken.message).toBe("The connection to p (http://u) broke in the middle of the answer.");
    expect(failed({ statusCode: 400, ...request })).toMatchObject({ code: "request", retryable: false });
    expect(failed(request)).toMatchObject({ code: "request", retryable: false });
  });

  test("an address that holds a name and a password is shown without them", () => {
    const url = "http://me:pass-word@127.0.0.1:1/v1?key=1";
    const shown = (fields: object) =>
      modelFailure(Object.assign(new Error(`cannot use ${url}`), fields), { ...context, url }).message;
    for (const fields of [{}, { statusCode: 401 }, { statusCode: 500 }, { statusCode: 200 }])
      expect(shown(fields)).not.toMatch(/pass-word|me:/);
    expect(failed({ message: "Cannot connect to API: bad port" }).message).toBe(
      "The port of http://u cannot be used.",
    );
  });

  test("the server's own word on waiting counts", () => {
    expect(failed({ statusCode: 429, responseHeaders: { "retry-after": "7" } }).wait).toBe(7000);
    expect(failed({ message: "fetch failed", cause: { code: "ECONNREFUSED" } }).message).toBe(
      "Nothing answers at http://u.",
    );
  });
});
