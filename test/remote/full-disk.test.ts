import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type LoopbackServer, loopbackServer } from "./loopback-server.ts";
import { makePlace, type Place, skillText } from "./open-pulled.ts";

// Row G15: a disk without room for what comes. The limit on the size of a file stands for it on every system with a shell.

const script = fileURLToPath(new URL("fixtures/pull-once.ts", import.meta.url));
let server: LoopbackServer;
let place: Place;
beforeAll(async () => {
  server = await loopbackServer();
  place = makePlace();
  place.configure({ skills: { urls: [`${server.origin}/index.json`] } });
});
afterAll(async () => {
  place.remove();
  await server.close();
});

function pullWith(limit: string): Promise<string> {
  const command = `${limit} exec "$0" "$@"`;
  const args = ["--import", "tsx", script, place.project, place.home, place.data];
  const child = spawn("sh", ["-c", command, process.execPath, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (data: Buffer) => {
    output += data.toString();
  });
  return new Promise((done) => child.once("close", () => done(output)));
}

test.skipIf(process.platform === "win32")(
  "the old copy stays, nothing is left over, and the next pull works",
  async () => {
    const offer = (body: string) =>
      server.serve({
        "/index.json": JSON.stringify({ skills: [{ name: "one", files: ["SKILL.md"] }] }),
        "/one/SKILL.md": skillText("one", body),
      });
    offer("Small.");
    expect(await pullWith("")).toBe("pulled");
    offer(`Large. ${"x".repeat(400_000)}`);
    expect(await pullWith("ulimit -f 200;")).toMatch(/^failed: Cannot keep the pulled skill: .*EFBIG/);
    expect(place.open().load("one").output).toContain("Small.");
    expect(readdirSync(join(place.data, "cache/remote-v1/tmp"))).toEqual([]);
    expect(readdirSync(join(place.data, "cache/remote-v1/store"))).toHaveLength(1);
    expect(await pullWith("")).toBe("pulled");
    expect(place.open().load("one").output).toContain("Large.");
  },
  600_000,
);
