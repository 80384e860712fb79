import { spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { skill } from "../cli/run-skillet.ts";
import { builtCommand } from "../support/built-command.ts";
import { ground, type HttpServer, httpServer } from "./ground.ts";

// Rows J01 to J07 and J11 of the matrix: what a broken or hostile client sends, and what comes back.
const place = ground();
let command = "";
beforeAll(() => {
  place.write({
    ".agents/skills/pdf/SKILL.md": skill("pdf", "Fill in PDF forms."),
    ".agents/skills/pdf/notes.md": "Notes\n",
    "secret.txt": "top secret",
  });
  command = builtCommand();
});
afterAll(() => place.remove());

interface Answer {
  readonly id?: string | number | null;
  readonly result?: { readonly [key: string]: unknown; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

const open = {
  jsonrpc: "2.0",
  id: "open",
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const opened = { jsonrpc: "2.0", method: "notifications/initialized" };
const call = (id: string | number, method: string, params?: unknown): object => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
});

interface Raw {
  readonly code: number | null;
  readonly answers: readonly Answer[];
  readonly stderr: string;
  of(id: string | number): Answer | undefined;
}

/** Sends lines as they are, closes, and reads everything that comes back; every line of it has to be a message. */
async function raw(lines: readonly (string | object)[]): Promise<Raw> {
  const child = spawn(process.execPath, [command, "mcp", ...place.args, "--trust"]);
  const out = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    out.stderr += text;
  });
  child.stdin.on("error", () => {});
  const closed = once(child, "close") as Promise<[number | null]>;
  for (const line of lines) {
    const more = child.stdin.write(typeof line === "string" ? line : `${JSON.stringify(line)}\n`);
    if (!more) await Promise.race([once(child.stdin, "drain"), closed]);
  }
  child.stdin.end();
  const [code] = await closed;
  const answers = out.stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Answer => {
      const message = JSON.parse(line) as { readonly jsonrpc: string };
      expect(message.jsonrpc).toBe("2.0");
      return message as Answer;
    });
  return {
    code,
    answers,
    stderr: out.stderr,
    of: (id) => answers.find((one) => one.id === id),
  };
}

describe("frames (row J01)", () => {
  const frames: readonly (readonly [name: string, line: string, code: number])[] = [
    ["no JSON", "nonsense\n", -32_700],
    ["half a JSON", '{"jsonrpc":"2.0","id":1,"method"\n', -32_700],
    ["an empty object", "{}\n", -32_600],
    ["a number", "7\n", -32_600],
    ["null", "null\n", -32_600],
    ["a text", '"initialize"\n', -32_600],
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"ping"}\n', -32_600],
    ["an id of a wrong type", '{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}\n', -32_600],
    ["a method of a wrong type", '{"jsonrpc":"2.0","id":1,"method":7}\n', -32_600],
    ["a batch", '[{"jsonrpc":"2.0","id":1,"method":"ping"}]\n', -32_600],
    ["bytes that are no text", "\u0000\u0001\u001b[2J\n", -32_700],
    ["deep nesting", `${"[".repeat(100_000)}\n`, -32_700],
    ["deep nesting that closes", `${"[".repeat(100_000)}${"]".repeat(100_000)}\n`, -32_600],
    ["keys of prototypes", '{"__proto__":{"jsonrpc":"2.0","id":1,"method":"ping"}}\n', -32_600],
  ];
  let session: Raw;
  beforeAll(async () => {
    session = await raw([open, opened, ...frames.map(([, line]) => line), call(2, "tools/list")]);
  });

  it.each(frames.map(([name, , code], index) => [name, code, index] as const))(
    "%s is answered by an error",
    (_, code, index) => {
      const errors = session.answers.filter(({ error }) => error !== undefined);
      expect(errors[index]).toMatchObject({ error: { code } });
      expect(errors).toHaveLength(frames.length);
    },
  );

  it("and the session goes on", () => {
    expect(session.of(2)?.result?.tools).toHaveLength(3);
    expect([session.code, session.stderr]).toEqual([0, ""]);
  });

  it("lines in pieces, with CRLF, empty ones and a last one without end are read", async () => {
    const text = JSON.stringify(call(2, "tools/list"));
    const { of } = await raw([
      open,
      opened,
      "\n \r\n",
      `${text.slice(0, 20)}`,
      `${text.slice(20)}\r\n`,
      JSON.stringify(call(3, "ping")),
    ]);
    expect([of(2)?.result?.tools, of(3)?.result]).toEqual([expect.anything(), {}]);
  });

  it("a line of 30 MB is refused, and later lines are answered (row J05)", async () => {
    const megabyte = "x".repeat(1024 * 1024);
    const big = ['{"jsonrpc":"2.0","id":1,"method":"', ...Array.from({ length: 30 }, () => megabyte), '"}\n'];
    const session = await raw([open, opened, ...big, call(2, "tools/list")]);
    expect(session.answers.find(({ id }) => id === null)?.error).toMatchObject({ code: -32_600 });
    expect(session.of(2)?.result?.tools).toHaveLength(3);
  });
});

