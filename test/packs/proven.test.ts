import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  fixturePack,
  type Ground,
  ground,
  provide,
  skillText,
  storeOf,
  treeOf,
  wantedTree,
} from "./ground.ts";

let place: Ground;
beforeEach(() => {
  place = ground();
});
afterEach(() => place.remove());

const skills = (): string => join(place.data, "builtin_skills/1.0.0/skills");
const edited = (): string => join(place.data, "builtin_skills/edited/1.0.0");
const codes = (provided: ReturnType<typeof provide>): readonly string[] =>
  provided.diagnostics.map(({ code }) => code);

/** A first start, so that a whole copy with a marker lies there. */
function started() {
  const pack = fixturePack(place);
  const store = storeOf(pack);
  provide(place, { store }).release();
  return { pack, store };
}

describe("a first start", () => {
  it("lays the pack out whole, with a marker, and serves it as built-in (features M2, M3)", () => {
    const pack = fixturePack(place);
    const provided = provide(place, { store: storeOf(pack) });
    expect(treeOf(skills())).toEqual(wantedTree(pack));
    expect(provided.diagnostics).toEqual([]);
    expect(provided.roots).toMatchObject([
      { path: skills(), scope: "builtin", bundled: true, needsTrust: false },
    ]);
    expect(
      JSON.parse(readFileSync(join(place.data, "builtin_skills/1.0.0/.extracted"), "utf8")),
    ).toMatchObject({
      version: "1.0.0",
      skills: ["alpha", "beta", "claude-code", "pdf-official"],
    });
    provided.release();
  });

  it("keeps everything private and never writable by others, whatever the umask (row G08)", () => {
    for (const umask of [0, 0o777]) {
      const before = process.umask(umask);
      try {
        provide(place, { store: storeOf(fixturePack(place)) }).release();
      } finally {
        process.umask(before);
      }
      for (const path of ["alpha", "alpha/SKILL.md", "alpha/scripts/deep/run.sh"])
        expect(lstatSync(join(skills(), path)).mode & 0o022).toBe(0);
      expect(lstatSync(join(skills(), "alpha/scripts/deep/run.sh")).mode & 0o700).toBe(0o700);
      rmSync(place.data, { recursive: true });
    }
  });
});

