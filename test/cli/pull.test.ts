import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type LoopbackServer, loopbackServer } from "../remote/loopback-server.ts";
import { skillText } from "../remote/open-pulled.ts";
import { type Sandbox, sandbox } from "./run-skillet.ts";

let server: LoopbackServer;
let place: Sandbox;
beforeAll(async () => {
  server = await loopbackServer();
});
beforeEach(() => {
  place = sandbox();
  return () => place.remove();
});
afterAll(() => server.close());

const configure = (settings: object) => {
  mkdirSync(join(place.home, ".config/skillet"), { recursive: true });
  writeFileSync(join(place.home, ".config/skillet/skillet.jsonc"), JSON.stringify(settings));
};
const offer = (...names: readonly string[]) =>
  server.serve({
    "/index.json": JSON.stringify({ skills: names.map((name) => ({ name, files: ["SKILL.md"] })) }),
    ...Object.fromEntries(names.map((name) => [`/${name}/SKILL.md`, skillText(name)])),
  });

describe("skillet pull", () => {
  test("without sources says how to name some", async () => {
    const { code, stdout, stderr } = await place.run(["pull"]);
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toContain("No sources are configured");
  });

  test("prints what came, and then nothing new", async () => {
    offer("one", "two");
    configure({ sources: { team: `${server.origin}/index.json` } });
    const first = await place.run(["pull"]);
    expect(first.code).toBe(0);
    expect(first.stdout).toContain("2 skills: 2 added");
    expect((await place.run(["pull", "team"])).stdout).toContain("nothing new");
    expect((await place.run(["list", "one"])).stdout).toMatch(/one +remote/);
    expect((await place.run(["why", "one"])).stdout).toContain('("team")');
  });

  test("--json has one shape", async () => {
    offer("one", "../evil");
    configure({ sources: { team: `${server.origin}/index.json` } });
    const { code, json } = await place.run(["pull", "--json"]);
    expect(code).toBe(1);
    expect(json()).toMatchObject({
      version: 1,
      dryRun: false,
      pruned: 0,
      sources: [
        {
          label: "team",
          address: `${server.origin}/index.json`,
          kind: "index",
          status: "pulled",
          changes: [
            {
              name: "one",
              action: "added",
              from: null,
              to: expect.stringMatching(/^sha256:/),
              files: 1,
              findings: [],
            },
          ],
          diagnostics: [{ code: "remote/entry", severity: "error" }],
        },
      ],
    });
  });

  test("a source that cannot be reached is a warning while there is a good copy, and a failure without", async () => {
    const gone = await loopbackServer();
    configure({ skills: { urls: [`${gone.origin}/index.json`] } });
    gone.serve({
      "/index.json": JSON.stringify({ skills: [{ name: "one", files: ["SKILL.md"] }] }),
      "/one/SKILL.md": skillText("one"),
    });
    expect((await place.run(["pull"])).code).toBe(0);
    await gone.close();
    const stale = await place.run(["pull"]);
    expect(stale.code).toBe(0);
    expect(stale.stdout).toContain("the last good copy stays");
    await place.run(["reset"]);
    expect((await place.run(["pull"])).code).toBe(1);
  });

  test("a name that is no source ends with 3, a profile without sources with 2", async () => {
    configure({ sources: { team: `${server.origin}/index.json` } });
    const { code, stderr } = await place.run(["pull", "tean"]);
    expect(code).toBe(3);
    expect(stderr).toContain("team");
    expect((await place.run(["pull", "--as", "minimax"])).code).toBe(2);
  });

  test("hostile texts of a server come out safe", async () => {
    server.serve({
      "/index.json": JSON.stringify({
        skills: [
          { name: "\u001b[2Ja\r\nb\u202e", files: [] },
          { name: "x", files: ["\u001b]0;x\u0007"] },
        ],
      }),
    });
    configure({ sources: { team: `${server.origin}/index.json` } });
    const { stdout, stderr } = await place.run(["pull", "-v"]);
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f\u202e]/);
  });
});
