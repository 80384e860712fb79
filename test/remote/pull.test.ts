import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { writeTarGz } from "../../src/remote/archive/write-archive.ts";
import { indexSchema } from "../../src/remote/index/parse-index.ts";
import { processorTime } from "../support/processor-time.ts";
import { upstream } from "./git-ground.ts";
import { type LoopbackServer, loopbackServer, type Routes } from "./loopback-server.ts";
import { findingsOf, makePlace, type Place, skillText } from "./open-pulled.ts";

const sha = (bytes: string | Uint8Array) => `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
const tagged =
  (text: string | Uint8Array) => (request: { headers: Record<string, unknown> }, response: never) => {
    const etag = `"${sha(text).slice(7, 20)}"`;
    const answer = response as { writeHead(status: number, headers: object): { end(body?: unknown): void } };
    if (request.headers["if-none-match"] === etag) answer.writeHead(304, { etag }).end();
    else answer.writeHead(200, { etag, "content-type": "text/plain" }).end(text);
  };
/** An index of form 0.2 over single files, and the files. */
const site = (skills: Readonly<Record<string, string>>, more: object = {}): Routes => ({
  "/index.json": tagged(
    JSON.stringify({
      $schema: indexSchema,
      ...more,
      skills: Object.entries(skills).map(([name, text]) => ({
        ...{ name, type: "skill-md", description: "d", url: `/${name}.md`, digest: sha(text) },
      })),
    }),
  ) as never,
  ...Object.fromEntries(Object.entries(skills).map(([name, text]) => [`/${name}.md`, text])),
});
/** The older form with these files. */
const files = (name: string, texts: Readonly<Record<string, string>>, version?: string): Routes => ({
  "/index.json": JSON.stringify({ skills: [{ name, files: Object.keys(texts), version }] }),
  ...Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [`/${name}/${path}`, tagged(text) as never]),
  ),
});

let server: LoopbackServer;
let place: Place;
beforeAll(async () => {
  server = await loopbackServer();
});
beforeEach(() => {
  server.seen.length = 0;
  place = makePlace();
  place.configure({ skills: { urls: [`${server.origin}/index.json`] } });
  return () => place.remove();
});
afterAll(() => server.close());
const asked = () => {
  const paths = server.seen.map(({ path }) => path).sort();
  server.seen.length = 0;
  return paths;
};
const actions = (result: Awaited<ReturnType<Place["pull"]>>) =>
  Object.fromEntries(
    result.outcomes.flatMap(({ changes }) => changes.map(({ name, action }) => [name, action])),
  );

describe("refreshing", () => {
  test("looking asks nobody; pulling asks only for what changed", async () => {
    server.serve(site({ one: skillText("one"), two: skillText("two") }));
    place.open().catalog();
    expect(asked()).toEqual([]);
    expect(actions(await place.pull())).toEqual({ one: "added", two: "added" });
    expect(asked()).toEqual(["/index.json", "/one.md", "/two.md"]);
    expect(actions(await place.pull())).toEqual({ one: "unchanged", two: "unchanged" });
    expect(asked()).toEqual(["/index.json"]);
    server.serve(site({ one: skillText("one"), two: skillText("two", "Differently.") }));
    const third = await place.pull();
    expect(actions(third)).toEqual({ one: "unchanged", two: "updated" });
    expect(asked()).toEqual(["/index.json", "/two.md"]);
    expect(third.skills.load("two").output).toContain("Differently.");
  });

  test("files without digests are asked for with their tags, and a change is noticed by content", async () => {
    server.serve(files("one", { "SKILL.md": skillText("one"), "a.txt": "a" }));
    await place.pull();
    asked();
    expect(actions(await place.pull())).toEqual({ one: "unchanged" });
    expect(server.seen.map(({ headers }) => headers["if-none-match"] !== undefined).sort()).toEqual([
      false,
      true,
      true,
    ]);
    server.serve(files("one", { "SKILL.md": skillText("one"), "a.txt": "other" }));
    const changed = await place.pull();
    expect(actions(changed)).toEqual({ one: "updated" });
    const entry = changed.skills.entries[0];
    expect(entry && changed.skills.readFile(entry.skill, "a.txt")).toMatchObject({ text: "other" });
  });

  test("what the source no longer has is no longer offered", async () => {
    server.serve(site({ one: skillText("one"), two: skillText("two") }));
    await place.pull();
    server.serve(site({ two: skillText("two") }));
    const { names, ...result } = await place.pull();
    expect(names).toEqual(["two"]);
    expect(actions(result as never)).toEqual({ one: "removed", two: "unchanged" });
  });

  test("an older version is not taken unless that is meant (row E22)", async () => {
    const versions = (version: string, text: string) =>
      files("one", { "SKILL.md": skillText("one", text) }, version);
    server.serve(versions("1.10.0", "Ten."));
    await place.pull();
    server.serve(versions("1.9.0", "Nine."));
    const second = await place.pull();
    expect(findingsOf(second)).toEqual([expect.stringMatching(/^remote\/older: one: version 1\.9\.0/)]);
    expect(second.skills.load("one").output).toContain("Ten.");
    const third = await place.pull({ acceptOlder: true });
    expect(third.skills.load("one").output).toContain("Nine.");
  });

  test("an older index is not taken either", async () => {
    server.serve(site({ one: skillText("one") }, { version: 9 }));
    await place.pull();
    server.serve(site({ two: skillText("two") }, { version: 1 }));
    const { names, outcomes } = await place.pull();
    expect(names).toEqual(["one"]);
    expect(outcomes[0]?.status).toBe("stale");
  });
});

describe("failures", () => {
  test("a skill whose file fails comes whole or not at all, and the copy from before stays (rows E17, E21)", async () => {
    server.serve(files("one", { "SKILL.md": skillText("one"), "a.txt": "a" }));
    await place.pull();
    const texts = { "SKILL.md": skillText("one", "New."), "a.txt": "b" };
    for (const broken of [{ status: 404 }, { body: "<html>", headers: { "content-type": "text/html" } }]) {
      server.serve({ ...files("one", texts), "/one/a.txt": broken });
      const result = await place.pull();
      expect(actions(result)).toEqual({ one: "kept" });
      expect(result.skills.load("one").output).toContain("Do it.");
    }
    server.serve({ ...files("one", texts), "/one/SKILL.md": "<!doctype html><p>Sign in" });
    const portal = await place.pull();
    expect(findingsOf(portal)).toEqual([expect.stringContaining("remote/not-a-skill: one: a web page")]);
    expect(portal.skills.load("one").output).toContain("Do it.");
  });

  test("without a network everything that was pulled works, and the age is said (row E25)", async () => {
    const gone = await loopbackServer(site({ one: skillText("one") }));
    place.configure({ skills: { urls: [`${gone.origin}/index.json`] } });
    await place.pull();
    await gone.close();
    const started = processorTime();
    const skills = place.open();
    expect(skills.load("one").status).toBe("loaded");
    expect(processorTime() - started).toBeLessThan(5_000);
    const { names, outcomes, ...result } = await place.pull();
    expect(names).toEqual(["one"]);
    expect(outcomes[0]?.status).toBe("stale");
    expect(findingsOf({ outcomes, ...result })).toEqual([
      expect.stringContaining("remote/unreachable"),
      expect.stringMatching(/^remote\/stale: .*copy of \d{4}-\d\d-\d\d/),
    ]);
    expect(outcomes[0]?.diagnostics.map(({ severity }) => severity)).toEqual(["warning", "warning"]);
    expect(JSON.stringify(place.open().explain("one").steps)).toContain("The last pull failed");
  });

  test("one source that fails costs the others nothing", async () => {
    server.serve(site({ one: skillText("one") }));
    place.configure({ skills: { urls: ["https://no.such.host.invalid/", `${server.origin}/index.json`] } });
    const { names, outcomes } = await place.pull();
    expect(names).toEqual(["one"]);
    expect(outcomes.map(({ status }) => status)).toEqual(["failed", "pulled"]);
  });

  test("a pull that is stopped leaves what was there (row G14)", async () => {
    server.serve(site({ one: skillText("one") }));
    await place.pull();
    const slow = site({ one: skillText("one", "New."), two: skillText("two") });
    server.serve({ ...slow, "/two.md": () => undefined });
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 200);
    await expect(place.pull({ signal: stop.signal })).rejects.toMatchObject({ code: "cancelled" });
    const skills = place.open();
    expect(skills.load("one").output).toContain("Do it.");
    expect(skills.find("two").kind).not.toBe("found");
  });

  test("a dry run writes nothing", async () => {
    server.serve(site({ one: skillText("one") }));
    const { names, ...result } = await place.pull({ dryRun: true });
    expect(actions(result as never)).toEqual({ one: "added" });
    expect(names).toEqual([]);
    expect(existsSync(join(place.data, "cache"))).toBe(false);
  });

  test("an unknown source is named", async () => {
    await expect(place.pull({ only: ["company"] })).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("the cache", () => {
  test("content is kept once for all sources and versions", async () => {
    const other = await loopbackServer(site({ one: skillText("one") }));
    server.serve(site({ one: skillText("one") }));
    place.configure({ skills: { urls: [`${server.origin}/index.json`, `${other.origin}/index.json`] } });
    await place.pull();
    await other.close();
    const store = join(place.data, "cache/remote-v1/store");
    expect(readdirSync(store)).toHaveLength(1);
    server.serve(site({ one: skillText("one", "New.") }));
    await place.pull();
    expect(readdirSync(store)).toHaveLength(2);
    server.serve(site({ one: skillText("one") }));
    await place.pull();
    expect(readdirSync(store)).toHaveLength(2);
  });

  test("a change on disk is seen, kept from everybody and put right by the next pull (row G03)", async () => {
    server.serve(files("one", { "SKILL.md": skillText("one"), "run.sh": "echo" }));
    const { skills } = await place.pull();
    const folder = skills.entries[0]?.skill.directory ?? "";
    const change = (path: string, text: string) => {
      writeFileSync(join(folder, path), text);
      return place.open();
    };
    const scripted = change("run.sh", "rm -rf /");
    expect(scripted.load("one", { by: "model" })).toMatchObject({ status: "denied" });
    expect(scripted.load("one", { by: "user" }).output).toContain("run.sh is not what was pulled");
    await place.pull();
    expect(place.open().load("one").status).toBe("loaded");
    expect(change("added.md", "x").load("one").output).toContain("added.md was added");
    await place.pull();
    const edited = change("SKILL.md", skillText("one", "Evil."));
    expect(edited.entries[0]?.hidden?.reason).toBe("changed-on-disk");
    expect(edited.load("one").status).not.toBe("loaded");
    const mended = await place.pull();
    expect(mended.names).toEqual(["one"]);
    expect(mended.skills.load("one").output).toContain("Do it.");
  });

  test("records that somebody damaged or wrote by hand lead nowhere", async () => {
    server.serve(site({ one: skillText("one") }));
    await place.pull();
    const sources = join(place.data, "cache/remote-v1/sources");
    const record = join(sources, readdirSync(sources)[0] ?? "");
    for (const text of ["", "{", "[]", "null", "\0\0", JSON.stringify({ version: 99, skills: [] })]) {
      writeFileSync(record, text);
      expect(place.open().find("one").kind).not.toBe("found");
      expect((await place.pull()).names).toEqual(["one"]);
    }
    writeFileSync(
      record,
      JSON.stringify({
        ...{
          version: 1,
          kind: "index",
          address: `${server.origin}/index.json`,
          pulled: "2026",
          problems: [],
        },
        skills: [{ name: "../../../..", tree: sha(""), content: sha(""), files: [], arrived: "2026" }],
      }),
    );
    expect(place.open().preparation.roots.filter(({ scope }) => scope === "remote")).toEqual([]);
  });

  test("several pulls at once agree (row G09)", async () => {
    server.serve(files("one", { "SKILL.md": skillText("one"), "a.txt": "a" }));
    const results = await Promise.all(Array.from({ length: 8 }, () => place.pull()));
    for (const { names, outcomes } of results) {
      expect(names).toEqual(["one"]);
      expect(outcomes[0]?.status).toMatch(/pulled|unchanged/);
    }
    expect(readdirSync(join(place.data, "cache/remote-v1/store"))).toHaveLength(1);
    expect(readdirSync(join(place.data, "cache/remote-v1/tmp"))).toEqual([]);
  });

  test("no more than 32 files are asked for at once", async () => {
    const texts = Object.fromEntries([
      ["SKILL.md", skillText("x")],
      ...Array.from({ length: 30 }, (_, at) => [`f${at}`, "x"]),
    ]);
    let [open, most] = [0, 0];
    const counted = (text: string) => (_request: unknown, response: never) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        (response as { end(text: string): void }).end(text);
      }, 5);
    };
    const skills = ["a", "b", "c", "d", "e", "f"];
    server.serve({
      "/index.json": JSON.stringify({ skills: skills.map((name) => ({ name, files: Object.keys(texts) })) }),
      ...Object.fromEntries(
        skills.flatMap((name) =>
          Object.entries(texts).map(([path, text]) => [`/${name}/${path}`, counted(String(text)) as never]),
        ),
      ),
    });
    const { names } = await place.pull();
    expect(names).toEqual(skills);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(32);
  });
});

describe("other kinds of sources", () => {
  const folder = () => {
    const top = join(place.root, "team");
    for (const name of ["one", "two"]) {
      mkdirSync(join(top, name), { recursive: true });
      writeFileSync(join(top, name, "SKILL.md"), skillText(name));
    }
    return top;
  };

  test("a local folder is pulled as it is now", async () => {
    const path = folder();
    place.configure({ sources: { team: { path, skills: ["one"] } } });
    expect((await place.pull()).names).toEqual(["one"]);
    writeFileSync(join(path, "one/SKILL.md"), skillText("one", "Later."));
    expect(place.open().load("one").output).toContain("Do it.");
    expect((await place.pull({ only: ["team"] })).skills.load("one").output).toContain("Later.");
  });

  test("an archive, from disk and from a server, pinned by its digest", async () => {
    const text = new TextEncoder();
    const bytes = await writeTarGz([
      { path: "top/one/SKILL.md", bytes: text.encode(skillText("one")), executable: false },
      { path: "top/two/SKILL.md", bytes: text.encode(skillText("two")), executable: false },
    ]);
    server.serve({ "/all.tar.gz": { body: bytes } });
    const url = `${server.origin}/all.tar.gz`;
    place.configure({ sources: { all: { url, digest: sha(bytes) } } });
    expect((await place.pull()).names).toEqual(["one", "two"]);
    place.configure({ sources: { all: { url, digest: sha("other") } } });
    const wrong = await place.pull();
    expect(wrong.names).toEqual(["one", "two"]);
    expect(findingsOf(wrong)[0]).toContain("remote/digest");
    writeFileSync(join(place.root, "all.tgz"), bytes);
    place.configure({
      sources: { all: { path: join(place.root, "all.tgz"), kind: "archive", folder: "top/two" } },
    });
    expect((await place.pull()).names).toEqual(["two"]);
  });

  test("archives in an index", async () => {
    const bytes = await writeTarGz([
      { path: "SKILL.md", bytes: new TextEncoder().encode(skillText("one")), executable: false },
      { path: "scripts/run.sh", bytes: new TextEncoder().encode("echo"), executable: true },
    ]);
    const entry = { name: "one", type: "archive", description: "d", url: "one.tgz", digest: sha(bytes) };
    server.serve({
      "/index.json": JSON.stringify({
        $schema: indexSchema,
        skills: [entry, { ...entry, name: "two", url: "none.tgz" }],
      }),
      "/one.tgz": { body: bytes, headers: { "content-type": "application/gzip" } },
    });
    const { names, skills } = await place.pull();
    expect(names).toEqual(["one"]);
    expect(skills.entries[0] && skills.files(skills.entries[0].skill).files).toContain("scripts/run.sh");
  });

  test("a single SKILL.md", async () => {
    server.serve({ "/deep/one/SKILL.md": skillText("one") });
    place.configure({ skills: { urls: [`${server.origin}/deep/one/SKILL.md`] } });
    expect((await place.pull()).names).toEqual(["one"]);
  });

  test("a repository: a branch is followed, a commit stays", async () => {
    const repository = upstream(place.root);
    const first = repository.commit({
      "skills/one/SKILL.md": skillText("one"),
      "other/two/SKILL.md": skillText("two"),
    });
    const source = { url: repository.path, folder: "skills" };
    place.configure({ sources: { code: source, pinned: { ...source, ref: first, folder: "other" } } });
    const pulled = await place.pull();
    expect(pulled.outcomes.map(({ source, status }) => [source.kind, status])).toEqual([
      ["git", "pulled"],
      ["git", "pulled"],
    ]);
    expect(pulled.names).toEqual(["one", "two"]);
    repository.commit({
      "skills/one/SKILL.md": skillText("one", "Later."),
      "other/two/SKILL.md": skillText("two", "Later."),
    });
    const { skills } = await place.pull();
    expect(skills.load("one").output).toContain("Later.");
    expect(skills.load("two").output).toContain("Do it.");
    place.configure({ sources: { code: { ...source, ref: "no-such-branch" } } });
    const wrong = await place.pull();
    expect(wrong.outcomes[0]?.status).toBe("failed");
    expect(findingsOf(wrong)[0]).toContain("no-such-branch");
  });

  test("a path that is a bare repository is one", async () => {
    const repository = upstream(place.root);
    repository.commit({ "skills/one/SKILL.md": skillText("one") });
    place.configure({ sources: { team: { path: repository.path } } });
    const pulled = await place.pull();
    expect([pulled.outcomes[0]?.status, pulled.names, findingsOf(pulled)]).toEqual(["pulled", ["one"], []]);
  });

  test("a source in which no skill is found any more fails, and the last good copy stays", async () => {
    const path = folder();
    place.configure({ sources: { team: { path }, empty: { path: join(place.root, "none") } } });
    mkdirSync(join(place.root, "none"));
    const first = await place.pull();
    expect(first.outcomes.map(({ status }) => status)).toEqual(["pulled", "failed"]);
    for (const name of ["one", "two"]) rmSync(join(path, name), { recursive: true });
    const later = await place.pull({ only: ["team"] });
    expect([later.outcomes[0]?.status, later.names]).toEqual(["stale", ["one", "two"]]);
  });

  test("a source that cannot be read is said", async () => {
    place.configure({
      sources: {
        gone: { path: join(place.root, "gone") },
        odd: { url: 5 },
        word: { token: "a b", url: "https://a.example" },
      },
    });
    const result = await place.pull();
    expect(findingsOf(result)).toEqual([expect.stringContaining("remote/source")]);
    expect(result.skills.diagnostics.map(({ code }) => code)).toEqual([
      "config/wrong-type",
      "config/wrong-type",
    ]);
  });
});

describe("tokens", () => {
  test("go to their own server alone and are never shown", async () => {
    const other = await loopbackServer({ "/x.md": skillText("one") });
    const routes = site({ one: skillText("one") });
    server.serve(routes);
    const env = { COMPANY_TOKEN: "very-secret" };
    place.configure({ sources: { company: { url: `${server.origin}/index.json`, token: "COMPANY_TOKEN" } } });
    const { names } = await place.pull({}, { env });
    expect(names).toEqual(["one"]);
    expect(server.seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer very-secret",
      "Bearer very-secret",
    ]);
    const stolen = {
      name: "two",
      type: "skill-md",
      url: `${other.origin}/x.md`,
      digest: sha(skillText("one")),
    };
    server.serve({ "/index.json": JSON.stringify({ $schema: indexSchema, skills: [stolen] }) });
    place.configure({
      sources: { company: { url: `${server.origin}/index.json`, token: "COMPANY_TOKEN" } },
      policy: {
        redirects: [`127.0.0.1:${other.port}`],
        privateHosts: ["127.0.0.1"],
        plainHttp: ["127.0.0.1"],
      },
    });
    const allowed = await place.pull({}, { env });
    expect(allowed.names).toEqual(["two"]);
    expect(other.seen[0]?.headers).not.toHaveProperty("authorization");
    server.serve({ "/index.json": { status: 401 } });
    const refused = await place.pull({}, { env });
    expect(JSON.stringify(refused.outcomes)).not.toContain("very-secret");
    await other.close();
  });

  test("a variable that is not set is said before anything is asked", async () => {
    server.serve(site({ one: skillText("one") }));
    place.configure({ sources: { company: { url: `${server.origin}/index.json`, token: "COMPANY_TOKEN" } } });
    expect(findingsOf(await place.pull())).toEqual([expect.stringContaining("COMPANY_TOKEN is not set")]);
    expect(asked()).toEqual([]);
  });
});

describe("a project's addresses (row H02)", () => {
  const project = (urls: readonly string[], more: object = {}) =>
    writeFileSync(join(place.project, "skillet.jsonc"), JSON.stringify({ skills: { urls }, ...more }));

  test("are not asked before the project is trusted, and then only over https", async () => {
    server.serve(site({ one: skillText("one") }));
    place.configure({});
    project([`${server.origin}/index.json`, "https://user:word@a.example/", "https://10.0.0.1/"]);
    expect((await place.pull()).outcomes).toEqual([]);
    const trusted = await place.pull({}, { trust: true });
    expect(trusted.outcomes.map(({ source, status }) => [source.address, status])).toEqual([
      ["https://10.0.0.1/", "failed"],
    ]);
    expect(findingsOf(trusted)).toEqual([expect.stringContaining("remote/private-address")]);
    expect(asked()).toEqual([]);
    expect(JSON.stringify(trusted.skills.diagnostics)).not.toContain("word@");
  });

  test("cannot grant hosts, sources or tokens", async () => {
    place.configure({});
    project(["https://127.0.0.1/"], {
      policy: { privateHosts: ["127.0.0.1"], plainHttp: ["127.0.0.1"] },
      sources: { evil: { url: "https://127.0.0.1/", token: "GITHUB_TOKEN" } },
    });
    const { outcomes, skills } = await place.pull({}, { trust: true });
    expect(outcomes.map(({ source }) => source.token)).toEqual([null]);
    expect(findingsOf({ outcomes, pruned: 0 })).toEqual([expect.stringContaining("remote/private-address")]);
    expect(skills.diagnostics.filter(({ code }) => code === "config/not-for-project")).toHaveLength(2);
  });
});
