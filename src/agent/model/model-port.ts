import type { AssistantPart, Message } from "../conversation/message.ts";
import type { ModelFailure } from "./model-error.ts";

/** A tool as a model is told of it. */
export interface ToolForm {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface ModelRequest {
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolForm[];
  /** "none": the tools are told, so that the beginning of the request stays the same, but may not be called. */
  readonly toolChoice?: "auto" | "none";
  readonly signal: AbortSignal;
}

/** Tokens of one request. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  /** Part of `input` that came from the provider's cache. */
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

export type ModelEvent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "reasoning"; readonly text: string }
  /** A tool call begins to arrive. */
  | { readonly type: "tool-start"; readonly name: string }
  /** The request is made again; what arrived of it so far does not count. */
  | {
      readonly type: "retry";
      readonly attempt: number;
      readonly wait: number;
      readonly failure: ModelFailure;
    }
  | {
      readonly type: "end";
      readonly parts: readonly AssistantPart[];
      readonly usage: Usage;
      /** "filtered": the model or its server refused to go on. */
      readonly reason: "stop" | "length" | "tool-calls" | "filtered" | "other";
    };

/** One model, whoever serves it. */
export interface ModelPort {
  /** One request with its retries. Throws `ModelCallError` when it failed for good or was cancelled. */
  stream(request: ModelRequest): AsyncIterable<ModelEvent>;
}

/** A model call that gave no answer. */
export class ModelCallError extends Error {
  readonly failure: ModelFailure;

  constructor(failure: ModelFailure) {
    super(failure.message);
    this.name = "ModelCallError";
    this.failure = failure;
  }
}
