import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { SearchDocument } from "../../core/search/search-index.ts";
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
  rmSync(folder, { recursive: true, force: true });
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
