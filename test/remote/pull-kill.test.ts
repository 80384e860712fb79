import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { bundledWorker } from "../support/bundled-worker.ts";
import { type Durations, killDuring } from "../support/kill-during.ts";
import { type LoopbackServer, loopbackServer } from "./loopback-server.ts";
import { makePlace, type Place } from "./open-pulled.ts";

// Row G13: a pull that is killed at any moment leaves what was there or what came, whole, and the next one goes on.
// SKILLET_LONG=1 goes on until 200 kills (100 of the mirrored agent) fell into a pull.

const long = process.env.SKILLET_LONG === "1";
const worker = fileURLToPath(new URL("fixtures/pull-again-and-again.ts", import.meta.url));
const skills = ["one", "two", "three", "four"];
const parts = ["a.txt", "b/c.txt", "b/d.txt"];

let server: LoopbackServer;
let bundle: Awaited<ReturnType<typeof bundledWorker>>;
let place: Place;
let version = 0;
beforeAll(async () => {
  server = await loopbackServer();
  bundle = await bundledWorker(worker);
});
beforeEach(() => {
  place = makePlace();
  return () => place.remove();
});
afterAll(() => {
  bundle.remove();
  return server.close();
});

/** Every index is a new version, and every file says of which it is; a file of an earlier one is no longer there. */
function serveVersions(): void {
  const reply = (text: string) => (_request: unknown, response: unknown) => {
    setTimeout(() => (response as { end(text: string): void }).end(text), Math.random() * 8);
  };
  const file = (name: string, path: string) => (request: unknown, response: unknown) =>
    reply(
      path === "SKILL.md"
        ? `---\nname: ${name}\ndescription: V${version}\n---\nV${version}\n`
        : `V${version}`,
    )(request, response);
  server.serve({
    "/index.json": ((request: unknown, response: unknown) => {
      version++;
      const list = skills.map((name) => ({ name, files: ["SKILL.md", ...parts], version: `${version}` }));
      reply(JSON.stringify({ skills: list }))(request, response);
    }) as never,
    ...Object.fromEntries(
      skills.flatMap((name) =>
        ["SKILL.md", ...parts].map((path) => [`/${name}/${path}`, file(name, path) as never]),
      ),
    ),
  });
}

/** Versions that the files of one skill's folder are of. */
function versionsIn(folder: string): readonly string[] {
  const texts = ["SKILL.md", ...parts].map((path) => readFileSync(join(folder, path), "utf8"));
  return [...new Set(texts.map((text) => /V\d+/.exec(text)?.[0] ?? "none"))];
}

describe.each([
  ["skillet", long ? 200 : 4],
  ["opencode", long ? 100 : 4],
] as const)("%s", (profile, rounds) => {
  test(`a kill at any of ${rounds} moments`, async () => {
    serveVersions();
    if (profile === "skillet") place.configure({ skills: { urls: [`${server.origin}/index.json`] } });
    else {
      mkdirSync(join(place.home, ".config/opencode"), { recursive: true });
      writeFileSync(
        join(place.home, ".config/opencode/opencode.json"),
        JSON.stringify({ skills: { urls: [server.origin] } }),
      );
    }
    let [seen, during, kills] = [0, 0, 0];
    const durations: Durations = new Map();
    const args = [bundle.path, place.project, place.home, place.data, profile];
    for (; during < rounds && kills < rounds * 3; kills++) {
      const at = await killDuring(args, { operation: "pull", part: Math.random(), durations });
      if (at !== null) during += 1;
      const opened = place.open({ profile });
      const remote = opened.entries.filter(({ skill }) => skill.root.scope === "remote");
      seen = Math.max(seen, remote.length);
      if (profile === "skillet") {
        // Nothing that was offered once is lost, and each skill is of one version.
        expect(remote.length).toBe(seen);
        expect(remote.length === 0 || remote.length === skills.length).toBe(true);
        for (const { skill, hidden } of remote) {
          expect(hidden).toBeNull();
          expect(opened.load(skill.name).status).toBe("loaded");
          expect(versionsIn(skill.directory ?? "")).toHaveLength(1);
        }
      }
    }
    console.info(`${profile}: ${kills} kills, ${during} during a pull`);
    expect(during).toBeGreaterThanOrEqual(rounds);
    const after = await place.pull({}, { profile });
    expect(after.names.toSorted()).toEqual(skills.toSorted());
    for (const { skill } of after.skills.entries.filter((entry) => entry.skill.root.scope === "remote"))
      expect(versionsIn(skill.directory ?? "")).toHaveLength(1);
    if (profile !== "skillet") {
      const left = readdirSync(join(place.data, "cache/skills")).filter((name) => name.includes(".old-"));
      expect(left.length).toBeLessThanOrEqual(kills);
    }
  }, 7_200_000);
});
