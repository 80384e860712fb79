#!/usr/bin/env node
// Calls a language model over HTTP. Node 20 or newer, no packages. `--help` tells the rest.
import { closeSync, existsSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { extname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const help = `Usage: llm-call.mjs --model NAME [options] [PROMPT]

Standard input, when it is a pipe or file, follows the prompt.

  --provider NAME     anthropic | openai (default: by the key that is set, or openai with --base-url)
  --base-url URL      an OpenAI-compatible server, e.g. http://localhost:11434/v1
  --model NAME        which model
  --models            list the models that the key may use
  --system TEXT       instructions apart from the prompt
  --file PATH         a text file or picture that goes with the prompt; repeatable
  --schema FILE       JSON Schema of the answer; the answer is then JSON
  --max-tokens N      longest answer (default 4096)
  --temperature N
  --batch FILE        JSON lines; {{field}} in the prompt is filled from each
  --out FILE          where a batch writes its answers (JSON lines)
  --parallel N        calls at once in a batch (default 4)
  --retries N         more tries after a failure of the server (default 4)
  --timeout SECONDS   for one call (default 120)
  --json              print the whole result, with tokens used
  --dry-run           print the request instead of sending it
  --help

Keys: ANTHROPIC_API_KEY, OPENAI_API_KEY. Addresses: ANTHROPIC_BASE_URL, OPENAI_BASE_URL.
Exit codes: 0 done, 1 the call or some rows failed, 2 wrong usage or no key, 130 stopped.`;

class Wrong extends Error {}
class Failed extends Error {
  constructor(message, { again = false, wait = null } = {}) {
    super(message);
    this.again = again;
    this.wait = wait;
  }
}

const pictures = { ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp" };
const largestFile = 10 * 1024 * 1024;

function options() {
  const text = { type: "string" };
  const flag = { type: "boolean" };
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        provider: text, "base-url": text, model: text, models: flag, system: text, file: { type: "string", multiple: true }, schema: text,
        "max-tokens": text, temperature: text, batch: text, out: text, parallel: text, retries: text, timeout: text,
        json: flag, "dry-run": flag, help: flag,
      },
    });
  } catch (error) {
    throw new Wrong(`${error.message.split(". ")[0]}. --help lists the options.`);
  }
  const { values, positionals } = parsed;
  const number = (name, fallback, { least = 0, whole = true } = {}) => {
    if (values[name] === undefined) return fallback;
    const value = Number(values[name]);
    if (!Number.isFinite(value) || value < least || (whole && !Number.isInteger(value)))
      throw new Wrong(`--${name} wants a ${whole ? "whole " : ""}number of at least ${least}, not ${JSON.stringify(values[name])}.`);
    return value;
  };
  return {
    ...values,
    prompt: positionals.join(" "),
    files: values.file ?? [],
    maxTokens: number("max-tokens", 4096, { least: 1 }),
    temperature: number("temperature", null, { whole: false }),
    parallel: number("parallel", 4, { least: 1 }),
    retries: number("retries", 4),
    timeout: number("timeout", 120, { least: 1 }),
    dryRun: values["dry-run"] === true,
    baseUrl: values["base-url"],
  };
}

