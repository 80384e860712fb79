import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Environment } from "../../src/core/environment.ts";
import { createHttpClient } from "../../src/remote/http/create-http-client.ts";
import type { HostPolicy, HttpClient, HttpLimits, HttpRequest } from "../../src/remote/http/http-types.ts";
import { type LoopbackServer, loopbackServer } from "./loopback-server.ts";

const environment: Environment = {
  cwd: "/",
  home: "/",
  data: null,
  platform: "linux",
  variables: {},
  language: "en",
};
const loopbackOnly: HostPolicy = {
  refuse: () => null,
  plainHttp: ({ hostname }) => hostname === "127.0.0.1",
  privateHost: ({ hostname }) => hostname === "127.0.0.1",
  redirect: () => false,
};
const quick: Partial<HttpLimits> = { retryDelay: 1, connect: 1_000, headers: 300, idle: 300, total: 5_000 };

let one: LoopbackServer;
let other: LoopbackServer;
let client: HttpClient;
beforeAll(async () => {
  [one, other] = await Promise.all([loopbackServer(), loopbackServer()]);
  client = createHttpClient({ environment, policy: loopbackOnly });
});
beforeEach(() => {
  one.seen.length = 0;
  other.seen.length = 0;
});
afterAll(async () => {
  client.close();
  await Promise.all([one.close(), other.close()]);
});

const ask = (path: string, request: Partial<HttpRequest> = {}) =>
  client.fetch({ url: `${one.origin}${path}`, ...request, limits: { ...quick, ...request.limits } });

async function failure(path: string, request: Partial<HttpRequest> = {}) {
  const answer = await ask(path, request);
  if (answer.kind !== "failed") throw new Error(`${path} was answered: ${answer.kind}`);
  expect(answer.diagnostic.message).not.toMatch(/[\u0000-\u001f\u007f]/);
  return answer;
}

describe("answers", () => {
  test("bytes with what a later request needs", async () => {
    one.serve({
      "/a": { body: "text", headers: { etag: '"1"', "content-type": "Text/Plain; charset=utf-8" } },
    });
    const answer = await ask("/a");
    expect(answer).toMatchObject({ kind: "bytes", status: 200, type: "text/plain", etag: '"1"', tries: 1 });
    expect(answer.kind === "bytes" && new TextDecoder().decode(answer.bytes)).toBe("text");
  });

  test("what is known and still holds is not sent again", async () => {
    one.serve({
      "/a": (request, response) => {
        response.writeHead(request.headers["if-none-match"] === '"1"' ? 304 : 200).end();
      },
    });
    expect(await ask("/a", { known: { etag: '"1"', modified: null } })).toMatchObject({ kind: "unchanged" });
    one.serve({ "/a": (_request, response) => void response.writeHead(304).end() });
    expect((await failure("/a")).reason).toBe("status");
  });

  test("other methods send a body and get other statuses", async () => {
    one.serve({
      "/up": (request, response) => {
        request
          .on("data", () => undefined)
          .on("end", () => response.writeHead(202, { location: "/x" }).end());
      },
    });
    const answer = await ask("/up", { method: "POST", body: new Uint8Array(5) });
    expect(answer).toMatchObject({ kind: "bytes", status: 202 });
    expect(one.seen[0]?.headers["content-length"]).toBe("5");
    one.serve({});
    expect(await ask("/none", { statuses: [404] })).toMatchObject({ kind: "bytes", status: 404 });
  });
});

describe("tries (rows E17, E18, E19)", () => {
  test("what passes is asked again", async () => {
    one.serve({
      "/f": (_request, response, count) => void response.writeHead(count < 3 ? 503 : 200).end("done"),
    });
    expect(await ask("/f")).toMatchObject({ kind: "bytes", tries: 3 });
  });

  test.each([
    [404, 1],
    [401, 1],
    [500, 3],
    [429, 3],
  ])("status %i is asked %i times", async (status, tries) => {
    one.serve({ [`/s${status}`]: { status, body: "\u001b[31moops" } });
    const failed = await failure(`/s${status}`);
    expect(failed).toMatchObject({ reason: "status", status, tries });
    expect(one.seen).toHaveLength(tries);
    expect(failed.diagnostic.message).not.toContain("oops");
  });

  test("a server that asks for a day does not get it", async () => {
    one.serve({ "/d": { status: 429, headers: { "retry-after": "86400" } } });
    const failed = await failure("/d");
    expect(failed).toMatchObject({ reason: "status", status: 429, tries: 1 });
    expect(failed.diagnostic.message).toContain("86400 seconds");
  });

  test.each([204, 206])("status %i is no file", async (status) => {
    one.serve({ [`/n${status}`]: { status } });
    expect((await failure(`/n${status}`)).reason).toBe("content");
  });

  test("a body that is cut off is asked for again and then refused", async () => {
    one.serve({
      "/short": (_request, response) => {
        response.writeHead(200, { "content-length": "5000" });
        response.write("half");
        setTimeout(() => response.destroy(), 10);
      },
      "/reset": (request) => void request.socket.destroy(),
    });
    expect(await failure("/short")).toMatchObject({ reason: "unreachable", tries: 3 });
    expect(await failure("/reset")).toMatchObject({ reason: "unreachable", tries: 3 });
  });
});

