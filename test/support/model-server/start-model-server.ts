import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { anthropicMessages } from "./anthropic-messages.ts";
import { chatCompletions } from "./chat-completions.ts";
import { responses } from "./responses.ts";
import type {
  FilledStep,
  ModelRequest,
  ModelRequestBody,
  ModelScript,
  ModelStep,
  StreamEvent,
  Wire,
  WireFormat,
} from "./script.ts";

/** A model that answers by script, on loopback. */
export interface ModelServer {
  /** `http://127.0.0.1:PORT/v1`: base address for OpenAI's clients. */
  readonly url: string;
  /** Without `/v1`: base address for Anthropic's client. */
  readonly origin: string;
  /** In the order of arrival. */
  readonly requests: readonly ModelRequest[];
  /** Connections that the client closed before the answer was complete. */
  readonly aborted: number;
  close(): Promise<void>;
}

const wires: Readonly<Record<string, { readonly wire: Wire; readonly format: WireFormat }>> = {
  "/v1/chat/completions": { wire: "chat", format: chatCompletions },
  "/v1/responses": { wire: "responses", format: responses },
  "/v1/messages": { wire: "anthropic", format: anthropicMessages },
};

/**
 * Starts a server that speaks Chat Completions, Responses and Anthropic's Messages, each whole or as a stream, by the path
 * and the `stream` of a request. Listens on 127.0.0.1, on a free port.
 */
export async function startModelServer(script: ModelScript): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  const sockets = new Set<Socket>();
  let calls = 0;
  let aborted = 0;

  const stepFor = (request: ModelRequest, index: number): ModelStep =>
    typeof script === "function"
      ? script(request, index)
      : (script[index] ?? { status: 400, error: `The script has no step ${index + 1}.` });

  const fill = (step: ModelStep, model: string): FilledStep => ({
    text: step.text ?? "",
    calls: (step.calls ?? []).map((call) => {
      calls += 1;
      return { id: `call_${calls}`, ...call };
    }),
    usage: step.usage ?? { input: 100, output: 10 },
    model,
    number: requests.length,
  });

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const path = (incoming.url ?? "").split("?")[0] ?? "";
    const found = Object.hasOwn(wires, path) ? wires[path] : undefined;
    const body = readBody(await textOf(incoming));
    if (found === undefined || incoming.method !== "POST" || body === null) {
      sendJson(outgoing, found === undefined ? 404 : 400, { error: { message: `No such request: ${path}` } });
      return;
    }
    const { wire, format } = found;
    const request: ModelRequest = { wire, path, headers: incoming.headers, body };
    requests.push(request);
    outgoing.on("close", () => {
      if (!outgoing.writableFinished) aborted += 1;
    });
    const step = stepFor(request, requests.length - 1);
    if (step.status !== undefined) {
      sendJson(outgoing, step.status, format.error(step.status, step.error ?? "Scripted failure."));
      return;
    }
    const filled = fill(step, body.model ?? "scripted");
    if (body.stream === true) await sendStream(outgoing, format.stream(filled, body), step);
    else if (step.hangs !== true) {
      await pause(step.pause);
      sendJson(outgoing, 200, format.whole(filled));
    }
  };

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.headersSent) sendJson(outgoing, 500, { error: { message: String(error) } });
      else outgoing.destroy();
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${origin}/v1`,
    origin,
    requests,
    get aborted() {
      return aborted;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

async function sendStream(
  outgoing: ServerResponse,
  events: readonly StreamEvent[],
  step: ModelStep,
): Promise<void> {
  outgoing.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  const stop =
    step.hangs === true || step.breaks === true ? Math.max(1, Math.floor(events.length / 2)) : events.length;
  for (const { event, data } of events.slice(0, stop)) {
    if (outgoing.destroyed) return;
    const text = typeof data === "string" ? data : JSON.stringify(data);
    outgoing.write(`${event === null ? "" : `event: ${event}\n`}data: ${text}\n\n`);
    await pause(step.pause);
  }
  if (step.breaks === true) outgoing.destroy();
  else if (step.hangs !== true) outgoing.end();
}

function sendJson(outgoing: ServerResponse, status: number, value: unknown): void {
  outgoing.writeHead(status, { "content-type": "application/json" });
  outgoing.end(JSON.stringify(value));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function readBody(text: string): ModelRequestBody | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as ModelRequestBody) : null;
  } catch {
    return null;
  }
}

function pause(milliseconds = 0): Promise<void> {
  return milliseconds > 0 ? new Promise((resolve) => setTimeout(resolve, milliseconds)) : Promise.resolve();
}
