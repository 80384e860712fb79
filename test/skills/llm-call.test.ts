import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runScript, type ScriptRun } from "./run-script.ts";

// The script of the built-in skill `llm-call`, against a server that speaks both forms.

interface Seen {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Record<string, unknown>;
}
interface Reply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

let folder: string;
let seen: Seen[] = [];
let replies: ((seen: Seen) => Reply)[] = [];
let usual: (seen: Seen) => Reply;
let address: string;
const server = createServer((incoming, outgoing) => {
  let text = "";
  incoming.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
  });
  incoming.on("end", () => {
    const one = {
      path: incoming.url ?? "",
      headers: incoming.headers,
      body: text === "" ? {} : JSON.parse(text),
    };
    seen.push(one);
    const { status = 200, headers = {}, body } = (replies.shift() ?? usual)(one);
    outgoing.writeHead(status, { "content-type": "application/json", ...headers });
    outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
  });
});

const openai = (content: string, more: object = {}): Reply => ({
  body: {
    choices: [{ message: { content }, finish_reason: "stop", ...more }],
    usage: { prompt_tokens: 7, completion_tokens: 2 },
  },
});
const anthropic = (...content: object[]): Reply => ({
  body: { content, stop_reason: "end_turn", usage: { input_tokens: 5, output_tokens: 1 } },
});

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "skillet-llm-"));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});
beforeEach(() => {
  seen = [];
  replies = [];
  usual = () => openai("Yes.");
});

function run(
  args: readonly string[],
  options: { readonly env?: Record<string, string>; readonly input?: string } = {},
): Promise<ScriptRun> {
  return runScript("llm-call", args, { cwd: folder, ...options });
}