describe("limits (rows E16, E20)", () => {
  test("no headers, no more body, a byte now and then", async () => {
    one.serve({
      "/headers": () => undefined,
      "/stop": (_request, response) => {
        response.writeHead(200);
        response.write("x");
      },
      "/drip": (_request, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write(" "), 20);
        response.on("close", () => clearInterval(timer));
      },
    });
    expect((await failure("/headers")).reason).toBe("timeout");
    expect((await failure("/stop")).reason).toBe("timeout");
    expect((await failure("/drip", { limits: { total: 400 } })).reason).toBe("timeout");
  });

  test("an endless body ends at the limit", async () => {
    one.serve({
      "/endless": (_request, response) => {
        response.writeHead(200);
        const more = () => {
          while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        };
        response.on("drain", more);
        more();
      },
      "/announced": (_request, response) =>
        response.writeHead(200, { "content-length": "9999999999" }).flushHeaders(),
    });
    expect((await failure("/endless", { limits: { bytes: 1_000_000 } })).reason).toBe("too-large");
    expect((await failure("/announced")).reason).toBe("too-large");
  });

  test("bytes are counted after unpacking", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000));
    expect(bomb.length).toBeLessThan(100_000);
    one.serve({ "/bomb": { body: bomb, headers: { "content-encoding": "gzip" } } });
    expect((await failure("/bomb", { limits: { bytes: 1_000_000 } })).reason).toBe("too-large");
  });

  test("packed bodies are unpacked, badly or doubly packed ones refused", async () => {
    const zipped = gzipSync("hello");
    one.serve({
      "/good": { body: zipped, headers: { "content-encoding": "gzip" } },
      "/bad": { body: "not gzip", headers: { "content-encoding": "gzip" } },
      "/twice": { body: gzipSync(zipped), headers: { "content-encoding": "gzip, gzip" } },
      "/odd": { body: "x", headers: { "content-encoding": "rot13" } },
    });
    const good = await ask("/good");
    expect(good.kind === "bytes" && new TextDecoder().decode(good.bytes)).toBe("hello");
    for (const path of ["/bad", "/twice", "/odd"]) expect((await failure(path)).reason).toBe("content");
  });

  test("headers without end are refused", async () => {
    one.serve({
      "/h": (_request, response) => {
        for (let at = 0; at < 400; at++) response.setHeader(`x-h${at}`, "v".repeat(100));
        response.end("x");
      },
    });
    expect((await failure("/h")).reason).toBe("content");
  });

  test("a page in place of a file is refused", async () => {
    one.serve({ "/p": { body: "<html>", headers: { "content-type": "text/html" } } });
    expect((await failure("/p", { refuseTypes: ["text/html"] })).reason).toBe("content");
  });
});

describe("redirects (rows E13–E15)", () => {
  const to = (location: string) => ({ status: 302, headers: { location } });

  test("on the same server they are followed with the request's headers", async () => {
    one.serve({ "/a": to("b"), "/b": "there" });
    const answer = await ask("/a", { headers: { authorization: "Bearer secret" } });
    expect(answer).toMatchObject({ kind: "bytes", url: `${one.origin}/b` });
    expect(one.seen[1]?.headers.authorization).toBe("Bearer secret");
  });

  test("to another server they are not, and it never sees the token", async () => {
    one.serve({ "/a": to(`${other.origin}/stolen`) });
    const headers = { authorization: "Bearer secret", "x-api-key": "secret" };
    const failed = await failure("/a", { headers });
    expect(failed.reason).toBe("redirect");
    expect(JSON.stringify(failed.diagnostic)).not.toContain("secret");
    expect(other.seen).toEqual([]);

    other.serve({ "/stolen": "x" });
    const open = createHttpClient({ environment, policy: { ...loopbackOnly, redirect: () => true } });
    expect(await open.fetch({ url: `${one.origin}/a`, headers })).toMatchObject({ kind: "bytes" });
    open.close();
    expect(other.seen[0]?.headers).not.toHaveProperty("authorization");
    expect(other.seen[0]?.headers).not.toHaveProperty("x-api-key");
  });

  test.each([
    ["/loop", "/loop", "redirect", "circle"],
    ["/file", "file:///etc/passwd", "redirect", "file:"],
    ["/data", "data:text/plain,x", "redirect", "data:"],
    ["/meta", "http://169.254.169.254/latest/", "private", "private"],
    ["/user", "http://me:word@127.0.0.1/", "address", "password"],
    ["/odd", "http://[", "redirect", "no usable"],
  ] as const)("%s → %s", async (path, location, reason, word) => {
    one.serve({ [path]: to(location) });
    const failed = await failure(path);
    expect(failed.reason).toBe(reason);
    expect(failed.diagnostic.message).toContain(word);
    expect(failed.diagnostic.message).not.toContain("word@");
  });

  test("a chain ends after five and is told", async () => {
    const chain = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`/c${at}`, to(`/c${at + 1}`)]));
    one.serve(chain);
    const failed = await failure("/c0");
    expect(failed.reason).toBe("redirect");
    expect(failed.diagnostic.message).toContain("/c1 → ");
    expect(one.seen).toHaveLength(6);
  });

  test("without a place to go", async () => {
    one.serve({ "/a": { status: 302 } });
    expect((await failure("/a")).reason).toBe("redirect");
  });
});

