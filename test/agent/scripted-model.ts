import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

// A model that says what a test tells it to, on loopback, in the three languages that models are spoken to.

export type Language = "anthropic" | "responses" | "chat";

export interface ScriptedCall {
  readonly name: string;
  readonly input: unknown;
}

/** One answer. */
export interface ScriptedAnswer {
  readonly text?: string;
  readonly reasoning?: string;
  readonly calls?: readonly ScriptedCall[];
  /** An error in place of an answer. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly error?: string;
  /** The connection breaks after this many pieces of text. */
  readonly breakAfter?: number;
  /** The connection is closed politely after this many pieces of text, without the events of an end. */
  readonly endAfter?: number;
  /** All of it comes, but for the last events. */
  readonly noEnd?: boolean;
  /** Headers, and then nothing. */
  readonly silent?: boolean;
  /** Why it ends, where not by itself. */
  readonly stop?: "length" | "filtered";
  /** A page in place of an answer. */
  readonly page?: string;
  /** Milliseconds between pieces of text. */
  readonly pause?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

/** One request, as far as the languages have it in common. */
export interface SeenRequest {
  readonly language: Language;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Readonly<Record<string, unknown>>;
  /** The bytes as they came. */
  readonly raw: string;
  readonly system: string;
  readonly turns: readonly SeenTurn[];
  readonly tools: readonly string[];
}

export interface SeenTurn {
  readonly role: "user" | "assistant" | "tool";
  readonly text: string;
  readonly calls: readonly string[];
}

export interface ScriptedModel {
  /** `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  readonly requests: readonly SeenRequest[];
  close(): Promise<void>;
}

/** Answers in order; a function gives the answer to any request. */
export type Script =
  | readonly (ScriptedAnswer | ((request: SeenRequest) => ScriptedAnswer))[]
  | ((request: SeenRequest, count: number) => ScriptedAnswer);

export async function scriptedModel(script: Script): Promise<ScriptedModel> {
  const requests: SeenRequest[] = [];
  const server = createServer((request, response) => {
    let raw = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => {
      raw += chunk;
    });
    request.on("end", () => {
      if (request.method === "GET") {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ data: [{ id: "scripted" }] }));
        return;
      }
      const seen = seenRequest(request, raw);
      requests.push(seen);
      const count = requests.length;
      const step = typeof script === "function" ? script(seen, count) : script[count - 1];
      const answer: ScriptedAnswer =
        step === undefined
          ? { text: "The script has no more answers." }
          : typeof step === "function"
            ? step(seen)
            : step;
      void reply(response, { language: seen.language, answer, count });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

function seenRequest(request: IncomingMessage, raw: string): SeenRequest {
  const path = request.url ?? "";
  const body = JSON.parse(raw) as Record<string, unknown>;
  const language: Language = path.endsWith("/messages")
    ? "anthropic"
    : path.endsWith("/responses")
      ? "responses"
      : "chat";
  return {
    language,
    path,
    headers: request.headers,
    body,
    raw,
    tools: list(body.tools).map((tool) => text(tool.name) || text(record(tool.function).name)),
    ...(language === "anthropic"
      ? readAnthropic(body)
      : language === "responses"
        ? readResponses(body)
        : readChat(body)),
  };
}

type Read = Pick<SeenRequest, "system" | "turns">;

function readAnthropic(body: Record<string, unknown>): Read {
  const turns = list(body.messages).flatMap((message): SeenTurn[] => {
    const parts =
      typeof message.content === "string" ? [{ type: "text", text: message.content }] : list(message.content);
    const results = parts.filter(({ type }) => type === "tool_result");
    const others = parts.filter(({ type }) => type === "text");
    const calls = parts.filter(({ type }) => type === "tool_use").map((part) => text(part.name));
    const role = message.role === "assistant" ? "assistant" : "user";
    return [
      ...results.map((part): SeenTurn => ({ role: "tool", text: contentText(part.content), calls: [] })),
      ...(others.length + calls.length > 0
        ? [{ role, text: others.map((part) => text(part.text)).join("\n"), calls } satisfies SeenTurn]
        : []),
    ];
  });
  return { system: contentText(body.system), turns };
}

function readResponses(body: Record<string, unknown>): Read {
  const turns: SeenTurn[] = [];
  let system = "";
  for (const item of list(body.input)) {
    if (item.role === "developer" || item.role === "system") system += contentText(item.content);
    else if (item.type === "function_call") {
      const last = turns.at(-1);
      const call = text(item.name);
      if (last?.role === "assistant") turns[turns.length - 1] = { ...last, calls: [...last.calls, call] };
      else turns.push({ role: "assistant", text: "", calls: [call] });
    } else if (item.type === "function_call_output")
      turns.push({ role: "tool", text: contentText(item.output), calls: [] });
    else if (item.role === "user" || item.role === "assistant")
      turns.push({ role: item.role, text: contentText(item.content), calls: [] });
  }
  return { system, turns };
}

function readChat(body: Record<string, unknown>): Read {
  const turns: SeenTurn[] = [];
  let system = "";
  for (const message of list(body.messages)) {
    const content = contentText(message.content);
    if (message.role === "system" || message.role === "developer") system += content;
    else if (message.role === "tool") turns.push({ role: "tool", text: content, calls: [] });
    else
      turns.push({
        role: message.role === "assistant" ? "assistant" : "user",
        text: content,
        calls: list(message.tool_calls).map((call) => text(record(call.function).name)),
      });
  }
  return { system, turns };
}

interface Reply {
  readonly language: Language;
  readonly answer: ScriptedAnswer;
  readonly count: number;
}

async function reply(response: ServerResponse, { language, answer, count }: Reply): Promise<void> {
  if (answer.status !== undefined) {
    response.writeHead(answer.status, { "content-type": "application/json", ...answer.headers });
    const message = answer.error ?? `status ${answer.status}`;
    response.end(
      JSON.stringify({ type: "error", error: { type: "api_error", message, code: null, param: null } }),
    );
    return;
  }
  if (answer.page !== undefined) {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
    response.end(answer.page);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  if (answer.silent === true) return;
  const pieces = (answer.text ?? "").match(/[\s\S]{1,24}/gu) ?? [];
  const send = (event: Readonly<Record<string, unknown>>): void => {
    response.write(`event: ${String(event.type ?? "message")}\ndata: ${JSON.stringify(event)}\n\n`);
  };
  const eachPiece = async (one: (piece: string) => void): Promise<boolean> => {
    for (const [index, piece] of pieces.entries()) {
      if (answer.breakAfter === index) {
        // What was sent so far has to arrive first.
        await new Promise((resolve) => setTimeout(resolve, 20));
        response.destroy();
        return false;
      }
      if (answer.endAfter === index) {
        response.end();
        return false;
      }
      if (answer.pause !== undefined) await new Promise((resolve) => setTimeout(resolve, answer.pause));
      if (response.destroyed) return false;
      one(piece);
    }
    return true;
  };
  const parts = { answer, count, send, eachPiece };
  const whole =
    language === "anthropic"
      ? await sendAnthropic(parts)
      : language === "responses"
        ? await sendResponses(parts)
        : await sendChat(parts);
  if (whole) response.end(language === "chat" && answer.noEnd !== true ? "data: [DONE]\n\n" : "");
}

interface Parts {
  readonly answer: ScriptedAnswer;
  readonly count: number;
  send(event: Readonly<Record<string, unknown>>): void;
  eachPiece(one: (piece: string) => void): Promise<boolean>;
}

async function sendAnthropic({ answer, count, send, eachPiece }: Parts): Promise<boolean> {
  const { calls = [], inputTokens = 100, outputTokens = 10 } = answer;
  const message = { id: `msg_${count}`, type: "message", role: "assistant", model: "scripted", content: [] };
  send({
    type: "message_start",
    message: { ...message, usage: { input_tokens: inputTokens, output_tokens: 0 } },
  });
  let index = 0;
  if (answer.reasoning !== undefined) {
    send({ type: "content_block_start", index, content_block: { type: "thinking", thinking: "" } });
    send({
      type: "content_block_delta",
      index,
      delta: { type: "thinking_delta", thinking: answer.reasoning },
    });
    send({ type: "content_block_delta", index, delta: { type: "signature_delta", signature: "sig" } });
    send({ type: "content_block_stop", index });
    index += 1;
  }
  if (answer.text !== undefined) {
    send({ type: "content_block_start", index, content_block: { type: "text", text: "" } });
    const at = index;
    if (
      !(await eachPiece((piece) =>
        send({ type: "content_block_delta", index: at, delta: { type: "text_delta", text: piece } }),
      ))
    )
      return false;
    send({ type: "content_block_stop", index });
    index += 1;
  }
  for (const [at, { name, input }] of calls.entries()) {
    send({
      type: "content_block_start",
      index,
      content_block: { type: "tool_use", id: `call_${count}_${at}`, name, input: {} },
    });
    const json = typeof input === "string" ? input : JSON.stringify(input);
    send({ type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: json } });
    send({ type: "content_block_stop", index });
    index += 1;
  }
  const ends = { length: "max_tokens", filtered: "refusal" } as const;
  const byItself = calls.length > 0 ? "tool_use" : "end_turn";
  send({
    type: "message_delta",
    delta: { stop_reason: answer.stop === undefined ? byItself : ends[answer.stop] },
    usage: { output_tokens: outputTokens },
  });
  if (answer.noEnd === true) return true;
  send({ type: "message_stop" });
  return true;
}

async function sendResponses({ answer, count, send, eachPiece }: Parts): Promise<boolean> {
  const { calls = [], inputTokens = 100, outputTokens = 10 } = answer;
  send({ type: "response.created", response: { id: `resp_${count}`, created_at: 1, model: "scripted" } });
  let index = 0;
  if (answer.text !== undefined) {
    const item = { type: "message", id: `msg_${count}` };
    send({ type: "response.output_item.added", output_index: index, item });
    if (
      !(await eachPiece((piece) =>
        send({ type: "response.output_text.delta", item_id: item.id, delta: piece }),
      ))
    )
      return false;
    send({ type: "response.output_item.done", output_index: index, item });
    index += 1;
  }
  for (const [at, { name, input }] of calls.entries()) {
    const json = typeof input === "string" ? input : JSON.stringify(input);
    const item = { type: "function_call", id: `fc_${count}_${at}`, call_id: `call_${count}_${at}`, name };
    send({ type: "response.output_item.added", output_index: index, item: { ...item, arguments: "" } });
    send({
      type: "response.function_call_arguments.delta",
      item_id: item.id,
      output_index: index,
      delta: json,
    });
    send({
      type: "response.output_item.done",
      output_index: index,
      item: { ...item, arguments: json, status: "completed" },
    });
    index += 1;
  }
  if (answer.noEnd === true) return true;
  const ends = { length: "max_output_tokens", filtered: "content_filter" } as const;
  const response = {
    id: `resp_${count}`,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  };
  if (answer.stop === undefined) send({ type: "response.completed", response });
  else
    send({
      type: "response.incomplete",
      response: { ...response, incomplete_details: { reason: ends[answer.stop] } },
    });
  return true;
}

async function sendChat({ answer, count, send, eachPiece }: Parts): Promise<boolean> {
  const { calls = [], inputTokens = 100, outputTokens = 10 } = answer;
  const chunk = (delta: unknown, more: Readonly<Record<string, unknown>> = {}) =>
    send({ id: `chat_${count}`, object: "chat.completion.chunk", choices: [{ index: 0, delta, ...more }] });
  chunk({ role: "assistant", content: "" });
  if (!(await eachPiece((piece) => chunk({ content: piece })))) return false;
  for (const [index, { name, input }] of calls.entries()) {
    const json = typeof input === "string" ? input : JSON.stringify(input);
    chunk({
      tool_calls: [
        { index, id: `call_${count}_${index}`, type: "function", function: { name, arguments: json } },
      ],
    });
  }
  if (answer.noEnd === true) return true;
  const ends = { length: "length", filtered: "content_filter" } as const;
  const byItself = calls.length > 0 ? "tool_calls" : "stop";
  const finish = answer.stop === undefined ? byItself : ends[answer.stop];
  send({
    id: `chat_${count}`,
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: {}, finish_reason: finish }],
    usage: { prompt_tokens: inputTokens, completion_tokens: outputTokens },
  });
  return true;
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}

function list(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function contentText(value: unknown): string {
  if (typeof value === "string") return value;
  return list(value)
    .map((part) => text(part.text))
    .join("\n");
}
