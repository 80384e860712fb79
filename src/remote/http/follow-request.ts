import { checkedAddress } from "./checked-address.ts";
import type { Resolve } from "./checked-lookup.ts";
import { FetchProblem } from "./http-failure.ts";
import type { HostPolicy, HttpBytes, HttpLimits, HttpRequest, HttpUnchanged } from "./http-types.ts";
import type { NetworkSettings } from "./network-settings.ts";
import { type Agents, type HopAnswer, sendOnce } from "./send-once.ts";

export interface FollowOptions {
  readonly limits: HttpLimits;
  readonly signal: AbortSignal;
  readonly settings: NetworkSettings;
  readonly agents: Agents;
  readonly policy: HostPolicy;
  readonly resolve: Resolve;
  readonly agentName: string;
  /** Gets every address that is asked; holds the first one already. */
  readonly hops: (string | URL)[];
}

const redirects = new Set([301, 302, 303, 307, 308]);
const passing = new Set([408, 425, 429, 500, 502, 503, 504]);

/**
 * One try: asks, follows redirects by hand and judges the answer. Own headers go to the first origin alone; a redirect to
 * another one is followed only where the policy says so, and never from https to http (rows E13–E15). Throws `FetchProblem`.
 */
export async function followRequest(
  request: HttpRequest,
  options: FollowOptions,
): Promise<Omit<HttpBytes, "tries"> | Omit<HttpUnchanged, "tries">> {
  const { policy, limits, hops } = options;
  const method = request.method ?? "GET";
  const follows = method === "GET" || method === "HEAD";
  let url = checkedAddress(request.url, policy);
  const { origin } = url;
  const seen = new Set<string>();
  for (;;) {
    if (options.signal.aborted) throw new FetchProblem("cancelled", "it was stopped");
    seen.add(url.href);
    const answer = await sendOnce(
      {
        url,
        method,
        headers: headersFor(request, { own: url.origin === origin, agentName: options.agentName }),
        body: request.body ?? null,
        limits,
        signal: options.signal,
        allowPrivate: policy.privateHost(url),
        settings: options.settings,
        resolve: options.resolve,
        agents: options.agents,
      },
      (status) => isWanted(status, request),
    );
    if (!follows || !redirects.has(answer.status) || request.statuses?.includes(answer.status) === true)
      return judged(answer, { request, url });
    const next = redirected(answer, { from: url, policy, hops });
    if (seen.has(next.href)) throw new FetchProblem("redirect", "the redirect leads round in a circle");
    if (seen.size > limits.redirects)
      throw new FetchProblem("redirect", `it redirects more than ${limits.redirects} times`);
    url = next;
  }
}

function headersFor(
  request: HttpRequest,
  { own, agentName }: { readonly own: boolean; readonly agentName: string },
): Readonly<Record<string, string>> {
  const { known } = request;
  return {
    "user-agent": agentName,
    accept: request.accept ?? "*/*",
    ...(known?.etag ? { "if-none-match": known.etag } : {}),
    ...(known?.modified && !known.etag ? { "if-modified-since": known.modified } : {}),
    ...(own ? request.headers : {}),
  };
}

function isWanted(status: number, request: HttpRequest): boolean {
  return (status >= 200 && status < 300) || request.statuses?.includes(status) === true;
}

function redirected(
  answer: HopAnswer,
  at: { readonly from: URL; readonly policy: HostPolicy; readonly hops: (string | URL)[] },
): URL {
  const { from, policy } = at;
  const location = answer.headers.get("location");
  if (location === undefined)
    throw new FetchProblem("redirect", `the server answered ${answer.status} without saying where to go`);
  let joined: string;
  try {
    joined = new URL(location, from).href;
  } catch {
    throw new FetchProblem("redirect", "the redirect names no usable address");
  }
  at.hops.push(joined);
  const { protocol, origin } = new URL(joined);
  if (protocol !== "https:" && protocol !== "http:")
    throw new FetchProblem("redirect", `the redirect leads to ${protocol.slice(0, 20)}, not to https`);
  if (from.protocol === "https:" && protocol === "http:")
    throw new FetchProblem("redirect", "the redirect leads away from https");
  const to = checkedAddress(joined, policy);
  if (origin !== from.origin && !policy.redirect(from, to))
    throw new FetchProblem("redirect", `the redirect leads to another server, ${to.host}`);
  return to;
}

function judged(
  { status, headers, bytes }: HopAnswer,
  { request, url }: { readonly request: HttpRequest; readonly url: URL },
): Omit<HttpBytes, "tries"> | Omit<HttpUnchanged, "tries"> {
  if (status === 304 && request.known !== undefined) return { kind: "unchanged" };
  const listed = request.statuses?.includes(status) === true;
  const method = request.method ?? "GET";
  if (!listed && (status < 200 || status > 299)) throw statusProblem(status, headers);
  if (!listed && method === "GET" && (status === 204 || status === 205 || status === 206))
    throw new FetchProblem("content", `the server answered ${status}, which is not a whole file`);
  const type = headers.get("content-type")?.split(";")[0]?.trim().toLowerCase() ?? null;
  if (status < 300 && type !== null && request.refuseTypes?.includes(type) === true)
    throw new FetchProblem("content", `a page of type ${type} came in its place`);
  return {
    kind: "bytes",
    status,
    url: url.href,
    headers,
    type,
    etag: headers.get("etag") ?? null,
    modified: headers.get("last-modified") ?? null,
    bytes,
  };
}

function statusProblem(status: number, headers: ReadonlyMap<string, string>): FetchProblem {
  const wait = passing.has(status) ? waitOf(headers.get("retry-after")) : null;
  const asked =
    wait === null || wait < 1000 ? "" : ` and asks to come back in ${Math.round(wait / 1000)} seconds`;
  return new FetchProblem("status", `the server answered ${status}${asked}`, {
    status,
    transient: passing.has(status),
    wait,
    ...(status === 401 || status === 403
      ? { hint: "If it needs a token, name the variable that holds it in `sources` of your own settings" }
      : {}),
  });
}

/** `Retry-After` in milliseconds; a date counts from now. */
function waitOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text.trim()) * 1000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}
