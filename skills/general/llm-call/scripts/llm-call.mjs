#!/usr/bin/env node
// Calls a language model over HTTP. Node 20 or newer, no packages. `--help` tells the rest.
import { closeSync, openSync, readFileSync, readSync, realpathSync, statSync, writeSync } from "node:fs";
import { extname } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

const help = `Usage: llm-call.mjs --model NAME [options] [PROMPT]

Standard input, when it is a pipe or file, follows the prompt; --no-stdin leaves it alone.

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
  --dry-run           print the request instead of sending it; needs no key
  --no-stdin          do not read standard input
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
const largestBatch = 256 * 1024 * 1024;

/** What must not be in any message: keys, and the password of an address. Forms in which a server may give them back. */
const secrets = new Set();
function keepSecret(value) {
  for (const form of [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)]) if (form.length > 3) secrets.add(form);
}

/** A server's or system's words in one line of at most `most` signs, without secrets and without orders to a terminal. */
function clean(text, most = 300) {
  const known = [...secrets].sort((one, other) => other.length - one.length).reduce((left, secret) => left.replaceAll(secret, "[key]"), text);
  const plain = known
    .replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\))/g, "")
    .replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\s]+/g, " ")
    .trim();
  const signs = [...plain];
  return signs.length > most ? `${signs.slice(0, most).join("")}…` : plain;
}

/** Any JSON value as words: what should be a text and is none is shown as it came. */
function words(value) {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value).slice(0, 2000);
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

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
        json: flag, "dry-run": flag, "no-stdin": flag, help: { type: "boolean", short: "h" },
      },
    });
  } catch (error) {
    throw new Wrong(`${error.message.split(". ")[0]}. --help lists the options.`);
  }
  const { values, positionals } = parsed;
  const number = (name, fallback, { least = 0, most, whole = true } = {}) => {
    if (values[name] === undefined) return fallback;
    const value = (whole ? /^\d+$/ : /^\d+(?:\.\d+)?$/).test(values[name]) ? Number(values[name]) : Number.NaN;
    if (!(value >= least && value <= most))
      throw new Wrong(`--${name} wants a ${whole ? "whole " : ""}number from ${least} to ${most}, not ${JSON.stringify(values[name])}.`);
    return value;
  };
  return {
    ...values,
    prompt: positionals.join(" "),
    files: values.file ?? [],
    maxTokens: number("max-tokens", 4096, { least: 1, most: 10_000_000 }),
    temperature: number("temperature", null, { most: 2, whole: false }),
    parallel: number("parallel", 4, { least: 1, most: 256 }),
    retries: number("retries", 4, { most: 100 }),
    timeout: number("timeout", 120, { least: 1, most: 86_400 }),
    dryRun: values["dry-run"] === true,
    noStdin: values["no-stdin"] === true,
    baseUrl: values["base-url"],
  };
}

/** A key from the environment, without the line break that a file or a copy leaves at its end; null when there is none. */
function keyOf(name) {
  const key = process.env[name]?.trim() ?? "";
  if (key === "") return null;
  keepSecret(key);
  if (!/^[\x21-\x7e]+$/.test(key)) throw new Wrong(`${name} holds a space, a line break or another sign that no key has.`);
  return key;
}

/** The address that calls go to. What is wrong with it is said without showing it: it may hold a password. */
function addressOf(given, from) {
  let base;
  try {
    base = new URL(given);
  } catch {
    throw new Wrong(`${from} is no address. It looks like http://localhost:11434/v1.`);
  }
  if (base.protocol !== "http:" && base.protocol !== "https:") throw new Wrong(`${from} has to begin with http:// or https://.`);
  if (base.username !== "" || base.password !== "")
    throw new Wrong(`${from} holds a user name or password. Leave them out; a key goes into OPENAI_API_KEY or ANTHROPIC_API_KEY.`);
  for (const value of base.searchParams.values()) keepSecret(value);
  return base;
}

function endpoint({ provider, baseUrl, dryRun }) {
  const env = process.env;
  const keys = { anthropic: keyOf("ANTHROPIC_API_KEY"), openai: keyOf("OPENAI_API_KEY") };
  const known = provider ?? (baseUrl ? "openai" : keys.anthropic ? "anthropic" : keys.openai || env.OPENAI_BASE_URL ? "openai" : null);
  if (known === null && !dryRun)
    throw new Wrong("No model to call: set ANTHROPIC_API_KEY or OPENAI_API_KEY, or name a server with --base-url.");
  if (known === null) process.stderr.write("llm-call: no key is set; shown in the form of openai (--provider changes it).\n");
  const kind = known ?? "openai";
  if (kind !== "anthropic" && kind !== "openai") throw new Wrong(`--provider is anthropic or openai, not ${JSON.stringify(kind)}.`);
  const anthropic = kind === "anthropic";
  const variable = anthropic ? "ANTHROPIC_BASE_URL" : "OPENAI_BASE_URL";
  const own = env[variable] || undefined;
  const usual = anthropic ? "https://api.anthropic.com/v1" : "https://api.openai.com/v1";
  const base = addressOf(baseUrl ?? own ?? usual, baseUrl === undefined ? variable : "--base-url");
  const key = keys[kind];
  if (!key && !dryRun && (baseUrl ?? own ?? usual) === usual) throw new Wrong(`Set ${anthropic ? "ANTHROPIC_API_KEY" : "OPENAI_API_KEY"} first.`);
  const path = base.pathname.replace(/\/+$/, "");
  const url = (name) => `${base.origin}${anthropic && !/\/v1$/.test(path) ? `${path}/v1` : path}/${name}${base.search}`;
  const headers = { "content-type": "application/json" };
  if (anthropic) headers["anthropic-version"] = "2023-06-01";
  if (key) headers[anthropic ? "x-api-key" : "authorization"] = anthropic ? key : `Bearer ${key}`;
  return { anthropic, url, headers };
}

