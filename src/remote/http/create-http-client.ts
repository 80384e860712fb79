import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "../../core/environment.ts";
import { version } from "../../version.ts";
import { type Resolve, systemResolve } from "./checked-lookup.ts";
import { followRequest } from "./follow-request.ts";
import { FetchProblem, failureOf } from "./http-failure.ts";
import { defaultHttpLimits } from "./http-limits.ts";
import type { HostPolicy, HttpAnswer, HttpClient, HttpRequest } from "./http-types.ts";
import { networkSettings } from "./network-settings.ts";

export interface HttpClientOptions {
  /** Proxy and certificate variables come from here. */
  readonly environment: Environment;
  readonly policy: HostPolicy;
  /** Default: the system's. */
  readonly resolve?: Resolve;
  /** Ends everything that the client does. */
  readonly signal?: AbortSignal;
}

/**
 * A client that fetches within limits and policy: addresses are checked before, after each redirect and once they are
 * resolved; bodies are counted after decoding; what may pass is tried again. It keeps connections until `close`.
 */
export function createHttpClient(options: HttpClientOptions): HttpClient {
  const settings = networkSettings(options.environment);
  const agents = {
    http: new HttpAgent({ keepAlive: true, maxSockets: 16 }),
    https: new HttpsAgent({ keepAlive: true, maxSockets: 16 }),
  };
  const fetch = async (request: HttpRequest): Promise<HttpAnswer> => {
    const limits = { ...defaultHttpLimits, ...request.limits };
    const ending = new AbortController();
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      ending.abort();
    }, limits.total);
    const outer = [options.signal, request.signal].filter((signal) => signal !== undefined);
    const signal = AbortSignal.any([ending.signal, ...outer]);
    const safe = request.method === undefined || request.method === "GET" || request.method === "HEAD";
    const most = safe ? limits.tries : 1;
    const hops: (string | URL)[] = [request.url];
    try {
      for (let tries = 1; ; tries++) {
        hops.length = 1;
        try {
          const answer = await followRequest(request, {
            limits,
            signal,
            settings,
            agents,
            hops,
            policy: options.policy,
            resolve: options.resolve ?? systemResolve,
            agentName: `skillet/${version}`,
          });
          return { ...answer, tries };
        } catch (error) {
          if (!(error instanceof FetchProblem)) throw error;
          const problem =
            late && error.reason === "cancelled"
              ? new FetchProblem("timeout", `it was not done within ${limits.total / 1000} seconds`)
              : error;
          const pause = problem.wait ?? limits.retryDelay * 2 ** (tries - 1) * (0.5 + Math.random());
          if (!problem.transient || tries >= most || pause > limits.retryAfter)
            return failureOf(problem, { hops, tries });
          await sleep(pause, undefined, { signal }).catch(() => undefined);
        }
      }
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    fetch,
    close: () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}