function endpoint({ provider, baseUrl }) {
  const env = process.env;
  const kind = provider ?? (baseUrl ? "openai" : env.ANTHROPIC_API_KEY ? "anthropic" : env.OPENAI_API_KEY || env.OPENAI_BASE_URL ? "openai" : null);
  if (kind === null)
    throw new Wrong("No model to call: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a server with --base-url.");
  if (kind !== "anthropic" && kind !== "openai") throw new Wrong(`--provider is anthropic or openai, not ${JSON.stringify(kind)}.`);
  const anthropic = kind === "anthropic";
  const own = anthropic ? env.ANTHROPIC_BASE_URL : env.OPENAI_BASE_URL;
  const usual = anthropic ? "https://api.anthropic.com/v1" : "https://api.openai.com/v1";
  const given = baseUrl ?? own ?? usual;
  let base;
  try {
    base = new URL(given);
  } catch {
    throw new Wrong(`${JSON.stringify(given)} is no address. It looks like http://localhost:11434/v1.`);
  }
  if (base.protocol !== "http:" && base.protocol !== "https:") throw new Wrong(`The address has to begin with http:// or https://.`);
  const key = anthropic ? env.ANTHROPIC_API_KEY : env.OPENAI_API_KEY;
  if (!key && given === usual) throw new Wrong(`Set ${anthropic ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"} first.`);
  const path = base.href.replace(/\/+$/, "");
  const url = (name) => `${anthropic && !/\/v1$/.test(path) ? `${path}/v1` : path}/${name}`;
  const headers = { "content-type": "application/json" };
  if (anthropic) headers["anthropic-version"] = "2023-06-01";
  if (key) headers[anthropic ? "x-api-key" : "authorization"] = anthropic ? key : `Bearer ${key}`;
  return { anthropic, url, headers, host: base.host };
}

function readWhole(path) {
  try {
    if (statSync(path).size > largestFile) throw new Wrong(`${path} is larger than 10 MiB.`);
    return readFileSync(path);
  } catch (error) {
    if (error instanceof Wrong) throw error;
    throw new Wrong(`${path} can't be read (${error.code ?? error.message}).`);
  }
}

