import type { WireFormat } from "./model-choice.ts";

/** The server points elsewhere. Nobody goes there: the request holds the conversation and the key. */
export class RedirectError extends Error {
  /** Scheme and host it points to; null = it did not say. */
  readonly target: string | null;

  constructor(target: string | null) {
    super("The server points to another address.");
    this.name = "RedirectError";
    this.target = target;
  }
}

/** An answer whose end never came, however politely the connection was closed. */
export class BrokenAnswerError extends Error {
  constructor() {
    super("The answer broke off.");
    this.name = "BrokenAnswerError";
  }
}

/** Not a byte came for too long. */
export class SilenceError extends Error {
  constructor() {
    super("Nothing came any more.");
    this.name = "SilenceError";
  }
}

/** Something answered that is no server of models, e.g. a page of a proxy. */
export class NoModelServerError extends Error {
  readonly contentType: string;

  constructor(contentType: string) {
    super("The answer is a page.");
    this.name = "NoModelServerError";
    this.contentType = contentType;
  }
}

/**
 * `fetch` for requests to a model: it follows no redirect, takes no page for an answer, and an answer's stream ends well
 * only after the event that its format ends with. `silence`: milliseconds without a byte after which the connection
 * counts as lost. Rejects, or breaks the stream, with the errors above.
 */
export function guardedFetch(format: WireFormat, silence: number): typeof fetch {
  return async (input, init) => {
    const lost = new AbortController();
    const timer = setTimeout(() => lost.abort(new SilenceError()), silence).unref();
    const signal = init?.signal == null ? lost.signal : AbortSignal.any([init.signal, lost.signal]);
    const response = await fetch(input, { ...init, signal, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new RedirectError(targetOf(response));
    }
    if (!response.ok || response.body === null) return response;
    const type = response.headers.get("content-type") ?? "";
    if (/^text\/html/i.test(type)) {
      await response.body.cancel();
      throw new NoModelServerError(type);
    }
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(untilEnd(format, () => timer.refresh())), {
      status,
      statusText,
      headers,
    });
  };
}

function targetOf(response: Response): string | null {
  try {
    return new URL(response.headers.get("location") ?? "", response.url).origin;
  } catch {
    return null;
  }
}

/** Passes bytes on, with a sign of life for each piece; errors when they are over before the format's last event. */
function untilEnd(format: WireFormat, alive: () => void): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  let rest = "";
  let ended = false;
  const look = (line: string): void => {
    ended ||= line.startsWith("data:") && isEnd(format, line.slice("data:".length).trim());
  };
  return new TransformStream({
    transform(chunk, controller) {
      alive();
      controller.enqueue(chunk);
      if (ended) return;
      const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r\n|\r|\n/);
      rest = lines.pop() ?? "";
      for (const line of lines) look(line);
    },
    flush(controller) {
      look(rest);
      if (!ended) controller.error(new BrokenAnswerError());
    },
  });
}

/** What may hold an end; most lines are pieces of text and need not be read twice. */
const candidates: Readonly<Record<WireFormat, RegExp>> = {
  anthropic: /"(?:message_stop|error)"/,
  openai: /"(?:response\.(?:completed|incomplete|failed)|error)"/,
  "openai-chat": /"(?:finish_reason|error)"/,
  "openai-compatible": /"(?:finish_reason|error)"/,
};

/** Whether an event is the last one: the end of the answer, or an error, which says itself what is wrong. */
function isEnd(format: WireFormat, data: string): boolean {
  if (data === "[DONE]") return true;
  if (!candidates[format].test(data)) return false;
  let event: unknown;
  try {
    event = JSON.parse(data);
  } catch {
    return false;
  }
  const type = field(event, "type");
  if (type === "error" || (field(event, "error") ?? null) !== null) return true;
  if (format === "anthropic") return type === "message_stop";
  if (format === "openai") return typeof type === "string" && candidates.openai.test(`"${type}"`);
  const choices = field(event, "choices");
  return (
    Array.isArray(choices) && choices.some((choice) => (field(choice, "finish_reason") ?? null) !== null)
  );
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