describe("the opening (row J06)", () => {
  it("twice, or never, or with a version that does not exist", async () => {
    const twice = await raw([open, opened, { ...open, id: "again" }, call(2, "ping")]);
    expect([twice.of("open")?.result, twice.of(2)?.result]).toEqual([expect.anything(), {}]);
    const never = await raw([call(2, "tools/list")]);
    expect(never.of(2)).toBeDefined();
    const other = await raw([
      { ...open, params: { ...open.params, protocolVersion: "1999-01-01" } },
      call(2, "ping"),
    ]);
    expect(other.of("open")?.result?.protocolVersion).toMatch(/^20\d\d-/);
    const wrong = await raw([
      { ...open, params: 7 },
      { ...open, id: 2, params: {} },
      open,
      opened,
      call(3, "ping"),
    ]);
    expect(wrong.code).toBe(0);
    expect(wrong.of(3)?.result).toEqual({});
  });
});

describe("names and addresses (rows J02, J03, J11)", () => {
  const long = "x".repeat(100_000);
  const calls: readonly (readonly [name: string, method: string, params: unknown])[] = [
    ["a tool named __proto__", "tools/call", { name: "__proto__", arguments: {} }],
    ["a tool named constructor", "tools/call", { name: "constructor" }],
    ["a tool with a long name", "tools/call", { name: long }],
    ["a tool without a name", "tools/call", {}],
    ["a tool with arguments of a wrong type", "tools/call", { name: "skill", arguments: "pdf" }],
    ["a skill of a wrong type", "tools/call", { name: "skill", arguments: { name: { a: 1 } } }],
    ["a skill named __proto__", "tools/call", { name: "skill", arguments: { name: "__proto__" } }],
    ["a skill with a long name", "tools/call", { name: "skill", arguments: { name: long } }],
    [
      "a file that leads out",
      "tools/call",
      { name: "read_skill_file", arguments: { name: "pdf", path: "../../../secret.txt" } },
    ],
    [
      "an absolute file",
      "tools/call",
      { name: "read_skill_file", arguments: { name: "pdf", path: "/etc/passwd" } },
    ],
    ["a prompt named toString", "prompts/get", { name: "toString" }],
    ["a prompt with arguments of a wrong type", "prompts/get", { name: "pdf", arguments: { arguments: 7 } }],
    ["a method that does not exist", "tools/nothing", {}],
    ["a cursor that is none", "prompts/list", { cursor: 7 }],
  ];
  let session: Raw;
  beforeAll(async () => {
    const asked = calls.map(([, method, params], id) => call(id, method, params));
    session = await raw([open, opened, ...asked, call("last", "ping")]);
  });

  it.each(calls.map(([name], id) => [name, id] as const))("%s gives an error", (_, id) => {
    const { result, error } = session.of(id) ?? {};
    expect(error !== undefined || result?.isError === true).toBe(true);
    const text = JSON.stringify(session.of(id));
    expect(text.length).toBeLessThan(2_000);
    expect(text).not.toContain(place.home);
    expect(text).not.toMatch(/top secret|root:/);
  });

  it("and the session goes on", () => {
    expect(session.of("last")?.result).toEqual({});
    expect([session.code, session.stderr]).toEqual([0, ""]);
  });

  it("a cursor of another list or of nowhere ends the list", async () => {
    const { of } = await raw([
      open,
      opened,
      call(2, "prompts/list", { cursor: "zzzz" }),
      call(3, "skills/list", { cursor: "%%" }),
    ]);
    expect([of(2)?.result?.prompts, of(3)?.result?.skills]).toEqual([expect.any(Array), expect.any(Array)]);
  });

  it("J02 J03 a name, an address or a cursor of a megabyte is answered at once, shortly, and the next request too", async () => {
    const megabyte = `skill://pdf/${"a".repeat(1_000_000)}`;
    const asked = [
      call(1, "resources/read", { uri: megabyte }),
      call(2, "skills/get", { uri: megabyte }),
      call(3, "resources/directory/read", { uri: megabyte }),
      call(4, "prompts/get", { name: megabyte }),
      call(5, "tools/call", { name: megabyte }),
      call(6, "prompts/list", { cursor: megabyte }),
      call(7, "resources/list", { cursor: megabyte }),
    ];
    const session = await raw([open, opened, ...asked, call("last", "ping")]);
    for (const { id } of asked as readonly { readonly id: number }[]) {
      expect(session.of(id)?.error, String(id)).toMatchObject({ code: -32_602 });
      expect(session.of(id)?.error?.message).toMatch(/^`(?:uri|name|cursor)` may have 8192 characters/);
      expect(JSON.stringify(session.of(id)).length).toBeLessThan(300);
    }
    expect(session.of("last")?.result).toEqual({});
  });

  it("addresses that lead out, at once and quickly", async () => {
    const addresses = [
      "skill://pdf/../../../secret.txt",
      "skill://pdf/%2e%2e/%2e%2e/secret.txt",
      "skill://pdf/%252e%252e/secret.txt",
      "skill://pdf/..%2f..%2fsecret.txt",
      "skill://pdf/..%5c..%5csecret.txt",
      "skill://user:password@pdf/SKILL.md",
      "skill://pdf:80/SKILL.md",
      "skill://pdf/SKILL.md?x=1",
      "skill://pdf/SKILL.md#x",
      "skill://pdf//SKILL.md",
      "skill:///etc/passwd",
      "skill://%00/SKILL.md",
      "skill://pdf/%",
      "file:///etc/passwd",
      "http://127.0.0.1/",
      "pdf",
      "",
      `skill://pdf/${"a".repeat(8_000)}`,
      `skill://pdf/${"a".repeat(1_000_000)}`,
      `skill://${"a/".repeat(100_000)}`,
    ];
    const asked = addresses.flatMap((uri, at) => [
      call(`read ${at}`, "resources/read", { uri }),
      call(`get ${at}`, "skills/get", { uri }),
      call(`folder ${at}`, "resources/directory/read", { uri }),
    ]);
    const started = performance.now();
    const session = await raw([
      open,
      opened,
      ...asked,
      call("last", "resources/read", { uri: "skill://pdf/notes.md" }),
    ]);
    // Normalising may lead a spelling back to what is served; nothing ever leads elsewhere.
    for (const answer of session.answers)
      if (answer.id !== "open" && answer.id !== "last" && answer.result !== undefined)
        expect(JSON.stringify(answer.result)).toMatch(/Fill in PDF forms|skill:\/\/pdf\//);
    expect(session.answers.filter(({ error }) => error !== undefined).length).toBeGreaterThan(
      asked.length - 12,
    );
    expect(session.of("last")?.result?.contents).toMatchObject([{ text: "Notes\n" }]);
    expect(JSON.stringify(session.answers)).not.toMatch(/top secret|root:/);
    expect(performance.now() - started).toBeLessThan(120_000);
  });
});

describe("load and ends (rows J04, J07)", () => {
  it("20 000 requests at once, closed in the middle: what was answered is whole, and the process ends", async () => {
    const pings = Array.from({ length: 20_000 }, (_, id) => JSON.stringify(call(id, "ping"))).join("\n");
    const session = await raw([open, opened, `${pings}\n{"jsonrpc":"2.0","id":"cut`]);
    const numbers = session.answers.flatMap(({ id }) => (typeof id === "number" ? [id] : []));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(numbers).toHaveLength(20_000);
    expect(session.code).toBe(0);
  });

  it("nobody reads stdout any more: it ends by itself, without a word", async () => {
    const child = spawn(process.execPath, [command, "mcp", ...place.args, "--trust"]);
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    child.stdin.on("error", () => {});
    child.stdin.write(`${JSON.stringify(open)}\n`);
    const pinging = setInterval(() => child.stdin.write(`${JSON.stringify(call(1, "ping"))}\n`), 20);
    const [code] = (await once(child, "close")) as [number | null];
    clearInterval(pinging);
    expect([code, stderr]).toEqual([0, ""]);
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 130],
  ] as const)("%s ends it at once", async (signal, expected) => {
    const child = spawn(process.execPath, [command, "mcp", ...place.args]);
    child.stdin.write(`${JSON.stringify(open)}\n`);
    await once(child.stdout, "data");
    child.kill(signal);
    const [code] = (await once(child, "close")) as [number | null];
    expect(code).toBe(expected);
  });

  it("skills that wait for trust are said once on stderr, with the command; never on stdout", async () => {
    const child = spawn(process.execPath, [command, "mcp", ...place.args]);
    const out = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      out.stderr += text;
    });
    for (const line of [open, opened, call(2, "tools/list"), call(3, "prompts/list")])
      child.stdin.write(`${JSON.stringify(line)}\n`);
    child.stdin.end();
    await once(child, "close");
    expect(out.stderr).toBe("1 skill of this project waits until you trust it: skillet trust\n");
    const lines = out.stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as Answer).id)).toEqual(["open", 2, 3]);
    expect(out.stdout).not.toMatch(/trust|pdf/);
  });

  it("an empty session ends cleanly", async () => {
    const { code, answers, stderr } = await raw([]);
    expect([code, answers, stderr]).toEqual([0, [], ""]);
  });
});