describe("a later start", () => {
  it("writes nothing and says nothing when nothing changed", () => {
    const { store } = started();
    const before = lstatSync(join(place.data, "builtin_skills/1.0.0/.extracted")).ino;
    expect(provide(place, { store }).diagnostics).toEqual([]);
    expect(lstatSync(join(place.data, "builtin_skills/1.0.0/.extracted")).ino).toBe(before);
  });

  const damages: readonly (readonly [string, () => void])[] = [
    ["a missing file", () => rmSync(join(skills(), "alpha/assets/picture.bin"))],
    ["a missing folder", () => rmSync(join(skills(), "alpha/scripts"), { recursive: true })],
    ["a missing skill", () => rmSync(join(skills(), "alpha"), { recursive: true })],
    ["a missing skills folder", () => rmSync(skills(), { recursive: true })],
    ["a file cut off", () => truncateSync(join(skills(), "alpha/SKILL.md"), 20)],
    ["an empty file", () => truncateSync(join(skills(), "alpha/SKILL.md"), 0)],
    ["a tail of zeros", () => truncateSync(join(skills(), "alpha/SKILL.md"), 4096)],
    ["a script that cannot be run", () => chmodSync(join(skills(), "alpha/scripts/deep/run.sh"), 0o644)],
    ["an empty marker", () => writeFileSync(join(place.data, "builtin_skills/1.0.0/.extracted"), "")],
    ["a marker of nonsense", () => writeFileSync(join(place.data, "builtin_skills/1.0.0/.extracted"), "[1,")],
    ["an empty folder added", () => mkdirSync(join(skills(), "alpha/empty"))],
  ];
  it.each(damages)("mends %s, keeps nothing aside and is silent afterwards", (_, damage) => {
    const { pack, store } = started();
    damage();
    const provided = provide(place, { store });
    expect(treeOf(skills())).toEqual(wantedTree(pack));
    expect(codes(provided).filter((code) => code !== "pack/repaired")).toEqual([]);
    expect(treeOf(edited())).toEqual({});
    expect(provide(place, { store }).diagnostics).toEqual([]);
  });

  it("notices an edit even when size and time were put back (row K03)", () => {
    const { pack, store } = started();
    const path = join(skills(), "beta/SKILL.md");
    const { atime, mtime } = lstatSync(path);
    const mine = readFileSync(path, "utf8").replace("What", "That");
    writeFileSync(path, mine);
    utimesSync(path, atime, mtime);
    const provided = provide(place, { store });
    expect(treeOf(skills())).toEqual(wantedTree(pack));
    expect(treeOf(edited())).toEqual({ "beta/SKILL.md": mine });
    expect(provided.diagnostics).toMatchObject([
      { code: "pack/edited", severity: "warning", path: join(edited(), "beta/SKILL.md") },
    ]);
    expect(provided.diagnostics[0]?.hint).toContain("~/.skillet/skills/beta");
  });

  it("keeps every different edit, and equal ones once", () => {
    const { store } = started();
    for (const mine of ["one", "two", "one", "three"]) {
      writeFileSync(join(skills(), "beta/SKILL.md"), mine);
      provide(place, { store });
    }
    expect(treeOf(edited())).toEqual({
      "beta/SKILL.md": "one",
      "beta/SKILL.md.2": "two",
      "beta/SKILL.md.3": "three",
    });
  });

  it("keeps extra files, folders and skills aside and serves none of them", () => {
    const { pack, store } = started();
    place.write(
      {
        "alpha/notes.txt": "mine",
        "alpha/own/deep/file": "mine",
        "own-skill/SKILL.md": skillText("own"),
        "loose.md": "x",
      },
      skills(),
    );
    const provided = provide(place, { store });
    expect(treeOf(skills())).toEqual(wantedTree(pack));
    expect(treeOf(edited())).toEqual({
      "alpha/notes.txt": "mine",
      "alpha/own/deep/file": "mine",
      "loose.md": "x",
      "own-skill/SKILL.md": skillText("own"),
    });
    expect(codes(provided)).toEqual(["pack/edited", "pack/edited", "pack/edited", "pack/edited"]);
  });

  it("does not mistake an earlier build's files for an edit", () => {
    started();
    const next = fixturePack(place, { "beta/SKILL.md": skillText("beta", "Better.") });
    const provided = provide(place, { store: storeOf(next) });
    expect(treeOf(skills())).toEqual(wantedTree(next));
    expect([codes(provided), treeOf(edited())]).toEqual([["pack/repaired"], {}]);
  });

  it("leaves what systems put into every folder", () => {
    const { store } = started();
    place.write({ "alpha/.DS_Store": "finder", "Thumbs.db": "explorer" }, skills());
    expect(provide(place, { store }).diagnostics).toEqual([]);
    expect(readFileSync(join(skills(), "alpha/.DS_Store"), "utf8")).toBe("finder");
  });

  it("reads no skill when nothing changed", () => {
    const { pack, store } = started();
    // Bytes of the package that would be noticed at the first look at any of them.
    const blind = storeOf({ ...pack, bytes: new Uint8Array() });
    expect(provide(place, { store: blind }).diagnostics).toEqual([]);
    const begin = process.cpuUsage();
    for (let time = 0; time < 200; time++) provide(place, { store });
    const { user, system } = process.cpuUsage(begin);
    // Half a millisecond on an idle machine, environment included; processor time, since other tests run beside this.
    expect((user + system) / 200 / 1000).toBeLessThan(4);
  });
});

