import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { SkilletError } from "../../core/error.ts";
import type { Site } from "./build-site.ts";

export interface ServeOptions {
  /** 0 = any free port. */
  readonly port: number;
  /** Answer of `GET /skill`: all skills, as JSON. */
  readonly skills: () => unknown;
}

export interface RunningSite {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Offers a site on this machine only: a file of the site by its exact path, with type, length, digest as ETag, HEAD,
 * conditional requests, and the rules that let pages of any site read it; `GET /skill` besides, for no page of another site. Nothing is looked up on disk, so
 * no path leads out, and a request under a foreign host name (DNS rebinding) is refused. Throws when the port is taken.
 */
export async function serveSite(site: Site, options: ServeOptions): Promise<RunningSite> {
  const files = new Map([...site].map(([path, bytes]) => [`/${path}`, { bytes, etag: etagOf(bytes) }]));
  const server = createServer((request, response) => {
    try {
      answer(request, response, { files, skills: options.skills });
    } catch {
      send(request, response, {
        status: 500,
        type: "text/plain; charset=utf-8",
        bytes: Buffer.from("failed\n"),
      });
    }
  });
  await listen(server, options.port);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : options.port;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

interface Content {
  readonly files: ReadonlyMap<string, { readonly bytes: Uint8Array; readonly etag: string }>;
  readonly skills: () => unknown;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { files, skills }: Content,
): ServerResponse {
  const text = (status: number, message: string) =>
    send(request, response, {
      status,
      type: "text/plain; charset=utf-8",
      bytes: Buffer.from(`${message}\n`),
    });
  const host = (request.headers.host ?? "").replace(/:\d+$/, "").toLowerCase();
  if (!["127.0.0.1", "localhost", "[::1]"].includes(host))
    return text(403, "This server answers this machine only.");
  const path = pathOf(request.url ?? "/");
  const shared = path !== null && files.has(path);
  if (request.method === "OPTIONS")
    return send(request, response, { status: 204, type: "", bytes: Buffer.alloc(0), shared });
  if (request.method !== "GET" && request.method !== "HEAD") return text(405, "GET and HEAD only.");
  if (path === "/skill") {
    if (isForeign(request)) return text(403, "This answer is for this machine's own programs.");
    const bytes = Buffer.from(JSON.stringify(skills(), null, 2));
    return send(request, response, { status: 200, type: "application/json", bytes });
  }
  const file = path === null ? undefined : files.get(path);
  if (file === undefined || path === null) return text(404, "There is nothing at this address.");
  const known = (request.headers["if-none-match"] ?? "")
    .split(",")
    .map((tag) => tag.trim().replace(/^W\//, ""));
  const same = known.includes(file.etag) || known.includes("*");
  return send(request, response, {
    status: same ? 304 : 200,
    type: typeOf(path),
    bytes: file.bytes,
    etag: file.etag,
    shared,
  });
}

/** Whether a page of another site asks: it names an origin that is not this server's own, or the browser says so. */
function isForeign({ headers }: IncomingMessage): boolean {
  const { origin } = headers;
  if (origin !== undefined) return origin.toLowerCase() !== `http://${headers.host ?? ""}`.toLowerCase();
  return headers["sec-fetch-site"] === "cross-site";
}

/** The path decoded once; null for what cannot be decoded. */
function pathOf(url: string): string | null {
  try {
    return decodeURIComponent(url.split(/[?#]/, 1)[0] ?? "/");
  } catch {
    return null;
  }
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  content: {
    readonly status: number;
    readonly type: string;
    readonly bytes: Uint8Array;
    readonly etag?: string;
    /** A published file, which pages of any site may read. */
    readonly shared?: boolean;
  },
): ServerResponse {
  const { status, type, bytes, etag, shared } = content;
  const body = status !== 304 && status !== 204;
  response.writeHead(status, {
    ...(type === "" ? {} : { "content-type": type }),
    ...(body ? { "content-length": bytes.length } : {}),
    ...(etag === undefined ? {} : { etag }),
    "cache-control": "no-cache",
    ...(shared === true
      ? { "access-control-allow-origin": "*", "access-control-allow-methods": "GET, HEAD, OPTIONS" }
      : {}),
    "x-content-type-options": "nosniff",
    ...(status === 405 ? { allow: "GET, HEAD, OPTIONS" } : {}),
  });
  return response.end(body && request.method !== "HEAD" ? bytes : undefined);
}

const types: readonly (readonly [ending: RegExp, type: string])[] = [
  [/\.json$/i, "application/json"],
  [/\.md$/i, "text/markdown; charset=utf-8"],
  [/\.tar\.gz$|\.tgz$/i, "application/gzip"],
  [/\.zip$/i, "application/zip"],
  // A page or script of a skill is data here: no browser should run it.
  [/\.(?:html?|xhtml|svg|js|mjs|css|txt|py|sh|ya?ml|toml|csv|ts)$/i, "text/plain; charset=utf-8"],
  [/\.png$/i, "image/png"],
  [/\.jpe?g$/i, "image/jpeg"],
  [/\.pdf$/i, "application/pdf"],
];

function typeOf(path: string): string {
  return types.find(([ending]) => ending.test(path))?.[1] ?? "application/octet-stream";
}

function etagOf(bytes: Uint8Array): string {
  return `"${createHash("sha256").update(bytes).digest("hex").slice(0, 32)}"`;
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((done, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const taken = cause.code === "EADDRINUSE";
      reject(
        new SkilletError(
          "failed",
          taken ? `Port ${port} is taken.` : `The server cannot start (${cause.code}).`,
          {
            hint: taken ? "Name another one with --port, or 0 for any." : "Name another port with --port.",
            cause,
          },
        ),
      );
    });
    server.listen(port, "127.0.0.1", () => done());
  });
}