describe("HTTP on this machine only", () => {
  let http: HttpServer;
  beforeAll(async () => {
    http = await httpServer(command, place);
  });
  afterAll(async () => void (await http?.close()));

  interface Reply {
    readonly status: number;
    readonly text: string;
  }

  function post(
    headers: Readonly<Record<string, string>>,
    body: string = JSON.stringify(open),
    path = "/mcp",
  ): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: http.url.port,
          path,
          method: "POST",
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...headers,
          },
        },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (part: string) => {
            text += part;
            // A stream stays open; its first message is enough.
            if (text.includes("\n\n")) response.destroy();
          });
          response.on("close", () => resolve({ status: response.statusCode ?? 0, text }));
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
  }

  it.each([
    ["another host's name (DNS rebinding)", { host: "evil.example" }, 403],
    ["another host's name with our port", { host: "evil.example:80" }, 403],
    ["a name that begins like ours", { host: "localhost.evil.example" }, 403],
    ["an address of the network", { host: "192.168.0.7" }, 403],
    ["a web page of another host", { origin: "https://evil.example" }, 403],
    ["a sandboxed web page", { origin: "null" }, 403],
    ["a page that begins like ours", { origin: "http://localhost.evil.example" }, 403],
    ["a form's kind of content", { "content-type": "text/plain" }, 415],
    ["a session that is not known", { "mcp-session-id": "nothing" }, 404],
    ["this machine", { host: "localhost:1" }, 200],
    ["a page of this machine", { origin: "http://localhost:6274" }, 200],
  ])("%s", async (_, headers, status) => {
    const reply = await post(headers);
    expect(reply.status).toBe(status);
    if (status === 403) expect(reply.text).not.toContain("pdf");
  });

  it("bodies that are too long, no JSON or for another path", async () => {
    expect((await post({}, "x".repeat(5 * 1024 * 1024)).catch(() => ({ status: 413 }))).status).toBe(413);
    expect((await post({}, "nonsense")).status).toBe(400);
    expect((await post({}, undefined, "/other")).status).toBe(404);
    expect((await post({})).status).toBe(200);
  });

  it("more sessions than it keeps: the oldest ends, new ones work", async () => {
    for (let count = 0; count < 80; count += 1) expect((await post({})).status).toBe(200);
  });

  it("a port that is taken is said, with a way out", async () => {
    const child = spawn(process.execPath, [command, "mcp", "--http", http.url.port, ...place.args]);
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    const [code] = (await once(child, "close")) as [number | null];
    expect([code, stderr.replace(/\s+/g, " ")]).toEqual([
      1,
      expect.stringContaining("cannot be had (EADDRINUSE)"),
    ]);
  });

  it("ends by a signal with open streams", async () => {
    expect(await http.close()).toBe(130);
    http = await httpServer(command, place);
  });
});
