import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

  it("answers as the index in the process does, in the same form", async () => {
    const engine = createPostgresSearch(client);
    await engine.replace(documents);
    const index = createSearchIndex(documents);
    const queries = readFileSync(new URL("../../../test/search/desk/queries.jsonl", import.meta.url), "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { query: string }).query);
    let same = 0;
    for (const query of queries) {
      const own = index.search(query, { limit: 5, explain: true });
      const other = await engine.search(query, { limit: 5, explain: true });
      if (own[0]?.name === other[0]?.name) same++;
      for (const hit of other) expect(Object.keys(hit).sort()).toEqual(Object.keys(own[0] ?? hit).sort());
    }
    expect(same / queries.length).toBeGreaterThan(0.9);
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
