import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type LoopbackServer, loopbackServer } from "./loopback-server.ts";
import { findingsOf, makePlace, type Place, skillText } from "./open-pulled.ts";

// Caches of mirrored agents beyond what was recorded of them: safety (decision D9), MiMo Code (M21), half states.

let server: LoopbackServer;
let place: Place;
beforeAll(async () => {
  server = await loopbackServer();
});
beforeEach(() => {
  server.seen.length = 0;
  place = makePlace();
  // The second generation lists nothing outside of a repository.
  for (const folder of ["objects", "refs"])
    mkdirSync(join(place.project, ".git", folder), { recursive: true });
  writeFileSync(join(place.project, ".git/HEAD"), "ref: refs/heads/main\n");
  return () => place.remove();
});
afterAll(() => server.close());

const serve = (skills: readonly object[], more: Readonly<Record<string, string>> = {}) =>
  server.serve({
    "/index.json": JSON.stringify({ skills }),
    "/one/SKILL.md": skillText("one"),
    "/two/SKILL.md": skillText("two"),
    ...more,
  });
const listed = (profile: string, more: object = {}) => {
  const name = profile === "mimo" ? "MIMOCODE_CONFIG_CONTENT" : "OPENCODE_CONFIG_CONTENT";
  const skills = profile.startsWith("opencode-v2") ? [server.origin] : { urls: [server.origin] };
  return { profile, env: { [name]: JSON.stringify({ skills }) }, ...more };
};
const cache = () => join(place.data, "cache/skills");
const good = { name: "one", files: ["SKILL.md"] };

describe.each(["opencode", "opencode-v2", "mimo"])("%s", (profile) => {
  const folder = () =>
    profile === "opencode-v2"
      ? join(cache(), createHash("sha1").update(`${server.origin}/`).digest("hex"))
      : cache();

  test.each([
    ["name climbs", { name: "../evil", files: ["SKILL.md"] }],
    ["name is a path", { name: "a/b", files: ["SKILL.md"] }],
    ["name is empty", { name: "", files: ["SKILL.md"] }],
    ["name hides something", { name: "a\u202eb", files: ["SKILL.md"] }],
    ["file climbs", { name: "two", files: ["SKILL.md", "../../x"] }],
    ["file climbs encoded", { name: "two", files: ["SKILL.md", "%2e%2e/x"] }],
    ["file is absolute", { name: "two", files: ["SKILL.md", "/etc/x"] }],
    ["file has a drive", { name: "two", files: ["SKILL.md", "C:x"] }],
    ["file is an address", { name: "two", files: ["SKILL.md", "https://evil.invalid/x"] }],
    ["file leads to another server", { name: "two", files: ["SKILL.md", "//evil.invalid/x"] }],
    ["file has a query", { name: "two", files: ["SKILL.md", "a?b"] }],
    ["backslashes", { name: "two", files: ["SKILL.md", "..\\x"] }],
  ])("%s: refused whole and said, the good one comes", async (_title, bad) => {
    serve([good, bad]);
    const { names, ...result } = await place.pull({}, listed(profile));
    expect(names).toEqual(["one"]);
    expect(findingsOf(result)).toEqual([expect.stringContaining("remote/entry")]);
    expect(server.seen.map(({ path }) => path).sort()).toEqual(["/index.json", "/one/SKILL.md"]);
    expect(readdirSync(place.root).sort()).toEqual(["data", "home", "project"]);
    expect(readdirSync(folder())).toEqual(["one"]);
  });

  test("what is there is not fetched again", async () => {
    serve([good]);
    await place.pull({}, listed(profile));
    server.seen.length = 0;
    expect((await place.pull({}, listed(profile))).names).toEqual(["one"]);
    expect(server.seen.map(({ path }) => path)).toEqual(["/index.json"]);
  });

  test("without a network the list stays what the last pull made it", async () => {
    serve([good]);
    await place.pull({}, listed(profile));
    expect(place.open(listed(profile)).load("one").status).toBe("loaded");
  });

  test("a link in the cache is not written through", async () => {
    const outside = join(place.root, "outside");
    mkdirSync(outside);
    mkdirSync(folder(), { recursive: true });
    symlinkSync(outside, join(folder(), "one"));
    serve([{ name: "one", files: ["SKILL.md", "a/b.md"] }], { "/one/a/b.md": "x" });
    const result = await place.pull({}, listed(profile));
    expect(findingsOf(result)).toEqual([expect.stringContaining("something else stands in its place")]);
    expect(readdirSync(outside)).toEqual([]);
  });

  test("a project's address waits for trust and may not lead into private networks without it", async () => {
    serve([good]);
    const file = profile === "mimo" ? "mimocode.json" : "opencode.json";
    const skills = profile === "opencode-v2" ? [server.origin] : { urls: [server.origin] };
    writeFileSync(join(place.project, file), JSON.stringify({ skills }));
    const untrusted = await place.pull({}, { profile });
    expect(findingsOf(untrusted)).toEqual([expect.stringContaining("remote/not-trusted")]);
    expect(server.seen).toEqual([]);
    expect((await place.pull({}, { profile, trust: true })).names).toEqual(["one"]);
  });

  test("an agent's own cache shows where Skillet never pulled", () => {
    mkdirSync(join(folder(), "left"), { recursive: true });
    writeFileSync(join(folder(), "left/SKILL.md"), skillText("left"));
    mkdirSync(join(folder(), `left.tmp-${"0".repeat(8)}-0000-0000-0000-${"0".repeat(12)}`));
    const skills = place.open(listed(profile));
    expect(
      skills.entries.filter(({ skill }) => skill.root.scope === "remote").map(({ skill }) => skill.name),
    ).toEqual(["left"]);
    expect(skills.explain("left").steps.map(({ reason }) => reason)).toContain("cache-alone");
  });
});

test("versions are unknown to MiMo Code: a new one changes nothing", async () => {
  serve([{ ...good, version: "1" }]);
  await place.pull({}, listed("mimo"));
  serve([{ ...good, version: "2" }], { "/one/SKILL.md": skillText("one", "New.") });
  const { skills } = await place.pull({}, listed("mimo"));
  expect(skills.load("one").output).toContain("Do it.");
  expect(readdirSync(join(cache(), "one"))).toEqual(["SKILL.md"]);
});

test("OpenCode's replacement that was cut off between two renames comes back", async () => {
  serve([{ ...good, version: "1" }]);
  await place.pull({}, listed("opencode"));
  const left = join(cache(), "one.old-01234567-89ab-cdef-0123-456789abcdef");
  renameSync(join(cache(), "one"), left);
  serve([{ ...good, version: "2" }], { "/one/SKILL.md": "" });
  server.serve({ "/index.json": JSON.stringify({ skills: [{ ...good, version: "2" }] }) });
  const result = await place.pull({}, listed("opencode"));
  expect(result.names).toEqual(["one"]);
  expect(readFileSync(join(cache(), "one/.opencode-version"), "utf8")).toBe("1");
  expect(existsSync(left)).toBe(false);
});

test("an agent without sources says so", async () => {
  await expect(place.pull({}, { profile: "minimax" })).rejects.toMatchObject({ code: "usage" });
});
