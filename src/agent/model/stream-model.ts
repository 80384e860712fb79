import type { JSONSchema7, ToolSet } from "ai";
import type { AssistantPart, ProviderData } from "../conversation/message.ts";
import { connectModel, providerOptions } from "./connect-model.ts";
import { BrokenAnswerError, SilenceError } from "./guarded-fetch.ts";
import type { ModelChoice } from "./model-choice.ts";
import { type ModelFailure, modelFailure } from "./model-error.ts";
import {
  ModelCallError,
  type ModelEvent,
  type ModelPort,
  type ModelRequest,
  type Usage,
} from "./model-port.ts";
import { cacheMark, toSdkMessages } from "./to-sdk-messages.ts";

export interface StreamOptions {
  /** Attempts of one request; default 5. */
  readonly attempts?: number;
  /** Milliseconds before the second attempt, doubled each time; default 1000. */
  readonly firstWait?: number;
  /** Milliseconds without a byte after which a connection counts as lost; default 300,000. */
  readonly silence?: number;
}

/** Milliseconds between attempts, where the server does not say. */
const longestWait = 60_000;
/** A server that asks for more is not waited for. */
const longestAskedWait = 600_000;

/** A model behind the AI SDK. The SDK is loaded with the first request. */
export function sdkModel(choice: ModelChoice, options: StreamOptions = {}): ModelPort {
  const { attempts = 5, firstWait = 1000, silence = 300_000 } = options;
  const context = {
    secrets: choice.provider.key === null ? [] : [choice.provider.key],
    provider: choice.provider.name,
    model: choice.id,
    url: choice.provider.url,
    keyVariable: choice.provider.keyVariable,
  };
  return {
    async *stream(request) {
      for (let attempt = 1; ; attempt++) {
        try {
          yield* once(choice, request, silence);
          return;
        } catch (error) {
          const failure = request.signal.aborted
            ? modelFailure(new DOMException("", "AbortError"), context)
            : modelFailure(error, context);
          if (!failure.retryable || attempt >= attempts) throw new ModelCallError(failure);
          const own = Math.min(firstWait * 2 ** (attempt - 1), longestWait);
          const wait = Math.max(failure.wait ?? own, firstWait);
          if (wait > longestAskedWait) throw new ModelCallError(notWaitedFor(failure, wait));
          yield { type: "retry", attempt, wait, failure };
          await pause(wait, request.signal);
          if (request.signal.aborted)
            throw new ModelCallError(modelFailure(new DOMException("", "AbortError"), context));
        }
      }
    },
  };
}

function notWaitedFor(failure: ModelFailure, wait: number): ModelFailure {
  const minutes = Math.ceil(wait / 60_000);
  return { ...failure, hint: `It asks to wait ${minutes} minutes; send it again then.`, retryable: false };
}

async function* once(
  choice: ModelChoice,
  request: ModelRequest,
  silence: number,
): AsyncGenerator<ModelEvent> {
  const [{ streamText, jsonSchema }, model] = await Promise.all([
    import("ai"),
    connectModel(choice, { silence }),
  ]);
  // Its advice on providers' options would land in the middle of the terminal.
  Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);
  const tools: ToolSet = Object.fromEntries(
    request.tools.map(({ name, description, parameters }) => [
      name,
      { description, inputSchema: jsonSchema(parameters as JSONSchema7) },
    ]),
  );
  const result = streamText({
    model,
    system: { role: "system", content: request.system, providerOptions: cacheMark },
    messages: toSdkMessages(request.messages),
    ...(request.tools.length === 0 ? {} : { tools, toolChoice: request.toolChoice ?? "auto" }),
    ...(choice.output === null ? {} : { maxOutputTokens: choice.output }),
    maxRetries: 0,
    abortSignal: request.signal,
    providerOptions,
    onError: () => {},
  });
  const parts: AssistantPart[] = [];
  const open = new Map<string, { type: "text" | "reasoning"; text: string; provider?: ProviderData }>();
  let usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for await (const part of result.fullStream) {
    switch (part.type) {
      case "text-start":
      case "reasoning-start": {
        const kind = part.type === "text-start" ? "text" : "reasoning";
        open.set(`${kind}:${part.id}`, { type: kind, text: "", ...kept(part.providerMetadata) });
        break;
      }
      case "text-delta":
      case "reasoning-delta": {
        const kind = part.type === "text-delta" ? "text" : "reasoning";
        const at = open.get(`${kind}:${part.id}`);
        if (at !== undefined) {
          at.text += part.text;
          Object.assign(at, kept(part.providerMetadata));
        }
        if (part.text !== "") yield { type: kind, text: part.text };
        break;
      }
      case "text-end":
      case "reasoning-end": {
        const key = `${part.type === "text-end" ? "text" : "reasoning"}:${part.id}`;
        const at = open.get(key);
        open.delete(key);
        if (at === undefined) break;
        Object.assign(at, kept(part.providerMetadata));
        if (at.text !== "" || at.type === "reasoning") parts.push(at);
        break;
      }
      case "tool-input-start":
        yield { type: "tool-start", name: part.toolName };
        break;
      case "tool-call":
        parts.push({
          type: "call",
          id: part.toolCallId,
          name: part.toolName,
          input: part.input,
          ...(part.invalid === true ? { invalid: invalidReason(part.error) } : {}),
          ...kept(part.providerMetadata),
        });
        break;
      case "finish-step":
        usage = usageOf(part.usage);
        break;
      case "finish": {
        if (part.finishReason === "error") throw new BrokenAnswerError();
        if (part.finishReason === "content-filter") {
          // What a refused answer asks for is not done.
          yield {
            type: "end",
            parts: parts.filter(({ type }) => type !== "call"),
            usage,
            reason: "filtered",
          };
          return;
        }
        const called = parts.some(({ type }) => type === "call");
        const reason = called
          ? "tool-calls"
          : part.finishReason === "stop" || part.finishReason === "length"
            ? part.finishReason
            : "other";
        yield { type: "end", parts, usage, reason };
        return;
      }
      case "error":
        throw part.error;
      case "abort":
        // Whether it was the user's stop is seen by the caller.
        throw new SilenceError();
      default:
        break;
    }
  }
  throw new BrokenAnswerError();
}

function kept(metadata: unknown): { provider?: ProviderData } {
  return metadata === undefined ? {} : { provider: metadata as ProviderData };
}

function invalidReason(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 500) : "The arguments are no JSON object.";
}

function usageOf(usage: {
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly inputTokenDetails: {
    readonly cacheReadTokens: number | undefined;
    readonly cacheWriteTokens: number | undefined;
  };
}): Usage {
  return {
    input: usage.inputTokens ?? 0,
    output: usage.outputTokens ?? 0,
    cacheRead: usage.inputTokenDetails?.cacheReadTokens ?? 0,
    cacheWrite: usage.inputTokenDetails?.cacheWriteTokens ?? 0,
  };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