function readWhole(path, most = largestFile) {
  try {
    const stat = statSync(path);
    if (!stat.isFile()) throw new Wrong(`${path} is no file.`);
    if (stat.size > most) throw new Wrong(`${path} is larger than ${most / 1024 / 1024} MiB.`);
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
  const { host } = new URL(url);
  let response;
  let text;
  try {
    response = await fetch(url, {
      method,
      headers,
      redirect: "manual",
      signal: AbortSignal.timeout(timeout * 1000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    text = await response.text();
  } catch (error) {
    const late = error.name === "TimeoutError";
    throw new Failed(
      late ? `${host} did not answer within ${timeout} s.` : `${host} can't be reached (${clean(words(error.cause?.code ?? error.message))}).`,
      { again: true },
    );
  }
  if (response.status >= 300 && response.status < 400) throw new Failed(`${host} answered ${response.status}: ${redirection(response, url)}`);
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    // Said below: what is no JSON is no answer either.
  }
  if (response.ok && isObject(value)) return value;
  const said = clean(words(value?.error?.message ?? value?.error ?? value?.message ?? text));
  const wait = Number(response.headers.get("retry-after"));
  throw new Failed(`${host} answered ${response.status}${response.ok ? " with something else than a JSON object" : ""}: ${said || "nothing"}`, {
    again: response.status === 408 || response.status === 409 || response.status === 429 || response.status >= 500,
    wait: Number.isFinite(wait) && wait > 0 ? Math.min(wait, 60) : null,
  });
}

/** Keys are not sent to an address that only a server names. */
function redirection(response, url) {
  const to = response.headers.get("location");
  if (to === null) return "it redirects without saying where to.";
  if (!URL.canParse(to, url)) return "it redirects to what is no address.";
  const { origin, pathname } = new URL(to, url);
  return clean(`it redirects to ${origin}${pathname}. If that is right, name the address with --base-url.`);
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
  const parts = (Array.isArray(value.content) ? value.content : []).filter(isObject);
  const usage = { input: value.usage?.input_tokens ?? value.usage?.prompt_tokens ?? null, output: value.usage?.output_tokens ?? value.usage?.completion_tokens ?? null };
  const choice = value.choices?.[0];
  const stop = anthropic ? value.stop_reason : choice?.finish_reason;
  if (stop === "max_tokens" || stop === "length") throw new Failed("The answer was cut off: raise --max-tokens.");
  if (stop === "refusal" || choice?.message?.refusal) throw new Failed(`The model refused: ${clean(words(choice?.message?.refusal)) || "no reason given"}`);
  if (anthropic && schema !== null) {
    const call = parts.find(({ type }) => type === "tool_use");
    if (call === undefined) throw new Failed("The model did not answer in the wanted form.");
    return { value: call.input, usage };
  }
  const text = anthropic
    ? parts.filter(({ type, text }) => type === "text" && typeof text === "string").map((part) => part.text).join("")
    : choice?.message?.content;
  if (typeof text !== "string" || text === "") throw new Failed("The server's answer holds no text.");
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

function rowsOf(path) {
  const ids = new Set();
  return readWhole(path, largestBatch).toString("utf8").split("\n").flatMap((line, index) => {
    if (line.trim() === "") return [];
    let row;
    try {
      row = JSON.parse(line);
    } catch (error) {
      throw new Wrong(`${path}:${index + 1} is no JSON: ${error.message}`);
    }
    if (!isObject(row)) throw new Wrong(`${path}:${index + 1} is no object.`);
    const id = String(row.id ?? index + 1);
    if (ids.has(id)) throw new Wrong(`${path}:${index + 1} has the id ${id} of an earlier line.`);
    ids.add(id);
    return [{ id, row }];
  });
}

/** Lines of a file of any size. */
function* linesOf(path) {
  const file = openSync(path, "r");
  try {
    const decoder = new StringDecoder("utf8");
    const buffer = Buffer.alloc(1024 * 1024);
    let open = [];
    for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer)) {
      const [first, ...others] = decoder.write(buffer.subarray(0, count)).split("\n");
      open.push(first);
      for (const other of others) {
        yield open.join("");
        open = [other];
      }
    }
    if (open.join("") !== "") yield open.join("");
  } finally {
    closeSync(file);
  }
}

/** Ids that have an answer in the file of an earlier run, and whether its last line was cut off by a crash. */
function earlier(path) {
  const done = new Set();
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined || (stat.isFile() && stat.size === 0)) return { done, cut: false };
  if (!stat.isFile()) throw new Wrong(`--out ${path} is no file.`);
  let foreign = 0;
  let own = 0;
  for (const line of linesOf(path)) {
    let answer = null;
    try {
      answer = JSON.parse(line);
    } catch {
      // Cut off, or not ours.
    }
    const ours = isObject(answer) && Object.hasOwn(answer, "id") && ["text", "value", "error"].some((name) => Object.hasOwn(answer, name));
    if (!ours) {
      foreign++;
      continue;
    }
    own++;
    if (answer.error === undefined) done.add(String(answer.id));
  }
  if (own === 0 && foreign > 1) throw new Wrong(`--out ${path} exists and holds no answers of a batch. Name another file.`);
  const file = openSync(path, "r");
  const last = Buffer.alloc(1);
  readSync(file, last, 0, 1, stat.size - 1);
  closeSync(file);
  return { done, cut: last[0] !== 10 };
}

/** The file of answers, opened for adding; none of the files that are read. */
function openOut(call) {
  const same = [call.batch, call.schema, ...call.files].find((path) => path !== undefined && real(path) === real(call.out));
  if (same !== undefined) throw new Wrong(`--out is ${same}, which is read. Name another file.`);
  const { done, cut } = earlier(call.out);
  let file;
  try {
    file = openSync(call.out, "a");
  } catch (error) {
    throw new Wrong(`--out ${call.out} can't be written (${error.code ?? error.message}).`);
  }
  if (cut) writeSync(file, "\n");
  return { file, done };
}

function real(path) {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
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
  const { file, done } = openOut(call);
  const open = rows.filter(({ id }) => !done.has(id));
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
        line = { id, error: clean(error.message, 4000) };
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

/**
 * Standard input when it is a pipe or file. A program that starts this one often leaves its end of a socket open and
 * silent: beside a prompt that one is waited for only some seconds. A pipe of the shell is waited for, aloud.
 */
async function standardInput(hasPrompt) {
  if (process.stdin.isTTY) return "";
  const stat = (() => {
    try {
      return statSync("/dev/stdin");
    } catch {
      return null;
    }
  })();
  if (stat !== null && !stat.isFIFO() && !stat.isFile() && !stat.isSocket()) return "";
  const chunks = [];
  const read = (async () => {
    for await (const chunk of process.stdin) chunks.push(chunk);
    return true;
  })();
  const silent = hasPrompt ? sleep(3000, false, { ref: false }) : read;
  if ((await Promise.race([read, silent])) === false && chunks.length === 0) {
    if (stat?.isSocket()) {
      process.stderr.write("llm-call: standard input is open and silent; going on without it.\n");
      process.stdin.destroy();
      read.catch(() => {});
      return "";
    }
    process.stderr.write("llm-call: waiting for standard input; --no-stdin leaves it alone.\n");
  }
  await read;
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
    const { data } = await patiently(() => send(target.url("models"), { method: "GET", headers: target.headers, timeout: call.timeout }), call.retries);
    if (!Array.isArray(data)) throw new Failed("The server's answer holds no list of models.");
    const ids = data.filter((one) => typeof one?.id === "string").map(({ id }) => `${clean(id)}\n`);
    process.stdout.write(ids.sort().join(""));
    return 0;
  }
  if (call.model === undefined) throw new Wrong("--model is missing. --models lists those that the key may use.");
  const typed = call.batch === undefined && !call.noStdin ? await standardInput(call.prompt.trim() !== "") : "";
  const prompt = [call.prompt, typed].filter((part) => part.trim() !== "").join("\n\n");
  if (prompt === "") throw new Wrong("There is no prompt.");
  const context = { call, target, attached: attachments(call.files), schema: schemaOf(call.schema) };
  if (call.dryRun) {
    const first = call.batch === undefined ? prompt : fill(prompt, rowsOf(call.batch)[0]?.row ?? {});
    const url = target.url(target.anthropic ? "messages" : "chat/completions");
    process.stdout.write(`${JSON.stringify({ url: clean(url, 4000), body: request(first, { anthropic: target.anthropic, ...context }) }, null, 2)}\n`);
    return 0;
  }
  if (call.batch !== undefined) return batch(prompt, context);
  const answer = await one(prompt, context);
  const shown = call.json ? JSON.stringify({ model: call.model, ...answer }, null, 2) : (answer.text ?? JSON.stringify(answer.value, null, 2));
  process.stdout.write(shown.endsWith("\n") ? shown : `${shown}\n`);
  return 0;
}

process.on("SIGINT", () => process.exit(130));
process.stdout.on("error", (error) => process.exit(error.code === "EPIPE" ? 0 : 1));
try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`llm-call: ${clean(error.message ?? String(error), 4000)}\n`);
  if (process.env.DEBUG && !(error instanceof Wrong) && !(error instanceof Failed)) process.stderr.write(`${String(error.stack)}\n`);
  process.exitCode = error instanceof Wrong ? 2 : 1;
}
