import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectPacks } from "../../src/packs/collect-packs.ts";
import { answerOf, buildWorker, startWorker } from "./build-worker.ts";
import { type Ground, ground, treeOf, wantedTree } from "./ground.ts";

// Real processes. `npm run test:long` makes a hundred rounds of each.
const rounds = Number(process.env.SKILLET_PACK_ROUNDS ?? 3);
const processes = 32;
const sources = fileURLToPath(new URL("../../skills", import.meta.url));
const packs = new Map(collectPacks(sources).map((one) => [one.pack.name, one]));
const places = { general: "builtin_skills", compose: "compose" };

const place: Ground = ground();
let worker = "";
beforeAll(async () => {
  worker = await buildWorker(place, "1.0.0");
});
afterAll(() => place.remove());

function expectWhole(version = "1.0.0"): void {
  for (const [name, folder] of Object.entries(places)) {
    const pack = packs.get(name);
    if (pack === undefined) throw new Error(`no pack ${name}`);
    expect(treeOf(join(place.data, folder, version, "skills"))).toEqual(wantedTree(pack));
    expect(existsSync(join(place.data, folder, version, ".extracted"))).toBe(true);
    expect(readdirSync(join(place.data, folder, version, ".users"))).toEqual([]);
  }
}

describe("starts at once (row K01)", () => {
  it(
    `${processes} processes on an empty data folder all see one whole copy, ${rounds} rounds`,
    async () => {
      for (let round = 0; round < rounds; round++) {
        rmSync(place.data, { recursive: true, force: true });
        const ended = await Promise.all(Array.from({ length: processes }, () => startWorker(worker, place)));
        expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
        const answers = new Set(ended.map(({ stdout }) => stdout));
        expect(answers.size).toBe(1);
        const [first] = ended.map(answerOf);
        expect(first?.skills).toHaveLength(16);
        expect(
          first?.skills.every(([, location, , hidden]) => location.startsWith(place.data) && hidden === null),
        ).toBe(true);
        expect(first?.bodies.every((length) => length > 500)).toBe(true);
        expect(first?.diagnostics).toEqual([]);
        expectWhole();
        expect(readdirSync(join(place.data, "builtin_skills")).sort()).toEqual(["1.0.0"]);
        for (const folder of Object.values(places))
          expect(readdirSync(join(place.data, folder, "1.0.0/.tmp"))).toEqual([]);
      }
    },
    120_000 + rounds * 30_000,
  );

  it(
    `a kill at any moment leaves nothing torn, ${rounds * 5} rounds`,
    async () => {
      for (let round = 0; round < rounds * 5; round++) {
        if (round % 3 === 0) rmSync(place.data, { recursive: true, force: true });
        const kills = Array.from({ length: 4 }, (_, index) => 20 + ((round * 37 + index * 61) % 400));
        await Promise.all(kills.map((kill) => startWorker(worker, place, { kill })));
        for (const [name, folder] of Object.entries(places)) {
          const wanted = packs.get(name);
          const found = treeOf(join(place.data, folder, "1.0.0/skills"));
          const whole = wanted === undefined ? {} : wantedTree(wanted);
          for (const [path, content] of Object.entries(found)) expect(content, path).toBe(whole[path]);
        }
        const last = await startWorker(worker, place);
        expect([last.code, answerOf(last).skills.length]).toEqual([0, 16]);
        expectWholeCopies();
      }
    },
    120_000 + rounds * 60_000,
  );

  it("two versions start against each other and leave each other's folders (row G19)", async () => {
    const next = await buildWorker(place, "2.0.0");
    for (let round = 0; round < Math.min(rounds, 20); round++) {
      rmSync(place.data, { recursive: true, force: true });
      const ended = await Promise.all(
        Array.from({ length: 8 }, (_, index) => startWorker(index % 2 === 0 ? worker : next, place)),
      );
      expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
      expectWhole("1.0.0");
      expectWhole("2.0.0");
    }
  }, 180_000);
});

/** Whole copies; leases of killed processes may lie about until another version cleans them up. */
function expectWholeCopies(): void {
  for (const [name, folder] of Object.entries(places)) {
    const pack = packs.get(name);
    expect(treeOf(join(place.data, folder, "1.0.0/skills"))).toEqual(
      pack === undefined ? {} : wantedTree(pack),
    );
  }
}

describe.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "a data folder that cannot be written",
  () => {
    const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
    beforeAll(() => {
      chmodSync(place.folder, 0o755);
      chmodSync(place.home, 0o755);
    });

    it("gives the skills from memory with one notice (rows K06, G07)", async () => {
      rmSync(place.data, { recursive: true, force: true });
      mkdirSync(place.data, { mode: 0o755 });
      const ended = await startWorker(worker, place, { as: nobody });
      expect([ended.code, ended.stderr]).toEqual([0, ""]);
      const { skills, bodies, diagnostics } = answerOf(ended);
      expect(skills.map(([, location]) => location)).toEqual(Array.from({ length: 16 }, () => "<built-in>"));
      expect(skills.every(([, , , hidden]) => hidden === null)).toBe(true);
      expect(bodies.every((length) => length > 500)).toBe(true);
      expect(diagnostics.map(([code]) => code)).toEqual(["pack/in-memory"]);
      expect(readdirSync(place.data)).toEqual([]);
    });

    it("of somebody else is left to them", async () => {
      rmSync(place.data, { recursive: true, force: true });
      await startWorker(worker, place);
      chmodSync(place.data, 0o755);
      const ended = await startWorker(worker, place, { as: nobody });
      expect(answerOf(ended).skills).toHaveLength(16);
      expect(answerOf(ended).diagnostics.map(([code]) => code)).toEqual(["pack/in-memory"]);
    });
  },
);
