import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { openSkills } from "../../src/host/open-skills.ts";
import { nodeWatchSystem } from "../../src/host/watch/watch-system.ts";
import { calm, type Ground, ground, shownBy, skill, until, type Watching, watching } from "./ground.ts";

// Rows I01–I03, I05, I06: what a busy disk does to a watcher. Looks are counted by the clock they ask for.

let made: Ground;
let open: Watching | null = null;
afterEach(() => {
  open?.skills.close();
  open = null;
  made.end();
});

const seconds = Number(process.env.SKILLET_CHURN_SECONDS ?? 2);

describe("many changes", () => {
  it("1,000 writes of one file end in the last text after few looks", async () => {
    made = ground();
    made.write(".agents/skills/a/SKILL.md", skill("a", "Start."));
    const watched = await watching(made.options);
    open = watched;
    const began = performance.now();
    for (let count = 1; count <= 1_000; count += 1) {
      made.write(".agents/skills/a/SKILL.md", skill("a", `Number ${count}.`));
      if (count % 50 === 0) await sleep(1);
    }
    await watched.shows({ a: "Number 1000." });
    await calm(() => watched.changes.length);
    expect(watched.changes.length).toBeLessThanOrEqual(2 + (performance.now() - began) / 200);
  });

  it("2,000 new files are at most one look per 100 ms", async () => {
    made = ground();
    made.write(".agents/skills/a/SKILL.md", skill("a", "Start."));
    const looks: number[] = [];
    const watched = await watching(made.options, {
      system: {
        ...nodeWatchSystem,
        stamp(path, options) {
          // Every look asks for the top folder once, when handles are set.
          if (path === "/") looks.push(performance.now());
          return nodeWatchSystem.stamp(path, options);
        },
      },
    });
    open = watched;
    await calm(() => looks.length);
    const before = looks.length;
    const began = performance.now();
    for (let count = 0; count < 2_000; count += 1) {
      writeFileSync(made.path(`.agents/skills/note-${count}.txt`), "x");
      if (count % 100 === 0) await sleep(1);
    }
    made.write(".agents/skills/z/SKILL.md", skill("z", "Last."));
    await watched.shows({ a: "Start.", z: "Last." });
    await calm(() => looks.length);
    // A look that opened handles is followed by a second one at once.
    expect(looks.length - before).toBeLessThanOrEqual(3 + (performance.now() - began) / 100);
    const idle = looks.length;
    await sleep(500);
    expect(looks.length).toBe(idle);
  });

  it("after churn the list is the one of a fresh look", async () => {
    made = ground();
    const watched = await watching(made.options);
    open = watched;
    // Linear congruence: the same churn every time.
    let state = 7;
    const next = (below: number): number => {
      state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((state / 2_147_483_648) * below);
    };
    const roots = [".agents/skills", ".claude/skills", "~/.agents/skills", ".agents/skills/group"];
    const name = () => `s${next(6)}`;
    const place = () => `${roots[next(roots.length)]}/${name()}`;
    const acts: readonly (() => void)[] = [
      () => made.write(`${place()}/SKILL.md`, skill(name(), `Text ${next(1_000)}.`)),
      () => made.write(`${place()}/SKILL.md`, skill(name(), `Text ${next(1_000)}.`)),
      () => made.replace(`${place()}/SKILL.md`, skill(name(), `Text ${next(1_000)}.`)),
      () => made.remove(place()),
      () => renameSync(made.path(place()), made.path(place())),
      () => symlinkSync(made.path(`~/.agents/skills/${name()}`), made.path(place())),
      () => made.write(`${place()}/SKILL.md`, "---\nname: broken"),
      () => made.remove(roots[next(roots.length)] ?? ""),
      () => mkdirSync(made.path(place()), { recursive: true }),
    ];
    const end = performance.now() + seconds * 1_000;
    let done = 0;
    while (performance.now() < end) {
      try {
        acts[next(acts.length)]?.();
        done += 1;
      } catch {
        // Nothing is there to move, or something is in the way.
      }
      if (next(10) === 0) await sleep(next(40));
    }
    expect(done).toBeGreaterThan(20);
    await until(() => {
      const fresh = openSkills(made.options);
      const same =
        fresh.snapshot.version === watched.skills.snapshot.version &&
        JSON.stringify(shownBy(fresh)) === JSON.stringify(watched.shown());
      fresh.close();
      return same;
    }, "the same as a fresh look");
    expect(watched.skills.reload()).toBe(false);
  });
});

