import type { Readable, Writable } from "node:stream";
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from "./sdk.ts";

export interface WireOptions {
  readonly input: Readable;
  /** Writes to the client; false = it does not keep up, and `output` will drain. */
  readonly write: (text: string) => boolean;
  readonly output: Writable;
  /** Bytes of one message; a longer line is refused and the next one read. */
  readonly lineBytes?: number;
  /** Requests that may wait for an answer at once; more are left in the pipe. */
  readonly atOnce?: number;
  /** Called after each answer. */
  readonly answered?: () => void;
  /** Milliseconds that requests are given to be answered when the client closes its end. */
  readonly grace?: number;
}

/**
 * One client over a pair of streams, one JSON message a line. Unlike the SDK's own it goes on after a line that is too
 * long or no message (answered with an error of JSON-RPC), reads no faster than it answers, and answers what was asked
 * before the client closed its end (rows J01, J04, J05).
 */
export class StdioWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #options: WireOptions & Required<Pick<WireOptions, "lineBytes" | "atOnce" | "grace">>;
  #parts: Buffer[] = [];
  #held = 0;
  #dropping = false;
  readonly #open = new Set<string | number>();
  #clogged = false;
  #ended = false;
  #closed = false;
  #deadline: NodeJS.Timeout | null = null;

  constructor(options: WireOptions) {
    this.#options = { lineBytes: 4 * 1024 * 1024, atOnce: 256, grace: 1000, ...options };
  }

  start(): Promise<void> {
    const { input, output } = this.#options;
    input.on("data", this.#read).on("error", this.#end).on("end", this.#end).on("close", this.#end);
    output.on("error", this.#close).on("close", this.#close).on("drain", this.#drained);
    if (input.readableEnded || input.destroyed) setImmediate(this.#end);
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (this.#closed) return Promise.reject(new Error("The client is gone."));
    const answers = isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message);
    if (answers && message.id !== undefined && message.id !== null) this.#open.delete(message.id);
    this.#write(message);
    if (answers) this.#options.answered?.();
    this.#flow();
    if (this.#ended && this.#open.size === 0) this.#close();
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.#close();
    return Promise.resolve();
  }

  readonly #read = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0 && !this.#closed; end = bytes.indexOf(10, from)) {
      this.#hold(bytes.subarray(from, end));
      this.#line();
      from = end + 1;
    }
    if (!this.#closed && from < bytes.length) this.#hold(bytes.subarray(from));
    this.#flow();
  };

  #hold(part: Buffer): void {
    if (this.#dropping) return;
    this.#held += part.length;
    if (this.#held <= this.#options.lineBytes) {
      this.#parts.push(part);
      return;
    }
    this.#parts = [];
    this.#dropping = true;
  }

  #line(): void {
    const text = this.#dropping ? "" : Buffer.concat(this.#parts).toString("utf8");
    const tooLong = this.#dropping;
    this.#parts = [];
    this.#held = 0;
    this.#dropping = false;
    if (tooLong) {
      this.#refuse(
        -32_600,
        `A message may have ${this.#options.lineBytes} bytes; a longer one was not read.`,
      );
      return;
    }
    if (text.trim() === "") return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse(-32_700, "This line is no JSON.");
      return;
    }
    let message: JSONRPCMessage;
    try {
      message = parseJSONRPCMessage(value);
    } catch {
      this.#refuse(-32_600, "This is no message of JSON-RPC 2.0.", idOf(value));
      return;
    }
    if (isJSONRPCRequest(message)) {
      // A subscription stays open until one side ends it; nothing waits for its answer.
      if (message.method !== "subscriptions/listen") this.#open.add(message.id);
    } else if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      const id = message.params?.requestId;
      if (typeof id === "string" || typeof id === "number") this.#open.delete(id);
    }
    this.onmessage?.(message);
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.onerror?.(new Error(message));
    this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #write(message: unknown): void {
    if (!this.#options.write(`${JSON.stringify(message)}\n`)) this.#clogged = true;
  }

  readonly #drained = (): void => {
    this.#clogged = false;
    this.#flow();
  };

  #flow(): void {
    const { input, atOnce } = this.#options;
    if (this.#closed || this.#ended) return;
    const wait = this.#clogged || this.#open.size >= atOnce;
    if (wait && !input.isPaused()) input.pause();
    else if (!wait && input.isPaused()) input.resume();
  }

  readonly #end = (): void => {
    if (this.#ended) return;
    this.#ended = true;
    if (!this.#closed && (this.#held > 0 || this.#dropping)) this.#line();
    if (this.#open.size === 0) this.#close();
    else this.#deadline = setTimeout(this.#close, this.#options.grace);
  };

  readonly #close = (): void => {
    if (this.#closed) return;
    this.#closed = true;
    if (this.#deadline !== null) clearTimeout(this.#deadline);
    const { input, output } = this.#options;
    input.off("data", this.#read).off("end", this.#end).off("close", this.#end);
    output.off("close", this.#close).off("drain", this.#drained);
    input.pause();
    this.onclose?.();
  };
}

function idOf(value: unknown): string | number | null {
  if (typeof value !== "object" || value === null || !("id" in value)) return null;
  return typeof value.id === "string" || typeof value.id === "number" ? value.id : null;
}
