import { randomUUID } from "node:crypto";
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { SkilletError } from "../core/error.ts";
import type { Skills } from "../host/skills.ts";
import { announceChanges } from "./announce-changes.ts";
import { createServer } from "./create-server.ts";
import type { McpServer } from "./sdk.ts";
import {
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  WebStandardStreamableHTTPServerTransport,
} from "./sdk-http.ts";
import type { ServeOptions } from "./serve-stdio.ts";
import { serveSkills } from "./skill-source.ts";

export interface ServeHttpOptions extends ServeOptions {
  /** 0 = any free one. */
  readonly port: number;
  /** Called once with the address that clients use. */
  readonly listening?: (url: string) => void;
}

/** Sessions of the old protocol at once; the one that was quiet longest gives way. */
const mostSessions = 64;
const bodyBytes = 4 * 1024 * 1024;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer;
}

/**
 * Serves skills over HTTP on 127.0.0.1 until `signal` is given: the new protocol request by request, the old one in
 * sessions. A request that names another host, or comes from a web page of another host, is refused before it is read,
 * so that no page can reach the server by a name that it points to this machine. Throws `SkilletError` "failed" when the
 * port cannot be had.
 */
export async function serveHttp(skills: Skills, options: ServeHttpOptions): Promise<void> {
  const { warn, signal } = options;
  const served = serveSkills(skills, warn);
  const sessions = new Map<string, Session>();
  const modern = createMcpHandler(() => createServer({ skills, served, warn }), {
    legacy: "reject",
    maxRequestBodySize: bodyBytes,
    onerror: () => {},
  });
  const open = async (): Promise<Session> => {
    const server = createServer({ skills, served, warn });
    const session: Session = {
      server,
      transport: new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        maxRequestBodySize: bodyBytes,
        onsessioninitialized: (id) => {
          sessions.set(id, session);
          const [oldest] = sessions.keys();
          if (sessions.size > mostSessions && oldest !== undefined) {
            void sessions.get(oldest)?.server.close();
            sessions.delete(oldest);
          }
        },
      }),
    };
    session.transport.onclose = () => {
      if (session.transport.sessionId !== undefined) sessions.delete(session.transport.sessionId);
    };
    await server.connect(session.transport);
    return session;
  };
  const legacy = async (request: Request): Promise<Response> => {
    const id = request.headers.get("mcp-session-id");
    if (id === null) return (await open()).transport.handleRequest(request);
    const session = sessions.get(id);
    if (session === undefined) return refusal(404, "This session is not known; begin a new one.");
    sessions.delete(id);
    sessions.set(id, session);
    return session.transport.handleRequest(request);
  };
  const answer = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused !== undefined) return refused;
    if (new URL(request.url).pathname !== "/mcp") return refusal(404, "The server is at /mcp.");
    return (await isLegacyRequest(request, undefined, { maxRequestBodySize: bodyBytes }))
      ? legacy(request)
      : modern.fetch(request);
  };

  const http = createHttpServer({ requestTimeout: 30_000, headersTimeout: 10_000 }, (request, response) => {
    void relay(request, response, answer);
  });
  http.maxConnections = 512;
  await new Promise<void>((resolve, reject) => {
    http.once("error", (error: NodeJS.ErrnoException) => {
      const message = `Port ${options.port} on 127.0.0.1 cannot be had (${error.code ?? error.message}).`;
      reject(
        new SkilletError("failed", message, { hint: "Name another, or 0 for any free one", cause: error }),
      );
    });
    http.listen(options.port, "127.0.0.1", resolve);
  });
  const stopChanges = announceChanges({ skills, served }, (changed) => {
    if (changed.tools) modern.notify.toolsChanged();
    if (changed.prompts) modern.notify.promptsChanged();
    if (changed.resources) modern.notify.resourcesChanged();
    for (const { server } of sessions.values()) {
      if (changed.tools) server.sendToolListChanged();
      if (changed.prompts) server.sendPromptListChanged();
      if (changed.resources) server.sendResourceListChanged();
    }
  });
  const { port } = http.address() as AddressInfo;
  options.listening?.(`http://127.0.0.1:${port}/mcp`);
  await new Promise<void>((resolve) => {
    const end = (): void => resolve();
    if (signal?.aborted === true) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
  stopChanges();
  await Promise.allSettled([modern.close(), ...[...sessions.values()].map(({ server }) => server.close())]);
  await new Promise((resolve) => {
    http.close(resolve);
    http.closeAllConnections();
  });
}

function refusal(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, { status });
}

/** One request of Node's server as a web request, and its answer back, also while it is still being made. */
async function relay(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  answer: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  outgoing.on("close", () => gone.abort());
  try {
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
    const hasBody = incoming.method !== "GET" && incoming.method !== "HEAD";
    const request = new Request(new URL(incoming.url ?? "/", "http://127.0.0.1"), {
      method: incoming.method ?? "GET",
      headers,
      signal: gone.signal,
      ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: "half" } : {}),
    } as RequestInit);
    const response = await answer(request);
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body === null) outgoing.end();
    else
      for await (const chunk of response.body) {
        if (outgoing.destroyed) break;
        if (!outgoing.write(chunk)) await drained(outgoing, gone.signal);
      }
    outgoing.end();
  } catch {
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  }
}

function drained(outgoing: ServerResponse, gone: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    outgoing.once("drain", resolve);
    gone.addEventListener("abort", () => resolve(), { once: true });
  });
}
