import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

export interface Reply {
  readonly status?: number;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Path (with query) → what is answered: a text, a reply, or a function that answers itself. */
export type Routes = Readonly<
  Record<
    string,
    string | Reply | ((request: IncomingMessage, response: ServerResponse, count: number) => void)
  >
>;

/** A server on 127.0.0.1 for one test. */
export interface LoopbackServer {
  /** `http://127.0.0.1:PORT`, without a slash at the end. */
  readonly origin: string;
  readonly port: number;
  /** Requests in order of arrival. */
  readonly seen: Seen[];
  /** Replaces what is answered. */
  serve(routes: Routes): void;
  /** Nothing answers from now on. */
  close(): Promise<void>;
}

/** Starts one; unknown paths answer 404. */
export async function loopbackServer(first: Routes = {}): Promise<LoopbackServer> {
  let routes = first;
  const seen: Seen[] = [];
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    seen.push({ method: request.method ?? "", path, headers: request.headers });
    const count = (counts.get(path) ?? 0) + 1;
    counts.set(path, count);
    const route = Object.hasOwn(routes, path) ? routes[path] : undefined;
    if (typeof route === "function") return route(request, response, count);
    const reply: Reply =
      route === undefined
        ? { status: 404, body: "not found" }
        : typeof route === "string"
          ? { body: route }
          : route;
    const type = path.endsWith(".json") ? "application/json" : "text/plain";
    response.writeHead(reply.status ?? 200, { "content-type": type, ...reply.headers });
    response.end(reply.body ?? "");
  });
  server.on("clientError", (_error, socket) => socket.destroy());
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    port,
    seen,
    serve(next) {
      routes = next;
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
