import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SearchDocument } from "../../core/search/search-index.ts";
import type { Embedder } from "../../core/search/semantic.ts";
import { cachedEmbedder } from "./embedding-cache.ts";
import { openaiEmbedder } from "./openai-embedder.ts";
import { createSemanticSearch } from "./semantic-search.ts";

/** Two meanings: one direction each. */
const groups = [/bread|oven|loaf|dough/, /bicycle|wheel|spoke|two-wheeler/];
let server: Server;
let url = "";
const asked: { readonly input: readonly string[]; readonly key: string | undefined }[] = [];
let broken = false;

beforeAll(async () => {
  server = createServer((request, response) => {
    let text = "";
    request.on("data", (part) => {
      text += part;
    });
    request.on("end", () => {
      const { input, model } = JSON.parse(text) as { input: string[]; model: string };
      asked.push({ input, key: request.headers.authorization });
      if (broken) {
        response.writeHead(503).end("{}");
        return;
      }
      const data = input.map((one, index) => ({
        index,
        embedding: groups.map((group) => (group.test(one) ? 1 : 0.1)),
      }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", model, data: data.reverse() }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`;
});
const folder = mkdtempSync(join(tmpdir(), "skillet-vectors-"));
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const skill = (name: string, description: string): SearchDocument => ({
  name,
  location: `/${name}`,
  aliases: [],
  localized: [],
  description,
  whenToUse: "",
  body: "",
});
const documents = [
  skill("baker", "Shape the dough and heat the oven."),
  skill("mechanic", "Mend a bicycle and its wheel."),
  skill("guide", "Where a two-wheeled tour may lead; no loaf of words."),
];
const open = () =>
  createSemanticSearch(documents, {
    embedder: cachedEmbedder(openaiEmbedder({ url, model: "small", key: "secret" }), folder),
  });

it("finds by meaning what shares no word, and asks for each text once", async () => {
  const search = open();
  const { results, failed } = await search.search("a spoke is loose");
  expect(failed).toBeNull();
  expect(results[0]).toMatchObject({ name: "mechanic", probability: 0, reason: "close in meaning" });
  expect(asked.every(({ key }) => key === "Bearer secret")).toBe(true);
  const before = asked.length;
  expect((await open().search("a spoke is loose")).results).toEqual(results);
  expect(asked.length).toBe(before);
});

it("keeps a skill that is asked for by name first, and the order by words at weight 0", async () => {
  expect((await open().search("/guide with a spoke")).results[0]?.name).toBe("guide");
  const { results } = await open().search("mend the oven", { weight: 0 });
  expect(results.map(({ name }) => name).sort()).toEqual(["baker", "mechanic"]);
});

it("goes on by words alone when the address fails or a kept vector is damaged", async () => {
  for (const part of readdirSync(folder).filter((name) => name.length === 2))
    for (const file of readdirSync(join(folder, part))) writeFileSync(join(folder, part, file), "x");
  broken = true;
  const { results, failed } = await open().search("mend a wheel");
  expect(results[0]?.name).toBe("mechanic");
  expect(failed).toContain("status 503");
  broken = false;
  expect((await open().search("mend a wheel")).failed).toBeNull();
});

describe("an embedder that takes its time", () => {
  const slow = () => {
    let release = (): void => {};
    const gate = new Promise<void>((done) => {
      release = done;
    });
    const calls: (readonly string[])[] = [];
    const embedder: Embedder = {
      id: "slow",
      embed: async (texts) => {
        calls.push(texts);
        await gate;
        return texts.map((text) => Float32Array.from(groups.map((group) => (group.test(text) ? 1 : 0.1))));
      },
    };
    return { release, calls, search: createSemanticSearch(documents, { embedder }) };
  };

  it("is not waited for longer than the request wants, and goes on for the next one", async () => {
    const { release, calls, search } = slow();
    const { results, failed } = await search.search("mend a spoke", { timeout: 20 });
    expect(failed).toBe("no answer within 20 ms");
    expect(results[0]).not.toHaveProperty("meaning");
    release();
    const later = await search.search("mend a spoke", { timeout: 60_000 });
    expect([later.failed, later.results[0]?.meaning === undefined]).toEqual([null, false]);
    expect(calls.map(({ length }) => length)).toEqual([documents.length, 1]);
  });

  it("is left by a search that is called off, while others go on", async () => {
    const { release, calls, search } = slow();
    const end = new AbortController();
    const other = search.search("a spoke is loose");
    const stopped = search.search("a spoke is loose", { signal: end.signal });
    end.abort(new Error("enough"));
    await expect(stopped).rejects.toThrow("enough");
    release();
    expect((await other).results[0]?.name).toBe("mechanic");
    expect(calls).toHaveLength(2);
    await expect(search.search("a spoke", { signal: end.signal })).rejects.toThrow("enough");
  });
});

it("an address is left at once when its work is called off, and what came before is told", async () => {
  const end = new AbortController();
  const silent = createServer(() => end.abort(new Error("enough")));
  await new Promise<void>((done) => silent.listen(0, "127.0.0.1", done));
  const place = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`;
  const asking = openaiEmbedder({ url: place, model: "small" }).embed(["a"], { signal: end.signal });
  await expect(asking).rejects.toThrow("enough");
  silent.closeAllConnections();
  silent.close();
  const told: number[] = [];
  await openaiEmbedder({ url, model: "small", key: "secret" }).embed(["a", "b"], {
    onVector: (at) => void told.push(at),
  });
  expect(told).toEqual([0, 1]);
});

it("puts prefixes in front of requests and skills, each with its own", async () => {
  asked.length = 0;
  const embedder = openaiEmbedder({
    url,
    model: "small",
    requestPrefix: "query: ",
    documentPrefix: "passage: ",
  });
  await createSemanticSearch(documents, { embedder }).search("a spoke is loose");
  const texts = asked.flatMap(({ input }) => input);
  expect(texts.filter((text) => text.startsWith("passage: "))).toHaveLength(documents.length);
  expect(texts).toContain("query: a spoke is loose");
});

it("says when vectors are missing, and keeps those that came", async () => {
  const own = mkdtempSync(join(tmpdir(), "skillet-vectors-"));
  const few: Embedder = { id: "few", embed: async () => [Float32Array.of(1)] };
  await expect(cachedEmbedder(few, own).embed(["a", "bb"])).rejects.toThrow("fewer vectors than texts");
  expect(await cachedEmbedder(few, own).embed(["a"])).toEqual([Float32Array.of(1)]);
  rmSync(own, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

it("an answer without end is left, by time or by size", async () => {
  const flood = createServer((request, response) => {
    request.resume();
    const more = (): void => {
      while (!response.destroyed && response.write(" ".repeat(1024 * 1024)));
    };
    response.on("drain", more).on("error", () => {});
    more();
  });
  await new Promise<void>((done) => flood.listen(0, "127.0.0.1", done));
  const place = `http://127.0.0.1:${(flood.address() as AddressInfo).port}/v1`;
  const asking = (timeout: number) => openaiEmbedder({ url: place, model: "small", timeout }).embed(["a"]);
  await expect(asking(60_000)).rejects.toThrow(/gave no vectors: an answer of more than 64 MB/);
  await expect(asking(5)).rejects.toThrow(/gave no vectors/);
  flood.closeAllConnections();
  await new Promise((done) => flood.close(done));
});
