import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createSemanticSearch, onnxEmbedder } from "../../src/index.ts";
import { sandbox } from "../cli/run-skillet.ts";
import { noRuntime, packagesFolder, wordTable, writeModelFolder } from "./model-folder.ts";
import { workshop } from "./workshop.ts";

const place = sandbox();
const vectors = join(place.data, "cache/vectors");
const model = join(place.home, "models/words");
const page = "docs/diagnostics/search-words-alone.md";
const groups = [
  ["bread", "oven", "loaf", "dough", "面包"],
  ["bicycle", "wheel", "spoke", "两轮车"],
];

const semantic = (more: object = {}): object => ({ folder: "~/models/words", weight: 0.8, ...more });
const settings = (value: unknown): void =>
  place.write({
    "~/.config/skillet/skillet.jsonc": JSON.stringify({ search: { semantic: value } }, null, 2),
  });
const run = (args: readonly string[], { packages = true }: { readonly packages?: boolean } = {}) => {
  const path = packages && packagesFolder !== undefined ? ["--env", `NODE_PATH=${packagesFolder}`] : [];
  return place.run(["--trust", ...path, ...args]);
};
interface Answer {
  readonly semantic?: { readonly model: string; readonly file?: string; readonly used: boolean };
  readonly results: readonly {
    readonly name: string;
    readonly reason: string;
    readonly meaning?: { readonly similarity: number; readonly share: number };
  }[];
}
const query = ["search", "a", "spoke", "is", "loose", "--json"];
const answerTo = async (args: readonly string[]): Promise<Answer> =>
  JSON.parse((await run(args)).stdout) as Answer;

