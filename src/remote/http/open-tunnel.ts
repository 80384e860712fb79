import { request as plainRequest } from "node:http";
import { request as secureRequest } from "node:https";
import { isIP, type Socket } from "node:net";
import { connect, type TLSSocket } from "node:tls";
import { FetchProblem } from "./http-failure.ts";
import { networkProblem } from "./network-problem.ts";
import type { NetworkSettings } from "./network-settings.ts";

export interface TunnelRequest {
  readonly proxy: URL;
  readonly target: URL;
  readonly settings: NetworkSettings;
  readonly signal: AbortSignal;
}

/** `Proxy-Authorization` from the proxy's address; it goes to the proxy alone. */
export function proxyHeaders(proxy: URL): Readonly<Record<string, string>> {
  if (proxy.username === "" && proxy.password === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

/** A TLS connection to the target through a proxy's CONNECT. Throws `FetchProblem`. */
export async function openTunnel(request: TunnelRequest): Promise<TLSSocket> {
  const socket = await connectThrough(request);
  const { target, settings, signal } = request;
  return new Promise((done, fail) => {
    const host = target.hostname.replace(/^\[|\]$/g, "");
    const secure = connect({
      socket,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      host,
      ALPNProtocols: ["http/1.1"],
      ...(settings.certificates === null ? {} : { ca: [...settings.certificates] }),
    });
    const stop = (): void => void secure.destroy(new Error("stopped"));
    signal.addEventListener("abort", stop, { once: true });
    secure.once("secureConnect", () => {
      signal.removeEventListener("abort", stop);
      done(secure);
    });
    secure.once("error", (error) => fail(networkProblem(error)));
  });
}

function connectThrough({ proxy, target, settings, signal }: TunnelRequest): Promise<Socket> {
  const host = `${target.hostname}:${target.port || "443"}`;
  const send = proxy.protocol === "https:" ? secureRequest : plainRequest;
  return new Promise((done, fail) => {
    const connecting = send({
      host: proxy.hostname.replace(/^\[|\]$/g, ""),
      port: proxy.port || (proxy.protocol === "https:" ? 443 : 80),
      method: "CONNECT",
      path: host,
      headers: { host, ...proxyHeaders(proxy) },
      signal,
      agent: false,
      ...(settings.certificates === null ? {} : { ca: [...settings.certificates] }),
    });
    connecting.once("connect", (response, socket) => {
      if (response.statusCode === 200) return done(socket);
      socket.destroy();
      fail(new FetchProblem("unreachable", `the proxy answered ${response.statusCode}`));
    });
    connecting.once("response", (response) => {
      response.destroy();
      fail(new FetchProblem("unreachable", `the proxy answered ${response.statusCode}`));
    });
    connecting.once("error", (error) => {
      const { message } = networkProblem(error);
      fail(new FetchProblem("unreachable", `the proxy cannot be used: ${message}`));
    });
    connecting.end();
  });
}
