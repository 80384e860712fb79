import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { collectPacks } from "../../src/packs/collect-packs.ts";
import { answerOf, buildWorkers, crew, type Ended, startWorker } from "./build-worker.ts";
import { type Ground, ground, treeOf, wantedTree } from "./ground.ts";

// Real processes. `npm run test:long` makes a hundred rounds.
const rounds = Number(process.env.PACK_ROUNDS ?? 3);
const processes = 32;
const sources = fileURLToPath(new URL("../../skills", import.meta.url));
const packs = new Map(collectPacks(sources).map((one) => [one.pack.name, one]));
const places = { general: "builtin_skills", compose: "compose" };
const files = [...packs.values()].flatMap(({ pack }) => pack.skills.flatMap((skill) => skill.files)).length;
const allRight = `${JSON.stringify({ right: files, wrong: [], diagnostics: [] })}\n`;

const place: Ground = ground();
let built = { worker: "", starter: "" };
beforeAll(async () => {
  built = await buildWorkers(place, "1.0.0");
});
afterAll(() => place.remove());

const empty = (): void =>
  rmSync(place.data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
const several = (count: number, start: (index: number) => Promise<Ended>): Promise<readonly Ended[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => start(index)));

function treesOf(version: string): readonly (readonly [found: object, wanted: object])[] {
  return Object.entries(places).map(([name, folder]) => {
    const pack = packs.get(name);
    if (pack === undefined) throw new Error(`no pack ${name}`);
    return [treeOf(join(place.data, folder, version, "skills")), wantedTree(pack)];
  });
}

function expectWhole(version = "1.0.0"): void {
  for (const [found, wanted] of treesOf(version)) expect(found).toEqual(wanted);
  for (const folder of Object.values(places)) {
    expect(existsSync(join(place.data, folder, version, ".extracted"))).toBe(true);
    expect(readdirSync(join(place.data, folder, version, ".users"))).toEqual([]);
  }
}

/** Built-in skills of both packs. */
const count = ["general", "compose"].flatMap((pack) =>
  readdirSync(fileURLToPath(new URL(`../../skills/${pack}`, import.meta.url))),
).length;

describe("starts at once (row K01)", () => {
  it(
    `${processes} processes on an empty data folder all see one whole copy, ${rounds} rounds`,
    async () => {
      const starters = await crew(built.starter, place, processes);
      for (let round = 0; round < rounds; round++) {
        empty();
        const answers = await starters.all();
        expect(answers.filter((answer) => answer !== allRight)).toEqual([]);
        expectWhole();
        for (const folder of Object.values(places)) {
          expect(readdirSync(join(place.data, folder))).toEqual(["1.0.0"]);
          expect(readdirSync(join(place.data, folder, "1.0.0/.tmp"))).toEqual([]);
        }
      }
      await starters.end();
    },
    300_000 + rounds * 60_000,
  );

  it("the whole product gives the same answer in each of 6 processes", async () => {
    empty();
    const ended = await several(6, () => startWorker(built.worker, place));
    expect(ended.map(({ code, stderr }) => [code, stderr])).toEqual(ended.map(() => [0, ""]));
    expect(new Set(ended.map(({ stdout }) => stdout)).size).toBe(1);
    const [first] = ended.map(answerOf);
    expect(first?.skills).toHaveLength(count);
    for (const [, location, , hidden] of first?.skills ?? [])
      expect([location.startsWith(place.data), hidden]).toEqual([true, null]);
    expect(first?.bodies.every((length) => length > 500)).toBe(true);
    expect(first?.diagnostics).toEqual([]);
    expectWhole();
  });

  it(
    `a kill at any moment leaves nothing torn, ${rounds * 4} rounds`,
    async () => {
      for (let round = 0; round < rounds * 4; round++) {
        if (round % 3 === 0) empty();
        const kill = (index: number): number => 15 + ((round * 37 + index * 61) % 300);
        await several(4, (index) => startWorker(built.starter, place, { kill: kill(index) }));
        for (const [found, wanted] of treesOf("1.0.0")) expect(wanted).toMatchObject(found);
        expect((await startWorker(built.starter, place)).stdout).toBe(allRight);
        for (const [found, wanted] of treesOf("1.0.0")) expect(found).toEqual(wanted);
      }
    },
    300_000 + rounds * 60_000,
  );

  it("two versions start against each other and leave each other's folders (row G19)", async () => {
    const next = await buildWorkers(place, "2.0.0");
    for (let round = 0; round < Math.min(rounds, 20); round++) {
      empty();
      const ended = await several(8, (index) =>
        startWorker(index % 2 === 0 ? built.starter : next.starter, place),
      );
      expect(ended.filter(({ code, stdout }) => code !== 0 || stdout !== allRight)).toEqual([]);
      expectWhole("1.0.0");
      expectWhole("2.0.0");
    }
  }, 300_000);
});

const unprivileged = process.platform === "linux" && process.getuid?.() === 0;

describe.runIf(unprivileged)("a data folder that cannot be written", () => {
  const nobody = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
  beforeAll(() => {
    chmodSync(place.folder, 0o755);
    chmodSync(place.home, 0o755);
  });

  it("gives the skills from memory with one notice (rows K06, G07)", async () => {
    empty();
    mkdirSync(place.data, { mode: 0o755 });
    const ended = await startWorker(built.worker, place, { as: nobody });
    expect([ended.code, ended.stderr]).toEqual([0, ""]);
    const { skills, bodies, diagnostics } = answerOf(ended);
    expect(skills.map(([, location]) => location)).toEqual(Array.from({ length: count }, () => "<built-in>"));
    expect(skills.every(([, , , hidden]) => hidden === null)).toBe(true);
    expect(bodies.every((length) => length > 500)).toBe(true);
    expect(diagnostics.map(([code]) => code)).toEqual(["pack/in-memory"]);
    expect(diagnostics[0]?.[2]).toContain("cannot be kept on disk (EACCES)");
    expect(readdirSync(place.data)).toEqual([]);
  }, 300_000);

  it("of somebody else is left to them", async () => {
    empty();
    const owner = await startWorker(built.starter, place);
    expect([owner.stdout, owner.stderr]).toEqual([allRight, ""]);
    chmodSync(place.data, 0o755);
    const ended = await startWorker(built.worker, place, { as: nobody });
    expect(ended.stderr).toBe("");
    expect(answerOf(ended).skills).toHaveLength(count);
    expect(answerOf(ended).diagnostics.map(([code]) => code)).toEqual(["pack/in-memory"]);
  }, 300_000);
});