const local = (): readonly string[] => ["--base-url", `${address}/v1`, "--model", "small", "--retries", "2"];
const put = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
const lines = (name: string): readonly unknown[] =>
  readFileSync(join(folder, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as unknown);

describe("llm-call", () => {
  test("asks an OpenAI-compatible server, with instructions, a file and standard input", async () => {
    put("plan.md", "# Plan 计划\n");
    const answer = await run([...local(), "--system", "Be brief.", "--file", "plan.md", "Is it good?"], {
      input: "piped\n",
    });
    expect(answer).toEqual({ code: 0, out: "Yes.\n", err: "" });
    expect(seen.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
    expect(seen[0]?.headers.authorization).toBeUndefined();
    expect(seen[0]?.body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: 'Is it good?\n\npiped\n\n\n<file name="plan.md">\n# Plan 计划\n\n</file>' },
    ]);
  });

  test("asks Anthropic, with a picture and a schema, and shows no key", async () => {
    put("answer.json", '{"type":"object","properties":{"ok":{"type":"boolean"}}}');
    writeFileSync(join(folder, "dot.png"), Buffer.from([0x89, 0x50, 0x4e, 0x47]));
    usual = () => anthropic({ type: "tool_use", name: "answer", input: { ok: true } });
    const env = { ANTHROPIC_API_KEY: "secret-key", ANTHROPIC_BASE_URL: address };
    const args = ["--model", "m", "--schema", "answer.json", "--file", "dot.png", "--json", "Look."];
    const answer = await run(args, { env });
    expect(JSON.parse(answer.out)).toEqual({
      model: "m",
      value: { ok: true },
      usage: { input: 5, output: 1 },
    });
    expect(seen[0]).toMatchObject({ path: "/v1/messages", headers: { "x-api-key": "secret-key" } });
    expect(seen[0]?.body).toMatchObject({ max_tokens: 4096, tool_choice: { type: "tool", name: "answer" } });
    const dry = await run([...args, "--dry-run"], { env });
    expect([dry.code, dry.out.includes("secret-key"), seen.length]).toEqual([0, false, 1]);
  });

  test("tries again after 429 and 500, not after 401", async () => {
    replies = [
      () => ({ status: 429, headers: { "retry-after": "0.01" }, body: { error: { message: "slow down" } } }),
      () => ({ status: 500, body: "oops" }),
    ];
    expect((await run([...local(), "x"])).out).toBe("Yes.\n");
    expect(seen).toHaveLength(3);
    replies = [() => ({ status: 401, body: { error: { message: "bad key" } } })];
    const refused = await run([...local(), "x"]);
    expect([refused.code, refused.err, seen.length]).toEqual([
      1,
      expect.stringMatching(/^llm-call: 127\.0\.0\.1:\d+ answered 401: bad key\n$/),
      4,
    ]);
  });

  test("a batch goes on where it stopped, and one bad row costs no other", async () => {
    put("rows.jsonl", '{"id":"a","text":"one"}\n{"id":"b"}\n\n{"id":"c","text":"three"}\n');
    put("out.jsonl", '{"id":"a","text":"old"}\n{"id":"c","te');
    usual = ({ body }) => openai(JSON.stringify(body.messages).includes("three") ? "3" : "?");
    const args = [...local(), "--batch", "rows.jsonl", "--out", "out.jsonl", "Count {{text}}"];
    const first = await run(args);
    expect([first.code, first.err]).toEqual([1, "3 rows: 1 had an answer, 1 answered now, 1 failed.\n"]);
    expect(seen).toHaveLength(1);
    const written = readFileSync(join(folder, "out.jsonl"), "utf8")
      .trimEnd()
      .split("\n")
      .slice(2)
      .map((line) => JSON.parse(line));
    expect(written).toEqual(
      expect.arrayContaining([
        { id: "b", error: 'The row has no field "text".' },
        { id: "c", text: "3", usage: { input: 7, output: 2 } },
      ]),
    );
    put("rows.jsonl", '{"id":"a","text":"one"}\n{"id":"b","text":"two"}\n{"id":"c","text":"three"}\n');
    const second = await run(args);
    expect([second.code, second.err]).toEqual([0, "3 rows: 2 had an answer, 1 answered now, 0 failed.\n"]);
  });

  test("holds many calls at once within --parallel", async () => {
    put("many.jsonl", Array.from({ length: 40 }, (_, id) => JSON.stringify({ id, n: id })).join("\n"));
    usual = () => openai("ok");
    const answer = await run([
      ...local(),
      "--batch",
      "many.jsonl",
      "--out",
      "many.out",
      "--parallel",
      "8",
      "{{n}}",
    ]);
    expect([answer.code, lines("many.out").length]).toEqual([0, 40]);
  });

  test.each([
    [["--model", "m", "x"], 2, /Set|set ANTHROPIC_API_KEY/],
    [["--base-url", "nonsense", "--model", "m", "x"], 2, /no address/],
    [["--base-url", "http://127.0.0.1:1/v1", "x"], 2, /--model is missing/],
    [["--base-url", "http://127.0.0.1:1/v1", "--model", "m"], 2, /no prompt/],
    [
      ["--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--file", "nowhere.txt", "x"],
      2,
      /nowhere\.txt can't be read/,
    ],
    [
      ["--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--parallel", "none", "x"],
      2,
      /--parallel wants/,
    ],
    [["--base-url", "http://127.0.0.1:1/v1", "--model", "m", "--retries", "0", "x"], 1, /can't be reached/],
    [["--nonsense"], 2, /--help lists/],
  ])("says what is wrong: %j", async (args, code, said) => {
    const answer = await run(args);
    expect([answer.code, answer.out]).toEqual([code, ""]);
    expect(answer.err).toMatch(said);
  });

  test.each([
    ["cut off", openai("half", { finish_reason: "length" }), /raise --max-tokens/],
    ["no text", { body: {} }, /holds no text/],
    ["no JSON at all", { body: "<html>" }, /answered 200/],
  ])("an answer that is %s fails", async (_title, reply, said) => {
    usual = () => reply as Reply;
    const answer = await run([...local(), "x"]);
    expect([answer.code, answer.out]).toEqual([1, ""]);
    expect(answer.err).toMatch(said);
  });

  test.each([
    ["anthropic", "a text for content", { body: { content: "str" } }, /holds no text/],
    ["anthropic", "null for a part", { body: { content: [null] } }, /holds no text/],
    ["openai", "an empty text", openai(""), /holds no text/],
    ["openai", "a number", { body: 5 }, /something else than a JSON object: 5/],
    ["openai", "null", { body: null }, /something else than a JSON object/],
    [
      "openai",
      "an object for a message",
      { status: 400, body: { error: { message: { a: 1 } } } },
      /\{"a":1\}/,
    ],
  ])("%s: an answer with %s is said in one line", async (provider, _title, reply, said) => {
    usual = () => reply as Reply;
    const answer = await run([...local(), "--provider", provider, "x"]);
    expect([answer.code, answer.out]).toEqual([1, ""]);
    expect(answer.err).toMatch(said);
    expect(answer.err.trimEnd()).not.toContain("\n");
  });

  test.each([
    ["401, as it came", "OPENAI_API_KEY", 401, (key: string) => ({ error: { message: `Bad key ${key}.` } })],
    [
      "401, late in a long text",
      "OPENAI_API_KEY",
      401,
      (key: string) => `${"x".repeat(290)} ${key} ${"y".repeat(90)}`,
    ],
    [
      "400, as JSON in an object",
      "OPENAI_API_KEY",
      400,
      (key: string) => ({ error: { message: { got: key } } }),
    ],
    [
      "403, in an address",
      "ANTHROPIC_API_KEY",
      403,
      (key: string) => ({ error: { message: `?k=${encodeURIComponent(key)}` } }),
    ],
  ])("no message and no answer file holds the key: %s", async (_title, variable, status, body) => {
    const key = 'se+cr/et"key-0123456789';
    usual = () => ({ status, body: body(key) });
    put("one.jsonl", '{"id":"a"}\n');
    rmSync(join(folder, "one.out"), { force: true });
    const provider = variable === "OPENAI_API_KEY" ? "openai" : "anthropic";
    const args = [...local(), "--provider", provider];
    const single = await run([...args, "x"], { env: { [variable]: key } });
    const batch = await run([...args, "--batch", "one.jsonl", "--out", "one.out", "x"], {
      env: { [variable]: key },
    });
    const kept = readFileSync(join(folder, "one.out"), "utf8");
    expect([single.code, batch.code, seen.length]).toEqual([1, 1, 2]);
    expect(single.err).toContain("[key]");
    expect(kept).toContain("[key]");
    for (const text of [single.err, single.out, batch.err, kept])
      for (const part of [key, "se+cr/et", "se%2Bcr", 'et\\"key', "key-0123456789"])
        expect(text).not.toContain(part);
  });

  test("a key that no header can carry and a password in an address are refused unseen, before any call", async () => {
    const bad = await run([...local(), "x"], { env: { OPENAI_API_KEY: "first-half\nsecond-half" } });
    expect([bad.code, bad.err]).toEqual([
      2,
      expect.stringMatching(/^llm-call: OPENAI_API_KEY holds .*no key has\.\n$/),
    ]);
    for (const given of [
      address.replace("//", "//user:hidden@"),
      "http//user:hidden@host",
      "ftp://user:hidden@h",
    ]) {
      const answer = await run(["--base-url", given, "--model", "m", "x"]);
      expect([answer.code, answer.out]).toEqual([2, ""]);
      expect(answer.err).toContain("--base-url");
      expect(answer.err).not.toContain("hidden");
    }
    expect(seen).toEqual([]);
    const trimmed = await run([...local(), "x"], { env: { OPENAI_API_KEY: "good-key\r\n" } });
    expect([trimmed.code, seen[0]?.headers.authorization]).toEqual([0, "Bearer good-key"]);
  });

  test("what a server says cannot steer a terminal, and a redirect is not followed but named", async () => {
    const steering = "\u001b[31mred\u001b]0;title\u0007\nllm-call: all is well\u202e";
    usual = () => ({ status: 400, body: { error: { message: steering } } });
    expect((await run([...local(), "x"])).err).toMatch(/ answered 400: red llm-call: all is well\n$/);
    usual = () => ({ status: 307, headers: { location: "http://u:p@elsewhere.example/v1?k=1" }, body: "" });
    const moved = await run([...local(), "x"], { env: { OPENAI_API_KEY: "a-key" } });
    expect([moved.code, moved.err]).toEqual([
      1,
      expect.stringMatching(/307: it redirects to http:\/\/elsewhere\.example\/v1\. .*--base-url/),
    ]);
  });

  test("a query in the address stays one", async () => {
    await run(["--base-url", `${address}/v1/?api-version=7`, "--model", "m", "x"]);
    expect(seen[0]?.path).toBe("/v1/chat/completions?api-version=7");
  });

  test("--dry-run needs no key", async () => {
    const answer = await run(["--model", "m", "--dry-run", "Hello"]);
    expect([answer.code, answer.err]).toEqual([0, expect.stringContaining("no key is set")]);
    expect(JSON.parse(answer.out)).toMatchObject({
      url: "https://api.openai.com/v1/chat/completions",
      body: { messages: [{ content: "Hello" }] },
    });
  });

  test.each([
    [["--timeout", "3000000"], /--timeout wants .* to 86400/],
    [["--retries", "1e2"], /--retries wants a whole number/],
    [["--parallel", "1.5"], /--parallel wants a whole number/],
    [["--temperature", "9"], /--temperature wants/],
    [["--batch", "same.jsonl", "--out", "same.jsonl"], /--out is same\.jsonl, which is read/],
    [["--batch", "same.jsonl", "--out", "./link.jsonl"], /--out is same\.jsonl, which is read/],
    [["--batch", "same.jsonl", "--out", "no/such/folder/x"], /can't be written \(ENOENT\)/],
    [["--batch", "same.jsonl", "--out", "notes.md"], /holds no answers/],
    [["--batch", "same.jsonl", "--out", "."], /is no file/],
  ])("wrong use is said before any call: %j", async (args, said) => {
    const before = put("same.jsonl", '{"id":"a"}\n');
    put("notes.md", "# Notes\n\nMine.\n");
    rmSync(join(folder, "link.jsonl"), { force: true });
    symlinkSync(join(folder, "same.jsonl"), join(folder, "link.jsonl"));
    const answer = await run([...local(), ...args, "x"]);
    expect([answer.code, answer.out, seen.length]).toEqual([2, "", 0]);
    expect(answer.err).toMatch(said);
    expect(readFileSync(join(folder, before), "utf8")).toBe('{"id":"a"}\n');
    expect(readFileSync(join(folder, "notes.md"), "utf8")).toBe("# Notes\n\nMine.\n");
  });

  test("a batch goes on from answers of more than 10 MiB, whatever signs they hold", async () => {
    const text = `${"漢字 \u2028".repeat(20_000)}`;
    const line = (id: number): string => `${JSON.stringify({ id: String(id), text })}\n`;
    put("large.out", Array.from({ length: 60 }, (_, id) => line(id)).join(""));
    put("large.jsonl", Array.from({ length: 61 }, (_, id) => JSON.stringify({ id })).join("\n"));
    const answer = await run([...local(), "--batch", "large.jsonl", "--out", "large.out", "x"]);
    expect([answer.code, answer.err]).toEqual([0, "61 rows: 60 had an answer, 1 answered now, 0 failed.\n"]);
  });

  test("an open and silent standard input does not hold a prompt back", async () => {
    const script = fileURLToPath(
      new URL("../../skills/general/llm-call/scripts/llm-call.mjs", import.meta.url),
    );
    const child = spawn(process.execPath, [script, ...local(), "x"], { stdio: ["pipe", "pipe", "pipe"] });
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    const code = await new Promise((done) => child.on("close", done));
    child.stdin.destroy();
    expect([code, out]).toEqual([0, "Yes.\n"]);
  });

  test("a reader that goes away early is no failure", async () => {
    usual = () => openai("long ".repeat(100_000));
    const script = fileURLToPath(
      new URL("../../skills/general/llm-call/scripts/llm-call.mjs", import.meta.url),
    );
    const child = spawn(process.execPath, [script, ...local(), "--no-stdin", "x"], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.stdout.once("data", () => child.stdout.destroy());
    const code = await new Promise((done) => child.on("close", done));
    expect([code, err]).toEqual([0, ""]);
  });

  test("--models with another answer than a list is said", async () => {
    usual = () => ({ body: { data: {} } });
    const answer = await run([...local(), "--models"]);
    expect([answer.code, answer.err]).toEqual([1, expect.stringContaining("no list of models")]);
  });

  test("--help and --models", async () => {
    expect((await run(["--help"])).out).toContain("--batch");
    usual = () => ({ body: { data: [{ id: "b" }, { id: "a" }] } });
    expect((await run([...local(), "--models"])).out).toBe("a\nb\n");
  });
});
