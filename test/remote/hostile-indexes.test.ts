import { createHash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { indexSchema } from "../../src/remote/index/parse-index.ts";
import { processorTime } from "../support/processor-time.ts";
import { type LoopbackServer, loopbackServer } from "./loopback-server.ts";
import { findingsOf, makePlace, type Place, skillText } from "./open-pulled.ts";

// Rows E01–E12: an index made by an enemy. One bad entry never costs a good one, and is never dropped silently.

const good = skillText("good");
const digest = `sha256:${createHash("sha256").update(good).digest("hex")}`;
let server: LoopbackServer;
let place: Place;
beforeAll(async () => {
  server = await loopbackServer();
});
beforeEach(() => {
  server.seen.length = 0;
  place = makePlace();
  place.configure({ skills: { urls: [`${server.origin}/s/`] } });
  return () => place.remove();
});
afterAll(() => server.close());

/** Pulls this index; every path below a skill answers with the same good text. */
async function pullIndex(index: unknown) {
  const body = typeof index === "string" || index instanceof Uint8Array ? index : JSON.stringify(index);
  const file = { body: good };
  server.serve({
    "/s/index.json": { body },
    ...Object.fromEntries(
      ["good", "second", "bad", "constructor"].map((name) => [`/s/${name}/SKILL.md`, file]),
    ),
    "/s/good/references/a.md": "a",
  });
  const result = await place.pull();
  for (const finding of findingsOf(result)) expect(finding).not.toMatch(/[\u0000-\u001f\u007f\u202e]/);
  return { ...result, findings: findingsOf(result), asked: server.seen.map(({ path }) => path) };
}

const listed = (more: object) => ({
  skills: [
    { name: "good", files: ["SKILL.md"] },
    { name: "bad", files: ["SKILL.md"], ...more },
  ],
});
const stated = (more: object) => ({
  $schema: indexSchema,
  skills: [
    { name: "good", type: "skill-md", description: "g", url: "good/SKILL.md", digest },
    { name: "bad", type: "skill-md", description: "b", url: "bad/SKILL.md", digest, ...more },
  ],
});

describe("good indexes (row E01)", () => {
  test.each([
    ["files", { skills: [{ name: "good", files: ["SKILL.md", "references/a.md"], version: "1" }] }],
    ["files, unknown fields", { extra: { a: 1 }, skills: [{ name: "good", files: ["SKILL.md"], x: [] }] }],
    ["a byte order mark", `\ufeff${JSON.stringify({ skills: [{ name: "good", files: ["SKILL.md"] }] })}`],
    [
      "digests",
      { $schema: indexSchema, skills: [{ name: "good", type: "skill-md", url: "/s/good/SKILL.md", digest }] },
    ],
  ])("%s", async (_title, index) => {
    const { names, findings } = await pullIndex(index);
    expect(names).toEqual(["good"]);
    expect(findings).toEqual([]);
  });

  test("the index decides how a skill is called", async () => {
    const { names, findings, skills } = await pullIndex(stated({ name: "second", url: "second/SKILL.md" }));
    expect(names).toEqual(["good", "second"]);
    expect(findings).toEqual([expect.stringMatching(/^remote\/other-name: second: its file says "good"/)]);
    expect(skills.load("second").status).toBe("loaded");
  });
});

describe("names (row E02, E12)", () => {
  test.each([
    ...["../outside", "/etc", "..\\x", "a/b", ".", "..", "", "a\u0000b", "%2e%2e", "%252e%252e", "__proto__"],
    ...[
      "Bad",
      "a b",
      "n".repeat(65),
      "ｂad",
      "a\r\nb",
      "~",
      "-rf",
      "good",
      "GOOD",
      "con",
      "https:",
      "\u001b[2J",
    ],
    ...[5, ["x"], null, "a--b", "b\u202ea"],
  ])("%j", async (name) => {
    const { names, findings, asked } = await pullIndex(listed({ name }));
    expect(names).toEqual(["good"]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatch(/^remote\/entry: /);
    expect(asked.filter((path) => path.endsWith(".md"))).toEqual(["/s/good/SKILL.md"]);
  });

  test("a name that every object has is a name like any other", async () => {
    const { names } = await pullIndex(listed({ name: "constructor" }));
    expect(names).toEqual(["constructor", "good"]);
  });
});

describe("files (rows E03, E11)", () => {
  const unsafe = [
    ...["../../outside/x", "/tmp/x", "..\\x", "%2e%2e/%2e%2e/x", "a%2f..%2f..%2fx", "https://evil.invalid/x"],
    ...["//evil.invalid/x", "data:text/plain,x", "a?b=c", "a#b", "a\u0000b", "skill.md", ".opencode-version"],
    ...[".git/hooks/x", "", "a\nb", "C:/x", "con/x", "a./x", "b\u202ea", "SKILL.md/x"],
  ];
  test.each(unsafe)("%j is left out alone, said, and never asked for", async (path) => {
    const { names, findings, asked } = await pullIndex(listed({ files: ["SKILL.md", path] }));
    expect(names).toEqual(["bad", "good"]);
    const own = findings.filter((finding) => !finding.startsWith("remote/other-name"));
    expect(own).toEqual([expect.stringMatching(/^remote\/unsafe-file: bad: /)]);
    expect([...asked].sort()).toEqual(["/s/bad/SKILL.md", "/s/good/SKILL.md", "/s/index.json"]);
  });

  test.each([
    ["none", []],
    ["no SKILL.md", ["README.md"]],
    ["not texts", ["SKILL.md", 5, null, {}]],
    ["no list", "SKILL.md"],
    ["too many", ["SKILL.md", ...Array.from({ length: 5_000 }, (_, at) => `f${at}`)]],
    ["missing", undefined],
  ])("%s: the entry is lost and said", async (_title, files) => {
    const { names, findings, asked } = await pullIndex(listed({ files }));
    expect(names).toEqual(["good"]);
    expect(findings).toEqual([expect.stringMatching(/^remote\/entry: bad: /)]);
    expect(asked.filter((path) => path.includes("/bad/"))).toEqual([]);
  });

  test("a folder and a file of one name", async () => {
    const { findings } = await pullIndex(listed({ files: ["SKILL.md", "a", "a/b"] }));
    expect(findings.filter((finding) => finding.includes("unsafe-file"))).toHaveLength(1);
  });
});

describe("addresses and digests (rows E04, E05, E06)", () => {
  test.each([
    ...["file:///etc/passwd", "data:text/markdown,---", "blob:x", "javascript:1", "ftp://example.invalid/x"],
    ...[
      "http://169.254.169.254/latest/",
      "http://127.0.0.1:1/x",
      "http://[::1]:1/x",
      "http://[::ffff:127.0.0.1]:1/x",
    ],
    ...[
      "http://2130706433/x",
      "http://0177.0.0.1/x",
      "http://127.1/x",
      "http://0.0.0.0:1/x",
      "http://①②⑦.0.0.1/x",
    ],
    ...[
      "http://localhost:1/x",
      "http://10.0.0.1/x",
      "http://[fd00::1]/x",
      "https://good.invalid@evil.invalid/x",
    ],
    ...["https://evil.invalid\\@good.invalid/x", "http://example.invalid/x", `/s/${"a".repeat(70_000)}`],
    ...["/s/a\u0000", "/s/a\r\nX-Injected: 1", 7, "", undefined, "/elsewhere"],
  ])("url %#", async (url) => {
    const { names, findings, asked } = await pullIndex(stated({ url }));
    expect(names).toEqual(["good"]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toContain("bad: ");
    expect(asked.filter((path) => path !== "/elsewhere")).toEqual(["/s/index.json", "/s/good/SKILL.md"]);
  });

  test.each([
    ["another content", `sha256:${"0".repeat(64)}`, "remote/digest"],
    ["capitals", digest.toUpperCase(), "remote/entry"],
    ["short", "sha256:abc", "remote/entry"],
    ["weak", "md5:d41d8cd98f00b204e9800998ecf8427e", "remote/entry"],
    ["another form", `sha256-${Buffer.alloc(32).toString("base64")}`, "remote/entry"],
    ["two", `${digest} sha256:${"0".repeat(64)}`, "remote/entry"],
    ["none", undefined, "remote/entry"],
    ["a number", 1, "remote/entry"],
  ])("digest: %s", async (_title, wrong, code) => {
    const { names, findings } = await pullIndex(stated({ digest: wrong }));
    expect(names).toEqual(["good"]);
    expect(findings).toEqual([expect.stringContaining(`${code}: bad: `)]);
  });

  test("a wrong digest leaves the good copy from before", async () => {
    await pullIndex(stated({ name: "second", url: "second/SKILL.md" }));
    const { names, skills, findings } = await pullIndex(
      stated({ name: "second", url: "second/SKILL.md", digest: `sha256:${"0".repeat(64)}` }),
    );
    expect(names).toEqual(["good", "second"]);
    expect(skills.load("second").status).toBe("loaded");
    expect(findings).toEqual([expect.stringContaining("remote/digest: second: ")]);
  });

  test.each(["exe", undefined, "__proto__", 5])("type %j", async (type) => {
    const { names, findings } = await pullIndex(stated({ type }));
    expect(names).toEqual(["good"]);
    expect(findings).toHaveLength(1);
  });
});

describe("what is no index (rows E06–E10)", () => {
  const nested = `{"skills":[],"x":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
  test.each([
    [
      "another version",
      { $schema: "https://schemas.agentskills.io/discovery/9.9.9/schema.json", skills: [] },
    ],
    ["a version that is no text", { $schema: 5, skills: [] }],
    ["a web page", "<html>Login</html>"],
    ["nothing", ""],
    ["a trailing comma", '{"skills":[],}'],
    ["UTF-16", Buffer.from('{"skills":[]}', "utf16le")],
    ["null", "null"],
    ["a list", "[]"],
    ["a number", "1e999"],
    ["skills as an object", { skills: { 0: { name: "x" } } }],
    ["skills null", { skills: null }],
    ["no skills", {}],
    ["deep nesting", nested],
    [
      "ten thousand entries",
      { skills: Array.from({ length: 10_000 }, (_, at) => ({ name: `s${at}`, files: ["SKILL.md"] })) },
    ],
    ["five megabytes", { skills: [{ name: "good", files: ["SKILL.md"], description: "d".repeat(5 << 20) }] }],
  ])("%s: one clear finding, and the skills from before stay", async (_title, index) => {
    await pullIndex(listed({ name: "second" }));
    server.seen.length = 0;
    const started = processorTime();
    const { names, findings, asked, outcomes } = await pullIndex(index);
    expect(processorTime() - started).toBeLessThan(20_000);
    expect(outcomes[0]?.status).toBe("stale");
    expect(findings).toHaveLength(2);
    expect(findings[0]).toMatch(/^remote\/(?:index|too-large): /);
    expect(findings[1]).toMatch(/^remote\/stale: /);
    expect(names).toEqual(["good", "second"]);
    expect(asked).toEqual(["/s/index.json"]);
  });

  test("keys that every object has change nothing, and the last of two keys counts", async () => {
    const { names } = await pullIndex(
      '{"skills":[{"name":"evil","name":"good","files":["SKILL.md"]}],"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    );
    expect(names).toEqual(["good"]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});

test("nothing is written outside of the cache", async () => {
  await pullIndex(listed({ files: ["SKILL.md", "../../../escape.md", "/tmp/skillet-escape.md"] }));
  expect(existsSync("/tmp/skillet-escape.md")).toBe(false);
  expect(readdirSync(place.root).sort()).toEqual(["data", "home", "project"]);
  expect(readdirSync(place.data)).toEqual(["cache"]);
  expect(readdirSync(join(place.data, "cache"))).toEqual(["remote-v1"]);
  expect(readdirSync(join(place.data, "cache/remote-v1")).sort()).toEqual(["sources", "store", "tmp"]);
  expect(readdirSync(join(place.data, "cache/remote-v1/tmp"))).toEqual([]);
});