describe("links and files in the way (row K04)", () => {
  const outside = (): string => join(place.folder, "outside");
  beforeEach(() => place.write({ "outside/SKILL.md": "canary", "outside/alpha/SKILL.md": "canary" }));
  const untouched = (): void =>
    expect(treeOf(outside())).toEqual({ "SKILL.md": "canary", "alpha/SKILL.md": "canary" });

  it.each(["", "/1.0.0", "/1.0.0/skills"])("a link as builtin_skills%s is not followed", (below) => {
    const target = join(place.data, `builtin_skills${below}`);
    mkdirSync(join(target, ".."), { recursive: true });
    symlinkSync(outside(), target);
    const provided = provide(place, { store: storeOf(fixturePack(place)) });
    untouched();
    expect(provided.roots).toEqual([]);
    expect(provided.embedded.map(({ name, location }) => [name, location])).toEqual(
      ["alpha", "beta", "claude-code", "pdf-official"].map((name) => [name, "<built-in>"]),
    );
    expect(provided.diagnostics).toMatchObject([{ code: "pack/in-memory", path: target }]);
    expect(provided.diagnostics[0]?.message).toContain("it is a link");
  });

  it("a file as builtin_skills is left alone", () => {
    place.write({ "data/builtin_skills": "mine" });
    const provided = provide(place, { store: storeOf(fixturePack(place)) });
    expect(provided.embedded).toHaveLength(4);
    expect(codes(provided)).toEqual(["pack/in-memory"]);
    expect(readFileSync(join(place.data, "builtin_skills"), "utf8")).toBe("mine");
  });

  it.each(["alpha", "alpha/SKILL.md", "alpha/scripts", "alpha/assets/picture.bin"])(
    "a link as %s is kept aside as a link, and nothing behind it is touched",
    (path) => {
      const { pack, store } = started();
      rmSync(join(skills(), path), { recursive: true });
      symlinkSync(outside(), join(skills(), path));
      const provided = provide(place, { store });
      untouched();
      expect(treeOf(skills())).toEqual(wantedTree(pack));
      expect(treeOf(edited())).toEqual({ [path]: `-> ${outside()}` });
      expect(codes(provided)).toContain("pack/edited");
    },
  );

  it("a folder in a file's place and a file in a folder's place are kept aside", () => {
    const { pack, store } = started();
    rmSync(join(skills(), "beta/SKILL.md"));
    place.write({ "beta/SKILL.md/inner": "mine" }, skills());
    rmSync(join(skills(), "alpha"), { recursive: true });
    place.write({ alpha: "mine too" }, skills());
    provide(place, { store });
    expect(treeOf(skills())).toEqual(wantedTree(pack));
    expect(treeOf(edited())).toEqual({ "beta/SKILL.md/inner": "mine", alpha: "mine too" });
  });

  it("edits that cannot be kept stay where they are, and the pack is served from memory", () => {
    const { store } = started();
    symlinkSync(outside(), join(place.data, "builtin_skills/edited"));
    writeFileSync(join(skills(), "beta/SKILL.md"), "mine");
    const provided = provide(place, { store });
    untouched();
    expect(readFileSync(join(skills(), "beta/SKILL.md"), "utf8")).toBe("mine");
    expect([codes(provided), provided.embedded.length]).toEqual([["pack/in-memory"], 4]);
  });
});

describe("switches and programs", () => {
  it("hide skills and leave the shared files alone (row K02, feature M8)", () => {
    const { pack, store } = started();
    for (const options of [{ env: { SKILLET_DISABLE_BUILTIN_SKILLS: "TRUE" } }, { builtin: false }]) {
      const provided = provide(place, { store, ...options });
      expect([provided.roots, provided.embedded, provided.diagnostics]).toEqual([[], [], []]);
      expect(provided.decisions).toMatchObject([{ stage: "root", outcome: "off", reason: "switched-off" }]);
      expect(treeOf(skills())).toEqual(wantedTree(pack));
    }
    expect(provide(place, { store, env: { SKILLET_DISABLE_BUILTIN_SKILLS: "yes" } }).roots).toHaveLength(1);
  });

  it("a skill whose program is missing is not served, and why is recorded (feature M4)", () => {
    const needs = { skills: { beta: { requires: { bins: ["nowhere"] } } } };
    const pack = fixturePack(place, { "pack.json": JSON.stringify(needs) });
    const provided = provide(place, { store: storeOf(pack) });
    expect(treeOf(skills())).toEqual(wantedTree(pack, ["alpha", "claude-code", "pdf-official"]));
    expect(provided.decisions).toMatchObject([
      { stage: "gate", outcome: "off", reason: "missing-program", path: join(skills(), "beta") },
    ]);
    expect(provided.roots[0]?.scan.ignore.has("beta")).toBe(true);
    expect(provide(place, { store: storeOf(pack), programs: ["nowhere"] }).decisions).toEqual([]);
    expect(treeOf(skills())).toEqual(wantedTree(pack));
  });
});

describe("a damaged package (row K07)", () => {
  it("is said, and what is right on disk or in it goes on", () => {
    const pack = fixturePack(place);
    const bytes = Uint8Array.from(pack.bytes);
    bytes[3] = (bytes[3] ?? 0) ^ 1; // in alpha/SKILL.md
    const provided = provide(place, { store: storeOf({ ...pack, bytes }) });
    expect(codes(provided)).toEqual(["pack/damaged"]);
    expect(treeOf(skills())).toEqual(wantedTree(pack, ["beta", "claude-code", "pdf-official"]));
    expect(provided.roots[0]?.scan.ignore.has("alpha")).toBe(true);
  });

  it("does not matter while the copy on disk is right", () => {
    const { pack } = started();
    const provided = provide(place, { store: storeOf({ ...pack, bytes: new Uint8Array() }) });
    expect([provided.diagnostics, provided.roots.length]).toEqual([[], 1]);
  });
});

it("repairs a copy whose folder was moved from elsewhere", () => {
  const { pack, store } = started();
  renameSync(place.data, `${place.data}2`);
  renameSync(`${place.data}2`, place.data);
  expect(provide(place, { store }).diagnostics).toEqual([]);
  expect(treeOf(skills())).toEqual(wantedTree(pack));
});