describe("addresses (rows E04, E23)", () => {
  const strict: HostPolicy = {
    refuse: () => null,
    plainHttp: () => true,
    privateHost: () => false,
    redirect: () => false,
  };
  const answers = async (url: string, addresses: readonly string[] = ["192.0.2.1"]) => {
    const asked: string[] = [];
    const careful = createHttpClient({
      environment,
      policy: strict,
      resolve: async (name) => {
        asked.push(name);
        return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
      },
    });
    const answer = await careful.fetch({ url, limits: quick });
    careful.close();
    return { answer, asked };
  };

  test.each([
    ...["file:///etc/passwd", "data:text/plain,x", "blob:x", "javascript:1", "ftp://a.example/x"],
    ...[
      "https://me@a.example/",
      "https://me:word@a.example/",
      "https://a.example\\@b.example/",
      "not one",
      "",
    ],
    ...["http://a.example/\r\nX: 1", `https://a.example/${"a".repeat(70_000)}`],
  ])("refused before anything is asked: %#", async (url) => {
    const { answer, asked } = await answers(url);
    expect(answer).toMatchObject({ kind: "failed", reason: "address" });
    expect(answer.kind === "failed" && answer.diagnostic.message).not.toMatch(/word@|[\r\n]/);
    expect(asked).toEqual([]);
  });

  test.each([
    ...["127.0.0.1:1", "127.1:1", "0177.0.0.1", "2130706433", "0x7f000001", "①②⑦.0.0.1", "localhost:1"],
    ...["localhost.:1", "a.localhost", "[::1]:1", "[::ffff:127.0.0.1]", "[::ffff:a00:1]", "0.0.0.0:1"],
    ...["10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "198.18.0.1"],
    ...["[fd00::1]", "[fe80::1]", "[64:ff9b::a00:1]", "[2002:a00:1::]", "[::]", "[::127.0.0.1]", "224.0.0.1"],
  ])("http://%s/x leads to no public place", async (host) => {
    const { answer, asked } = await answers(`http://${host}/x`);
    expect(answer).toMatchObject({ kind: "failed", reason: "private" });
    expect(asked).toEqual([]);
  });

  test.each([
    [["127.0.0.1"]],
    [["::1"]],
    [["10.1.2.3"]],
    [["100.64.9.9"]],
    [["169.254.169.254"]],
    [["fc00::1"]],
    [["8.8.8.8", "127.0.0.1"]],
  ])("a name that means %j is refused", async (addresses) => {
    const { answer } = await answers("http://a.example/x", addresses);
    expect(answer).toMatchObject({ kind: "failed", reason: "private" });
  });

  test("the connection goes to the address that was checked", async () => {
    one.serve({ "/x": "there" });
    let asked = 0;
    const pinned = createHttpClient({
      environment,
      policy: { ...strict, privateHost: () => true },
      resolve: async () => {
        asked++;
        return [{ address: "127.0.0.1", family: 4 }];
      },
    });
    expect(await pinned.fetch({ url: `http://skills.example:${one.port}/x` })).toMatchObject({
      kind: "bytes",
    });
    pinned.close();
    expect(asked).toBe(1);
    expect(one.seen[0]?.headers.host).toBe(`skills.example:${one.port}`);
  });

  test("what the policy refuses is not asked", async () => {
    const refusing = createHttpClient({
      environment,
      policy: { ...loopbackOnly, refuse: () => "this server is not on the list" },
    });
    expect(await refusing.fetch({ url: `${one.origin}/x` })).toMatchObject({ reason: "forbidden" });
    expect(one.seen).toEqual([]);
  });

  test("http only where it is allowed", async () => {
    const safe = createHttpClient({ environment, policy: { ...loopbackOnly, plainHttp: () => false } });
    expect(await safe.fetch({ url: `${one.origin}/x` })).toMatchObject({ reason: "address" });
  });
});

test("nothing listens: said at once", async () => {
  const gone = await loopbackServer();
  await gone.close();
  const answer = await client.fetch({ url: `${gone.origin}/x` });
  expect(answer).toMatchObject({ kind: "failed", reason: "unreachable", tries: 1 });
});

test("a stopped request says so and ends", async () => {
  one.serve({ "/slow": () => undefined });
  const ending = new AbortController();
  setTimeout(() => ending.abort(), 20);
  expect(await ask("/slow", { signal: ending.signal })).toMatchObject({ reason: "cancelled" });
  expect(await ask("/slow", { signal: AbortSignal.abort() })).toMatchObject({ reason: "cancelled" });
});
