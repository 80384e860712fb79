import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readGlossTable } from "../../core/search/gloss-table.ts";
import { createSearchIndex, type SearchDocument } from "../../core/search/search-index.ts";
import { connectPostgres, createPostgresSearch } from "./postgres-search.ts";

/** Debian's server; CI installs it. */
const versions = existsSync("/usr/lib/postgresql") ? readdirSync("/usr/lib/postgresql").sort() : [];
const programs = versions
  .map((version) => `/usr/lib/postgresql/${version}/bin`)
  .find((bin) => existsSync(join(bin, "initdb")));
const folder = mkdtempSync(join(tmpdir(), "skillet-pg-"));
let port = 0;

/** The server refuses to run as root. */
function asUser(program: string, args: readonly string[]): void {
  const path = join(programs ?? "", program);
  const line = [path, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const done =
    process.getuid?.() === 0
      ? spawnSync("su", ["postgres", "-s", "/bin/sh", "-c", line], {
          cwd: folder,
          stdio: ["ignore", "ignore", "pipe"],
        })
      : spawnSync(path, args, { cwd: folder, stdio: ["ignore", "ignore", "pipe"] });
  if (done.status !== 0) throw new Error(`${program}: ${done.stderr}`);
}

const documents: readonly SearchDocument[] = readFileSync(
  new URL("../../../test/search/desk/corpus.jsonl", import.meta.url),
  "utf8",
)
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line) as { name: string; description: string; body: string })
  .map((row) => ({ ...row, location: `/${row.name}`, aliases: [], localized: [], whenToUse: "" }));

/** Skills of the words of those above, so that they are in the way. */
function fillers(count: number): readonly SearchDocument[] {
  const words = documents.flatMap(({ description }) => description.split(/\s+/));
  return Array.from({ length: count }, (_, number) => ({
    name: `filler-${number}`,
    location: `/filler-${number}`,
    aliases: [],
    localized: [],
    description: Array.from(
      { length: 3 + (number % 9) },
      (_, place) => words[(number * 37 + place * (number % 11) * 13 + place) % words.length],
    ).join(" "),
    whenToUse: "",
    body: "",
  }));
}

describe.skipIf(programs === undefined)("PostgreSQL (needs Debian's postgresql)", () => {
  let client: Awaited<ReturnType<typeof connectPostgres>>;
  beforeAll(async () => {
    port = await new Promise<number>((done) => {
      const probe = createServer().listen(0, "127.0.0.1", () => {
        const address = probe.address();
        probe.close(() => done(typeof address === "object" ? (address?.port ?? 0) : 0));
      });
    });
    chmodSync(folder, 0o777);
    const data = join(folder, "data");
    asUser("initdb", ["-D", data, "-U", "skillet", "-A", "trust", "-E", "UTF8", "--locale=C", "-N"]);
    const options = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`;
    asUser("pg_ctl", ["-D", data, "-w", "-o", options, "-l", join(folder, "log"), "start"]);
    client = await connectPostgres(`postgresql://skillet@127.0.0.1:${port}/postgres`);
  });
  afterAll(async () => {
    await client?.end();
    if (port > 0) asUser("pg_ctl", ["-D", join(folder, "data"), "-m", "immediate", "stop"]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  });

  it("answers as the index in the process does, with the same reasons, though it looks at a few hundred skills", async () => {
    const skills = [...documents, ...fillers(600)];
    const table = readGlossTable(readFileSync(new URL("../../../data/gloss.txt", import.meta.url), "utf8"));
    const engine = createPostgresSearch(client, { index: { gloss: () => table } });
    await engine.replace(skills);
    const index = createSearchIndex(skills, { gloss: () => table });
    const queries = readFileSync(new URL("../../../test/search/desk/queries.jsonl", import.meta.url), "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { query: string }).query);
    let equal = 0;
    for (const query of queries) {
      const own = index.search(query, { limit: 5, explain: true });
      const other = await engine.search(query, { limit: 5, explain: true });
      expect([query, other[0]?.name]).toEqual([query, own[0]?.name]);
      if (JSON.stringify(other) === JSON.stringify(own)) equal++;
    }
    expect(equal / queries.length).toBeGreaterThan(0.95);
  });

  it("keeps any text, and takes new skills for old ones", async () => {
    const engine = createPostgresSearch(client, { schema: 'od"d' });
    const odd = { name: "o'dd", location: "/a\\b", aliases: [], localized: [], whenToUse: "", body: "" };
    await engine.replace([
      { ...odd, description: "Quote's and \\ and \0 and 数据分析; drop table skills --" },
    ]);
    const found = await engine.search("数据分析 quote");
    expect(found[0]).toMatchObject({ name: "o'dd", location: "/a\\b" });
    await engine.replace([]);
    expect(await engine.search("quote")).toEqual([]);
  });
});