function attachments(files) {
  return files.map((path) => {
    const bytes = readWhole(path);
    const type = pictures[extname(path).toLowerCase()];
    if (type !== undefined) return { type, data: bytes.toString("base64") };
    try {
      return { name: path, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
    } catch {
      throw new Wrong(`${path} is neither UTF-8 text nor a picture (png, jpg, gif, webp).`);
    }
  });
}

function schemaOf(path) {
  if (path === undefined) return null;
  try {
    const schema = JSON.parse(readWhole(path).toString("utf8"));
    if (typeof schema !== "object" || schema === null || Array.isArray(schema)) throw new Wrong("no object");
    return schema;
  } catch (error) {
    throw new Wrong(`${path} is no JSON Schema: ${error.message}`);
  }
}

/** The request of one prompt, in the provider's form. */
function request(prompt, { anthropic, call, attached, schema }) {
  const texts = attached.filter(({ text }) => text !== undefined);
  const images = attached.filter(({ data }) => data !== undefined);
  const whole = [prompt, ...texts.map(({ name, text }) => `<file name=${JSON.stringify(name)}>\n${text}\n</file>`)].join("\n\n");
  const common = { model: call.model, ...(call.temperature === null ? {} : { temperature: call.temperature }) };
  if (anthropic) {
    const content = [
      ...images.map(({ type, data }) => ({ type: "image", source: { type: "base64", media_type: type, data } })),
      { type: "text", text: whole },
    ];
    return {
      ...common,
      max_tokens: call.maxTokens,
      ...(call.system === undefined ? {} : { system: call.system }),
      messages: [{ role: "user", content }],
      ...(schema === null
        ? {}
        : {
            tools: [{ name: "answer", description: "Give the answer.", input_schema: schema }],
            tool_choice: { type: "tool", name: "answer" },
          }),
    };
  }
  const content =
    images.length === 0
      ? whole
      : [
          { type: "text", text: whole },
          ...images.map(({ type, data }) => ({ type: "image_url", image_url: { url: `data:${type};base64,${data}` } })),
        ];
  return {
    ...common,
    max_completion_tokens: call.maxTokens,
    messages: [...(call.system === undefined ? [] : [{ role: "system", content: call.system }]), { role: "user", content }],
    ...(schema === null ? {} : { response_format: { type: "json_schema", json_schema: { name: "answer", schema } } }),
  };
}

async function send(url, { headers, body, method = "POST", timeout }) {
  let response;
  let text;
  try {
    response = await fetch(url, {
      method,
      headers,
      redirect: "error",
      signal: AbortSignal.timeout(timeout * 1000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (error) {
    const late = error.name === "TimeoutError";
    throw new Failed(
      late ? `${new URL(url).host} did not answer within ${timeout} s.` : `${new URL(url).host} can't be reached (${error.cause?.code ?? error.message}).`,
      { again: true },
    );
  }
  let value = null;
  try {
    value = JSON.parse(text);
  } catch {
    // Said below: what is no JSON is no answer either.
  }
  if (response.ok && value !== null) return value;
  const said = value?.error?.message ?? value?.message ?? text.slice(0, 300).trim();
  const wait = Number(response.headers.get("retry-after"));
  throw new Failed(`${new URL(url).host} answered ${response.status}: ${said || "nothing"}`, {
    again: response.status === 408 || response.status === 409 || response.status === 429 || response.status >= 500,
    wait: Number.isFinite(wait) && wait > 0 ? Math.min(wait, 60) : null,
  });
}

async function patiently(work, retries) {
  for (let attempt = 0; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Failed) || !error.again || attempt >= retries) throw error;
      await sleep(1000 * (error.wait ?? Math.min(0.5 * 2 ** attempt, 20)));
    }
  }
}

function answerOf(value, { anthropic, schema }) {
  const usage = { input: value.usage?.input_tokens ?? value.usage?.prompt_tokens ?? null, output: value.usage?.output_tokens ?? value.usage?.completion_tokens ?? null };
  const choice = value.choices?.[0];
  const stop = anthropic ? value.stop_reason : choice?.finish_reason;
  if (stop === "max_tokens" || stop === "length") throw new Failed("The answer was cut off: raise --max-tokens.");
  if (stop === "refusal" || choice?.message?.refusal) throw new Failed(`The model refused: ${choice?.message?.refusal ?? "no reason given"}`);
  if (anthropic && schema !== null) {
    const call = value.content?.find(({ type }) => type === "tool_use");
    if (call === undefined) throw new Failed("The model did not answer in the wanted form.");
    return { value: call.input, usage };
  }
  const text = anthropic
    ? (value.content ?? []).filter(({ type }) => type === "text").map((part) => part.text).join("")
    : choice?.message?.content;
  if (typeof text !== "string") throw new Failed("The server's answer holds no text.");
  if (schema === null) return { text, usage };
  try {
    return { value: JSON.parse(text.replace(/^\s*```(?:json)?\s*|\s*```\s*$/g, "")), usage };
  } catch {
    throw new Failed("The model did not answer with JSON.", { again: true });
  }
}

async function one(prompt, context) {
  const { call, target, attached, schema } = context;
  const body = request(prompt, { anthropic: target.anthropic, call, attached, schema });
  const url = target.url(target.anthropic ? "messages" : "chat/completions");
  return patiently(async () => answerOf(await send(url, { headers: target.headers, body, timeout: call.timeout }), { anthropic: target.anthropic, schema }), call.retries);
}

function linesOf(path) {
  return readWhole(path).toString("utf8").split("\n");
}

function rowsOf(path) {
  const ids = new Set();
  return linesOf(path).flatMap((line, index) => {
    if (line.trim() === "") return [];
    let row;
    try {
      row = JSON.parse(line);
    } catch (error) {
      throw new Wrong(`${path}:${index + 1} is no JSON: ${error.message}`);
    }
    if (typeof row !== "object" || row === null) throw new Wrong(`${path}:${index + 1} is no object.`);
    const id = String(row.id ?? index + 1);
    if (ids.has(id)) throw new Wrong(`${path}:${index + 1} has the id ${id} of an earlier line.`);
    ids.add(id);
    return [{ id, row }];
  });
}

/** Ids that have an answer; a last line that was cut off by a crash does not count. */
function answered(path) {
  if (!existsSync(path)) return new Set();
  return new Set(
    linesOf(path).flatMap((line) => {
      try {
        const { id, error } = JSON.parse(line);
        return error === undefined ? [String(id)] : [];
      } catch {
        return [];
      }
    }),
  );
}

function fill(prompt, row) {
  return prompt.replace(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name) => {
    if (!Object.hasOwn(row, name)) throw new Failed(`The row has no field ${JSON.stringify(name)}.`);
    return typeof row[name] === "string" ? row[name] : JSON.stringify(row[name]);
  });
}

async function batch(prompt, context) {
  const { call } = context;
  if (call.out === undefined) throw new Wrong("--batch needs --out FILE.");
  const rows = rowsOf(call.batch);
  const done = answered(call.out);
  const open = rows.filter(({ id }) => !done.has(id));
  const broken = existsSync(call.out) && statSync(call.out).size > 0 && linesOf(call.out).at(-1) !== "";
  const file = openSync(call.out, "a");
  if (broken) writeSync(file, "\n");
  let failed = 0;
  let finished = 0;
  const queue = open[Symbol.iterator]();
  const work = async () => {
    for (const { id, row } of queue) {
      let line;
      try {
        line = { id, ...(await one(fill(prompt, row), context)) };
      } catch (error) {
        if (!(error instanceof Failed)) throw error;
        failed++;
        line = { id, error: error.message };
      }
      writeSync(file, `${JSON.stringify(line)}\n`);
      finished++;
      if (process.stderr.isTTY) process.stderr.write(`\r${finished} of ${open.length}, ${failed} failed`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(call.parallel, open.length) }, work));
  closeSync(file);
  if (process.stderr.isTTY && open.length > 0) process.stderr.write("\n");
  process.stderr.write(`${rows.length} rows: ${rows.length - open.length} had an answer, ${finished - failed} answered now, ${failed} failed.\n`);
  return failed === 0 ? 0 : 1;
}

async function standardInput() {
  if (process.stdin.isTTY) return "";
  const status = (() => {
    try {
      return statSync("/dev/stdin");
    } catch {
      return null;
    }
  })();
  if (status !== null && !status.isFIFO() && !status.isFile() && !status.isSocket()) return "";
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}

async function main() {
  const call = options();
  if (call.help) {
    process.stdout.write(`${help}\n`);
    return 0;
  }
  const target = endpoint(call);
  if (call.models) {
    const { data = [] } = await patiently(() => send(target.url("models"), { method: "GET", headers: target.headers, timeout: call.timeout }), call.retries);
    process.stdout.write(data.map(({ id }) => `${id}\n`).sort().join(""));
    return 0;
  }
  if (call.model === undefined) throw new Wrong("--model is missing. --models lists those that the key may use.");
  const typed = call.batch === undefined ? await standardInput() : "";
  const prompt = [call.prompt, typed].filter((part) => part.trim() !== "").join("\n\n");
  if (prompt === "") throw new Wrong("There is no prompt.");
  const context = { call, target, attached: attachments(call.files), schema: schemaOf(call.schema) };
  if (call.dryRun) {
    const first = call.batch === undefined ? prompt : fill(prompt, rowsOf(call.batch)[0]?.row ?? {});
    const url = target.url(target.anthropic ? "messages" : "chat/completions");
    process.stdout.write(`${JSON.stringify({ url, body: request(first, { anthropic: target.anthropic, ...context }) }, null, 2)}\n`);
    return 0;
  }
  if (call.batch !== undefined) return batch(prompt, context);
  const answer = await one(prompt, context);
  const shown = call.json ? JSON.stringify({ model: call.model, ...answer }, null, 2) : (answer.text ?? JSON.stringify(answer.value, null, 2));
  process.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  return 0;
}

process.on("SIGINT", () => process.exit(130));
try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof Wrong) && !(error instanceof Failed)) throw error;
  process.stderr.write(`llm-call: ${error.message}\n`);
  process.exitCode = error instanceof Wrong ? 2 : 1;
}
