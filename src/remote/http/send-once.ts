import {
  type ClientRequest,
  type Agent as HttpAgent,
  type IncomingMessage,
  request as plainRequest,
  type RequestOptions,
} from "node:http";
import { type Agent as HttpsAgent, request as secureRequest } from "node:https";
import { checkedLookup, type Resolve } from "./checked-lookup.ts";
import { FetchProblem } from "./http-failure.ts";
import type { HttpLimits, HttpMethod } from "./http-types.ts";
import { networkProblem } from "./network-problem.ts";
import type { NetworkSettings } from "./network-settings.ts";
import { openTunnel, proxyHeaders } from "./open-tunnel.ts";
import { acceptedEncodings, readBody } from "./read-body.ts";

export interface Agents {
  readonly http: HttpAgent;
  readonly https: HttpsAgent;
}

/** One request to one address, without redirects and tries. */
export interface Hop {
  readonly url: URL;
  readonly method: HttpMethod;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  readonly limits: HttpLimits;
  readonly signal: AbortSignal;
  readonly allowPrivate: boolean;
  readonly settings: NetworkSettings;
  readonly resolve: Resolve;
  readonly agents: Agents;
}

export interface HopAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** Empty where `wanted` said no. */
  readonly bytes: Uint8Array;
}

/**
 * Sends it and reads the answer's body where `wanted` says so. Throws `FetchProblem`. Connection, headers and pauses in
 * the body have their own limits (row E16).
 */
export async function sendOnce(
  hop: Hop,
  wanted: (status: number, headers: ReadonlyMap<string, string>) => boolean,
): Promise<HopAnswer> {
  const { limits } = hop;
  const ending = new AbortController();
  let problem: FetchProblem | null = null;
  let timer: NodeJS.Timeout | undefined;
  const within = (milliseconds: number, what: string, transient: boolean): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      problem = new FetchProblem("timeout", `${what} within ${milliseconds / 1000} seconds`, { transient });
      ending.abort();
    }, milliseconds);
  };
  const stop = (): void => ending.abort();
  hop.signal.addEventListener("abort", stop, { once: true });
  if (hop.signal.aborted) ending.abort();
  try {
    within(limits.connect, "no connection came about", true);
    const connected = (): void => within(limits.headers, "there was no answer", false);
    const sending = await prepare(hop, ending.signal, connected);
    const response = await answerOf(sending, hop.body);
    const status = response.statusCode ?? 0;
    const headers = headersOf(response);
    if (!wanted(status, headers)) {
      response.destroy();
      return { status, headers, bytes: new Uint8Array() };
    }
    const alive = (): void => within(limits.idle, "nothing more came", false);
    alive();
    return { status, headers, bytes: await readBody(response, { limit: limits.bytes, alive }) };
  } catch (error) {
    if (problem !== null) throw problem;
    if (hop.signal.aborted) throw new FetchProblem("cancelled", "it was stopped");
    throw networkProblem(error);
  } finally {
    clearTimeout(timer);
    hop.signal.removeEventListener("abort", stop);
  }
}

async function prepare(hop: Hop, signal: AbortSignal, connected: () => void): Promise<ClientRequest> {
  const { url, settings } = hop;
  const proxy = settings.proxy.proxyFor(url);
  if (proxy === "unusable")
    throw new FetchProblem("unreachable", "the proxy variable names no http or https proxy");
  if (url.protocol === "https:" && settings.broken !== null)
    throw new FetchProblem("unreachable", settings.broken);
  const headers: Record<string, string | number> = {
    "accept-encoding": acceptedEncodings,
    ...hop.headers,
    ...(hop.body === null ? {} : { "content-length": hop.body.length }),
  };
  const common: RequestOptions = { method: hop.method, headers, signal };
  if (proxy === null) {
    const lookup = checkedLookup(hop.resolve, hop.allowPrivate);
    const sending =
      url.protocol === "https:"
        ? secureRequest(url, {
            ...common,
            lookup,
            agent: hop.agents.https,
            ...(settings.certificates === null ? {} : { ca: [...settings.certificates] }),
          })
        : plainRequest(url, { ...common, lookup, agent: hop.agents.http });
    sending.once("socket", (socket) => {
      if (!socket.connecting) connected();
      else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", connected);
    });
    return sending;
  }
  if (url.protocol === "https:") {
    const socket = await openTunnel({ proxy, target: url, settings, signal });
    connected();
    return secureRequest(url, { ...common, createConnection: () => socket });
  }
  const send = proxy.protocol === "https:" ? secureRequest : plainRequest;
  const sending = send({
    ...common,
    host: proxy.hostname.replace(/^\[|\]$/g, ""),
    port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
    path: url.href,
    agent: false,
    headers: { ...headers, host: url.host, ...proxyHeaders(proxy) },
  });
  sending.once("socket", (socket) => socket.once("connect", connected));
  return sending;
}

function answerOf(sending: ClientRequest, body: Uint8Array | null): Promise<IncomingMessage> {
  return new Promise((done, fail) => {
    sending.once("response", done);
    sending.on("error", fail);
    sending.end(body ?? undefined);
  });
}

function headersOf(response: IncomingMessage): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(response.headers))
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(", ") : value);
  return headers;
}