beforeAll(() => {
  const characters = [...new Set([...groups.flat().join("")].filter((one) => one > "\u3000"))];
  const words = [...groups.flat().filter((word) => word < "\u3000"), ...characters, "the", "a", "is", "."];
  const table = wordTable(words, 3, (word, column) => {
    const group = groups.findIndex((one) =>
      one.some((other) => other === word || (word > "\u3000" && other.includes(word))),
    );
    return group < 0 ? 0.01 : column === group ? 1 : 0;
  });
  writeModelFolder(model, table);
  place.write(workshop);
});
beforeEach(() => {
  rmSync(vectors, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  settings(semantic());
});
afterAll(() => place.remove());

describe.skipIf(noRuntime !== null)(`search by a model in a folder (${noRuntime ?? "run for real"})`, () => {
  it("finds by meaning what shares no word, in three commands", async () => {
    const { code, stdout, stderr } = await run(query);
    expect([code, stderr]).toEqual([0, ""]);
    const answer = JSON.parse(stdout) as Answer;
    expect(answer.semantic).toEqual({ model: "words", file: "model.onnx", used: true });
    expect(answer.results[0]).toMatchObject({ name: "mechanic", reason: "close in meaning" });
    expect((await answerTo(["a spoke is loose", "--json"])).results[0]?.name).toBe("mechanic");
    expect((await run(["a spoke is loose"])).stdout).toContain("mechanic comes closest");
    const args = ["eval", join(place.project, "set"), "--json"];
    const measured = JSON.parse((await run(args)).stdout);
    expect(measured.semantic).toEqual({ model: "words", file: "model.onnx", used: true });
    expect(measured.sets[0].metrics.hit1.value).toBe(1);
    settings({});
    expect(JSON.parse((await run(args)).stdout).sets[0].metrics.hit1.value).toBe(0.5);
  });

  it("shows the share of meaning, and compares across languages", async () => {
    const { results } = await answerTo([...query, "--explain"]);
    expect(results[0]?.meaning?.share).toBe(1);
    expect((await run(["search", "a spoke is loose", "--explain"])).stdout).toMatch(
      /mechanic.*\n\s+meaning: 100 %/,
    );
    expect((await answerTo(["search", "两轮车", "--json"])).results[0]?.name).toBe("mechanic");
    expect((await answerTo(["search", "面包 🙂", "--json"])).results[0]?.name).toBe("baker");
  });

  it("puts the prefixes of the setting in front of requests and skills", async () => {
    settings(semantic({ requestPrefix: "bread bread bread bread " }));
    expect((await answerTo(query)).results[0]?.name).toBe("baker");
    // Where texts are cut behind the prefix, no skill is closer than another.
    const closeness = async (): Promise<readonly (number | undefined)[]> => {
      const { results } = await answerTo(["search", "dough", "bicycle", "tour", "--json", "--explain"]);
      return results.map(({ meaning }) => meaning?.similarity);
    };
    settings(semantic());
    expect(new Set(await closeness()).size).toBe(3);
    place.write({ "~/models/words/sentence_bert_config.json": '{ "max_seq_length": 5 }' });
    settings(semantic({ documentPrefix: "the the bread " }));
    const same = await closeness();
    rmSync(join(model, "sentence_bert_config.json"));
    expect([same.length, new Set(same).size]).toEqual([3, 1]);
  });

  it("runs nothing where all vectors are kept, also in another process", async () => {
    const first = (await run(query)).stdout;
    expect(readdirSync(vectors).length).toBeGreaterThan(0);
    const root = fileURLToPath(new URL("../..", import.meta.url));
    const places = ["--home", place.home, "--data", place.data, "--cwd", place.project];
    const other = spawnSync(
      process.execPath,
      ["--import", "tsx", "src/bin/skillet.ts", "--trust", ...places, ...query],
      {
        cwd: root,
        encoding: "utf8",
        env: { PATH: process.env.PATH ?? "", LC_ALL: "C.UTF-8", SKILLET_DISABLE_BUILTIN_SKILLS: "1" },
      },
    );
    expect([other.stderr, other.status]).toEqual(["", 0]);
    expect(other.stdout).toBe(first);
    // A text that nobody embedded yet needs the packages.
    const { stdout, stderr } = await run(["search", "a", "loaf", "--json"], { packages: false });
    expect((JSON.parse(stdout) as Answer).semantic?.used).toBe(false);
    expect(stderr).toContain("npm install");
  });

  it("asks a model that was exchanged for all vectors again", async () => {
    await run(query);
    const swapped = wordTable(["spoke", "oven", "dough", "the", "a"], 2, (word, column) =>
      (["spoke", "oven", "dough"].includes(word) ? 0 : 1) === column ? 1 : 0,
    );
    const other = join(place.home, "models/other");
    writeModelFolder(other, swapped);
    settings(semantic({ folder: other }));
    const { semantic: used, results } = await answerTo(query);
    expect(used).toEqual({ model: "other", file: "model.onnx", used: true });
    expect(results[0]?.name).toBe("baker");
  });

  it("goes on by words when the time is over, and says how to go on", async () => {
    settings(semantic({ timeout: 1 }));
    const { code, stdout, stderr } = await run(query);
    expect([code, (JSON.parse(stdout) as Answer).semantic?.used]).toEqual([0, false]);
    expect(stderr).toMatch(/not done within 1 ms; \d+ more of \d+ texts have vectors now/);
    expect(stderr.replace(/\s+/g, " ")).toContain("the next search goes on from there");
    expect(stderr.split(page)).toHaveLength(2);
    const args = ["eval", join(place.project, "set"), "--json"];
    expect(JSON.parse((await run(args)).stdout).semantic.used).toBe(true);
  });

  it("serves programs that use the library", async () => {
    const embedder = await onnxEmbedder({ folder: model, nodePath: packagesFolder });
    const text = (name: string, description: string) => ({
      name,
      location: `/${name}`,
      aliases: [],
      localized: [],
      description,
      whenToUse: "",
      body: "",
    });
    const documents = [text("baker", "Shape the dough."), text("mechanic", "Mend a bicycle.")];
    const { results, failed } = await createSemanticSearch(documents, { embedder }).search(
      "a spoke is loose",
    );
    expect([results[0]?.name, failed]).toEqual(["mechanic", null]);
  });
});

describe("a folder that cannot be used", () => {
  it.each<readonly [string, object, string]>([
    ["is missing", { folder: "~/models/none" }, "There is no folder"],
    ["lacks the file", { file: "other.onnx" }, "other.onnx is missing"],
  ])("%s: words alone, with one warning", async (_, more, words) => {
    settings(semantic(more));
    const { code, stdout, stderr } = await run(query);
    const answer = JSON.parse(stdout) as Answer;
    expect([code, answer.semantic?.used]).toEqual([0, false]);
    expect(answer.results.map(({ name }) => name)).toEqual(["guide"]);
    expect(stderr).toContain(words);
    expect(stderr.split(page)).toHaveLength(2);
  });

  it("lacks the packages: words alone, with the command that installs them", async () => {
    const { code, stdout, stderr } = await run(query, { packages: false });
    expect([code, (JSON.parse(stdout) as Answer).semantic?.used]).toEqual([0, false]);
    expect(stderr).toMatch(/npm install (?:-g )?onnxruntime-node @huggingface\/tokenizers/);
    expect(stderr.split(page)).toHaveLength(2);
  });
});

describe("mistakes in the setting are named by the search itself", () => {
  it.each<readonly [object, string]>([
    [{ folder: "m", url: "http://127.0.0.1/v1", model: "x" }, '"search.semantic.url" must be left out'],
    [{ folder: 5 }, '"search.semantic.folder" must be the path'],
    [{ folder: "" }, '"search.semantic.folder" must be the path'],
    [{ folder: "m", file: 1 }, '"search.semantic.file" must be the name'],
    [{ folder: "m", requestPrefix: 1 }, '"search.semantic.requestPrefix" must be a text'],
    [{ weight: 1 }, '"search.semantic" must name "url" or "folder"'],
    [{ url: "file:///v1", model: "x" }, '"search.semantic.url" must be an http'],
  ])("%j: not used", async (value, words) => {
    settings(value);
    for (const args of [
      query,
      ["a spoke is loose", "--json"],
      ["eval", join(place.project, "set"), "--json"],
    ]) {
      const { code, stdout, stderr } = await run(args);
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).not.toHaveProperty("semantic");
      const text = stderr.replace(/\s+/g, " ");
      expect(text).toContain(words);
      expect(text).toMatch(/skillet\.jsonc:\d+: "search\.semantic/);
    }
    expect(existsSync(vectors)).toBe(false);
  });

  it("names unknown keys, also those of the other kind, and a setting that is no object", async () => {
    settings({ folder: "~/models/none", fil: "x", key: "KEY" });
    const { stderr } = await run(query);
    expect(stderr).toContain('"search.semantic" has no "fil".');
    expect(stderr).toContain('"search.semantic" has no "key" beside "folder".');
    settings({ url: "http://127.0.0.1:1/v1", model: "x", file: "model.onnx", timeout: 1 });
    expect((await run(query)).stderr).toContain('"search.semantic" has no "file" beside "url".');
    settings("~/models/words");
    expect((await run(query)).stderr).toContain('"search.semantic" must be an object');
    place.write({ "~/.config/skillet/skillet.jsonc": '{ "search": { "sematic": {} } }' });
    expect((await run(query)).stderr).toContain('There is no setting "search.sematic".');
  });

  it("says nothing of other settings, nor where another system's search answers", async () => {
    place.write({ "~/.config/skillet/skillet.jsonc": '{ "modle": "x", "search": { "limit": 3 } }' });
    expect((await run(query)).stderr).toBe("");
    settings({ folder: 5 });
    expect((await run(["search", "a spoke", "--as", "mimo"])).stderr).not.toContain("search.semantic");
  });

  it("counts a folder from the file, and shows it whole", async () => {
    settings({ folder: "models/words" });
    const shown = (await run(["config", "get", "search.semantic", "--json"])).json() as { value: object };
    expect(shown.value).toMatchObject({
      folder: join(place.home, ".config/skillet/models/words"),
      file: null,
      requestPrefix: null,
      documentPrefix: null,
      timeout: 10_000,
    });
    settings({ folder: "~/models/words" });
    expect((await run(["config", "get", "search.semantic", "--json"])).json()).toMatchObject({
      value: { folder: model },
    });
    const stored = await run(["config", "set", "search.semantic", '{"folder":5}']);
    expect([stored.code, stored.stderr]).toEqual([2, expect.stringContaining("search.semantic.folder")]);
  });
});
