import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Environment } from "../../src/core/environment.ts";
import { createHttpClient } from "../../src/remote/http/create-http-client.ts";
import type { HostPolicy } from "../../src/remote/http/http-types.ts";
import { proxyRules } from "../../src/remote/http/proxy-rules.ts";
import { type LoopbackServer, loopbackServer } from "./loopback-server.ts";

const environment = (variables: Readonly<Record<string, string>>): Environment => ({
  cwd: "/",
  home: "/",
  data: null,
  platform: "linux",
  variables,
  language: "en",
});
const everything: HostPolicy = {
  refuse: () => null,
  plainHttp: () => true,
  privateHost: () => true,
  redirect: () => false,
};

describe("which proxy", () => {
  const proxy = (url: string, variables: Readonly<Record<string, string>>) => {
    const found = proxyRules(environment(variables)).proxyFor(new URL(url));
    return found instanceof URL ? found.href : found;
  };

  test.each([
    ["https://a.example/", { https_proxy: "http://p:1" }, "http://p:1/"],
    ["https://a.example/", { HTTPS_PROXY: "p:1" }, "http://p:1/"],
    ["https://a.example/", { http_proxy: "http://p:1" }, null],
    ["http://a.example/", { http_proxy: "http://p:1" }, "http://p:1/"],
    ["http://a.example/", { ALL_PROXY: "http://p:1" }, "http://p:1/"],
    ["http://a.example/", { all_proxy: "socks5://p:1" }, "unusable"],
    ["http://a.example/", { http_proxy: "http://p:1", no_proxy: "*" }, null],
    ["http://a.example/", { http_proxy: "http://p:1", NO_PROXY: "example" }, null],
    ["http://a.example/", { http_proxy: "http://p:1", no_proxy: "b.example, .example" }, null],
    ["http://aexample/", { http_proxy: "http://p:1", no_proxy: "example" }, "http://p:1/"],
    ["http://a.example:81/", { http_proxy: "http://p:1", no_proxy: "a.example:80" }, "http://p:1/"],
    ["http://a.example/", { http_proxy: "http://p:1", no_proxy: "a.example:80" }, null],
    ["http://10.2.3.4/", { http_proxy: "http://p:1", no_proxy: "10.0.0.0/8" }, null],
    ["http://11.2.3.4/", { http_proxy: "http://p:1", no_proxy: "10.0.0.0/8" }, "http://p:1/"],
    ["http://[::1]/", { http_proxy: "http://p:1", no_proxy: "::1" }, null],
  ])("%s with %j", (url, variables, expected) => {
    expect(proxy(url, variables)).toBe(expected);
  });
});

let server: LoopbackServer;
const asked: string[] = [];
const proxy = createServer((request, response) => {
  asked.push(`${request.method} ${request.url} ${request.headers["proxy-authorization"] ?? "-"}`);
  response.end("from the proxy");
});
proxy.on("connect", (request, socket, head) => {
  asked.push(`CONNECT ${request.headers["proxy-authorization"] ?? "-"}`);
  const [, port] = (request.url ?? "").split(":");
  const onward = connect(Number(port), "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 Connection Established\r\n\r\n");
    onward.write(head);
    socket.pipe(onward).pipe(socket);
  });
  for (const one of [socket, onward]) one.on("error", () => undefined);
});
let origin = "";
const openssl = spawnSync("openssl", ["version"]).status === 0;
const folder = mkdtempSync(join(tmpdir(), "skillet-tls-"));
const [key, certificate] = [join(folder, "key.pem"), join(folder, "cert.pem")];
const secure = createSecureServer((_request, response) => response.end("secret text"));
let port = 0;
beforeAll(async () => {
  server = await loopbackServer({ "/x": "direct" });
  await new Promise<void>((done) => proxy.listen(0, "127.0.0.1", done));
  origin = `http://me:word@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  if (!openssl) return;
  const made = spawnSync("openssl", [
    ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"],
    ...["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", certificate],
  ]);
  expect(made.status).toBe(0);
  secure.setSecureContext({ key: readFileSync(key), cert: readFileSync(certificate) });
  await new Promise<void>((done) => secure.listen(0, "127.0.0.1", done));
  port = (secure.address() as AddressInfo).port;
});
afterAll(async () => {
  for (const one of [proxy, secure]) {
    one.closeAllConnections();
    one.close();
  }
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const get = async (url: string, variables: Readonly<Record<string, string>>) => {
  const client = createHttpClient({ environment: environment(variables), policy: everything });
  const answer = await client.fetch({ url, limits: { tries: 1 } });
  client.close();
  return answer.kind === "bytes" ? new TextDecoder().decode(answer.bytes) : answer;
};

describe("through a proxy (row E24)", () => {
  test("http goes through it, with its password, and the name is not looked up here", async () => {
    expect(await get("http://skills.invalid/x", { http_proxy: origin })).toBe("from the proxy");
    expect(asked.pop()).toBe(
      `GET http://skills.invalid/x Basic ${Buffer.from("me:word").toString("base64")}`,
    );
  });

  test("no_proxy goes past it", async () => {
    const before = asked.length;
    expect(await get(`${server.origin}/x`, { http_proxy: origin, no_proxy: "127.0.0.1" })).toBe("direct");
    expect(asked).toHaveLength(before);
  });

  test("a proxy that is not there is said without its password", async () => {
    const answer = await get("https://a.example/x", { https_proxy: "http://me:word@127.0.0.1:9" });
    expect(answer).toMatchObject({ kind: "failed", reason: "unreachable" });
    expect(JSON.stringify(answer)).toContain("proxy cannot be used");
    expect(JSON.stringify(answer)).not.toContain("word");
  });
});

describe.skipIf(!openssl)("TLS with a certificate of one's own", () => {
  test("an unknown certificate is refused, with advice", async () => {
    const answer = await get(`https://localhost:${port}/x`, {});
    expect(answer).toMatchObject({ kind: "failed", reason: "unreachable" });
    expect(JSON.stringify(answer)).toContain("NODE_EXTRA_CA_CERTS");
  });

  test.each(["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"])("%s makes it known", async (name) => {
    expect(await get(`https://localhost:${port}/x`, { [name]: certificate })).toBe("secret text");
    expect(await get(`https://localhost:${port}/x`, { [name]: certificate, https_proxy: origin })).toBe(
      "secret text",
    );
    expect(asked.pop()).toMatch(/^CONNECT Basic /);
  });

  test("a certificate file that is none is said", async () => {
    const bad = join(folder, "bad.pem");
    writeFileSync(bad, "nothing");
    for (const path of [bad, join(folder, "gone.pem")])
      expect(JSON.stringify(await get(`https://localhost:${port}/x`, { SSL_CERT_FILE: path }))).toContain(
        "SSL_CERT_FILE",
      );
  });

  test("away from https is never followed (row E15)", async () => {
    secure.removeAllListeners("request");
    secure.on("request", (_request, response) =>
      response.writeHead(302, { location: `${server.origin}/x` }).end(),
    );
    const answer = await get(`https://localhost:${port}/x`, { SSL_CERT_FILE: certificate });
    expect(answer).toMatchObject({ kind: "failed", reason: "redirect" });
    expect(JSON.stringify(answer)).toContain("away from https");
  });
});
