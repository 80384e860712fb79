import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
  rmSync(folder, { recursive: true, force: true });
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

  test("--help and --models", async () => {
    expect((await run(["--help"])).out).toContain("--batch");
    usual = () => ({ body: { data: [{ id: "b" }, { id: "a" }] } });
    expect((await run([...local(), "--models"])).out).toBe("a\nb\n");
  });
});
