import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { inspectSkill } from "../../src/host/packs/inspect-skill.ts";
import { packFolders } from "../../src/host/packs/pack-folder.ts";
import { provePack } from "../../src/host/packs/proven-pack.ts";
import { runSteps, type Steps } from "../../src/host/packs/steps.ts";
import { collectPack } from "../../src/packs/collect-pack.ts";
import { ground, skillText, storeOf, treeOf, wantedTree } from "./ground.ts";

// Several starts at once, cut into their single steps on a real disk and interleaved in any order, each of which may
// be killed after any step. Real processes do the same in storm.test.ts, where the order is the system's.

const place = ground();
afterAll(() => place.remove());

place.write(
  { "one/SKILL.md": skillText("one"), "one/data/x.bin": "x".repeat(100), "two/SKILL.md": skillText("two") },
  join(place.folder, "pack"),
);
const collected = collectPack(join(place.folder, "pack"), { name: "general" });
const store = storeOf(collected);
const { pack } = collected;

/** What lies there before: nothing, a whole copy, and every kind of damage. */
const beginnings: Readonly<Record<string, (skills: string) => void>> = {
  nothing: () => {},
  "a whole copy": () => {},
  "an empty skill folder": (skills) => mkdirSync(join(skills, "one"), { recursive: true }),
  "a half skill": (skills) => place.write({ "one/SKILL.md": skillText("one").slice(0, 9) }, skills),
  "an edit": (skills) => place.write({ "one/SKILL.md": "mine", "two/SKILL.md": skillText("two") }, skills),
  "extra files": (skills) => place.write({ "one/own.txt": "mine", "three/SKILL.md": "mine" }, skills),
  "a file in a folder's place": (skills) => place.write({ "one/data": "mine" }, skills),
};

let round = 0;

function open(beginning: string) {
  const data = join(place.folder, `data-${round++}`);
  const folders = packFolders(data, "builtin_skills", "1.0.0");
  const request = {
    folders,
    pack,
    version: "1.0.0",
    enabled: ["one", "two"],
    bytes: (file: Parameters<typeof store.bytes>[1]) => store.bytes(pack, file),
  };
  mkdirSync(data);
  if (beginning === "a whole copy") runSteps(provePack(request));
  if (beginning !== "nothing") {
    mkdirSync(folders.skills, { recursive: true });
    beginnings[beginning]?.(folders.skills);
  }
  return { data, folders, request };
}

/** Nothing that a reader meets may be torn: each file is what lay there before, or right. */
function expectNotTorn(skills: string, before: Readonly<Record<string, string>>): void {
  const right = wantedTree(collected);
  for (const [path, content] of Object.entries(treeOf(skills)))
    expect([right[path], before[path]], path).toContain(content);
  for (const skill of pack.skills) {
    const fresh = !Object.keys(before).some((path) => path.startsWith(`${skill.name}/`));
    const found = inspectSkill(join(skills, skill.name), skill);
    // A skill that was not there appears whole or not at all.
    if (fresh && !found.absent && readdirSync(join(skills, skill.name)).length > 0)
      expect(found.deviations).toEqual([]);
  }
}

it("any interleaving of starts, with kills at any step, leaves nothing torn and loses no edit", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.keys(beginnings)),
      fc.integer({ min: 2, max: 4 }),
      fc.array(fc.record({ who: fc.nat({ max: 3 }), kill: fc.integer({ min: 0, max: 30 }) }), {
        maxLength: 150,
      }),
      (beginning, count, schedule) => {
        const { data, folders, request } = open(beginning);
        const before = treeOf(folders.skills);
        const starts: (Steps<unknown> | null)[] = Array.from({ length: count }, () => provePack(request));
        for (const { who, kill } of schedule) {
          const steps = starts[who % count];
          if (steps === null || steps === undefined) continue;
          // A killed process runs nothing more, no clean-up either.
          if (kill === 0) starts[who % count] = null;
          else if (steps.next().done === true) starts[who % count] = null;
          expectNotTorn(folders.skills, before);
        }
        const after = starts.filter((steps) => steps !== null);
        for (const steps of after) runSteps(steps);
        const last = runSteps(provePack(request));
        expect(treeOf(folders.skills)).toEqual(wantedTree(collected));
        const kept = Object.values(treeOf(folders.edited));
        for (const content of Object.values(before)) if (content === "mine") expect(kept).toContain("mine");
        expect(last.damaged).toEqual([]);
        expect(runSteps(provePack(request)).unchanged).toBe(true);
        rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
      },
    ),
    { numRuns: 60 * Math.min(Number(process.env.PACK_ROUNDS ?? 1), 20) },
  );
});

it("a user who writes while it is mended loses nothing", () => {
  fc.assert(
    fc.property(fc.nat({ max: 25 }), (step) => {
      const { data, folders, request } = open("an edit");
      const steps = provePack(request);
      let done = false;
      for (let at = 0; at < step && !done; at++) done = steps.next().done === true;
      writeFileSync(join(folders.skills, "two/SKILL.md"), "written meanwhile");
      if (!done) runSteps(steps);
      runSteps(provePack(request));
      const everywhere = [...Object.values(treeOf(folders.edited)), ...Object.values(treeOf(folders.skills))];
      expect(everywhere).toContain("written meanwhile");
      expect(treeOf(folders.skills)).toEqual(wantedTree(collected));
      rmSync(data, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    }),
    { numRuns: 40 },
  );
});