describe("how editors write", () => {
  it.each<readonly [string, (path: string, text: string) => void]>([
    ["in place", (path, text) => writeFileSync(path, text)],
    [
      "by a temporary file and a rename",
      (path, text) => {
        writeFileSync(`${path}.tmp`, text);
        renameSync(`${path}.tmp`, path);
      },
    ],
    [
      "with a probe file, a swap file and a backup",
      (path, text) => {
        const folder = path.slice(0, path.lastIndexOf("/"));
        writeFileSync(`${folder}/.SKILL.md.swp`, "swap");
        writeFileSync(`${folder}/4913`, "");
        rmSync(`${folder}/4913`);
        renameSync(path, `${path}~`);
        writeFileSync(path, text);
        rmSync(`${path}~`);
        rmSync(`${folder}/.SKILL.md.swp`);
      },
    ],
  ])("%s: one event, and none for a file that was only touched", async (_how, save) => {
    made = ground();
    made.write(".agents/skills/a/SKILL.md", skill("a", "Start."));
    const watched = await watching(made.options);
    open = watched;
    save(made.path(".agents/skills/a/SKILL.md"), skill("a", "Saved."));
    await watched.shows({ a: "Saved." });
    await calm(() => watched.changes.length);
    expect(watched.changes.map(({ changed }) => changed.map(({ what }) => what))).toEqual([
      [["description"]],
    ]);
    save(made.path(".agents/skills/a/SKILL.md"), skill("a", "Saved."));
    await calm(() => watched.changes.length, 1_000);
    expect(watched.changes).toHaveLength(1);
  });

  it("a file that is written in pieces is never published in pieces", async () => {
    made = ground();
    const path = made.path(".agents/skills/a/SKILL.md");
    made.write(".agents/skills/a/SKILL.md", skill("a", "Start."));
    const watched = await watching(made.options, { quiet: 20, most: 60, patience: 20_000 });
    open = watched;
    const seen = new Set<string | null | undefined>();
    watched.skills.on("change", () => seen.add(watched.shown().a));
    for (let round = 0; round < 3; round += 1) {
      const text = skill("a", `Round ${round} of a text that takes a while.`);
      truncateSync(path, 0);
      for (const cut of [5, 17, 40]) {
        await sleep(90);
        appendFileSync(path, text.slice({ 5: 0, 17: 5, 40: 17 }[cut] ?? 0, cut));
      }
      await sleep(90);
      appendFileSync(path, text.slice(40));
      await until(() => watched.shown().a === `Round ${round} of a text that takes a while.`, "it is whole");
    }
    expect([...seen]).toEqual([0, 1, 2].map((round) => `Round ${round} of a text that takes a while.`));
  });

  it("a file that stays broken is told of after a moment", async () => {
    made = ground();
    made.write(".agents/skills/a/SKILL.md", skill("a", "Start."));
    const watched = await watching(made.options, { patience: 300 });
    open = watched;
    made.write(".agents/skills/a/SKILL.md", "---\nname: a\ndescription: Half");
    await watched.shows({});
    expect(watched.changes.at(-1)?.removed).toMatchObject([{ name: "a", reason: "broken" }]);
    made.write(".agents/skills/a/SKILL.md", skill("a", "Whole again."));
    await watched.shows({ a: "Whole again." });
    expect(watched.skills.load("a").status).toBe("loaded");
  });
});
