import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isOlderVersion } from "../../src/core/packs/older-version.ts";
import {
  fixturePack,
  type Ground,
  ground,
  policyOf,
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

const top = (): string => join(place.data, "builtin_skills");
const start = (version: string, grace?: number) => {
  const pack = fixturePack(place, { "beta/SKILL.md": skillText("beta", version) });
  const options = grace === undefined ? {} : { grace };
  return {
    pack,
    provided: provide(place, { store: storeOf(pack), policy: policyOf({ version }), ...options }),
  };
};
const versions = (): readonly string[] => readdirSync(top()).sort();

describe("versions side by side (rows G19, K05)", () => {
  it("have their own folders, and no start touches another's", () => {
    const starts = ["1.0.0", "2.0.0-beta.1", "2.0.0", "1.5.0"].map((version) => start(version));
    for (const { pack, provided } of starts)
      expect(treeOf(provided.roots[0]?.path ?? "")).toEqual(wantedTree(pack));
    expect(versions()).toEqual(["1.0.0", "1.5.0", "2.0.0", "2.0.0-beta.1"]);
  });

  it("an older one goes when nobody uses it and the grace time is over", () => {
    start("1.0.0").provided.release();
    start("2.0.0").provided.release();
    expect(versions()).toEqual(["1.0.0", "2.0.0"]);
    start("2.0.0", 0).provided.release();
    expect(versions()).toEqual(["2.0.0"]);
  });

  it("an older one stays while a process uses it", () => {
    const old = start("1.0.0");
    start("2.0.0", 0);
    expect(versions()).toEqual(["1.0.0", "2.0.0"]);
    old.provided.release();
    start("2.0.0", 0);
    expect(versions()).toEqual(["2.0.0"]);
  });

  it("leases of dead processes and other machines", () => {
    start("1.0.0").provided.release();
    const users = join(top(), "1.0.0/.users");
    mkdirSync(users, { recursive: true });
    writeFileSync(join(users, "999999999-000000000000"), hostname());
    writeFileSync(join(users, "1-000000000000"), "another-machine");
    start("2.0.0", 0);
    expect(readdirSync(users)).toEqual(["1-000000000000"]);
    const longAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
    utimesSync(join(users, "1-000000000000"), longAgo, longAgo);
    start("2.0.0", 0);
    expect(versions()).toEqual(["2.0.0"]);
  });

  it("newer ones, names that are no version, links and foreign folders stay", () => {
    place.write(
      { "notes.txt": "mine", "v2/x": "mine", "0.1.0/skills/a/SKILL.md": "no marker of ours" },
      top(),
    );
    start("3.0.0").provided.release();
    symlinkSync(place.home, join(top(), "0.0.1"));
    start("2.0.0", 0);
    expect(versions()).toEqual(["0.0.1", "0.1.0", "2.0.0", "3.0.0", "notes.txt", "v2"]);
  });

  it("edits in an old version are kept before it goes", () => {
    start("1.0.0").provided.release();
    place.write({ "beta/SKILL.md": "mine", "own/SKILL.md": "also mine" }, join(top(), "1.0.0/skills"));
    const { provided } = start("2.0.0", 0);
    expect(versions()).toEqual(["2.0.0", "edited"]);
    expect(treeOf(join(top(), "edited"))).toEqual({
      "1.0.0/beta/SKILL.md": "mine",
      "1.0.0/own/SKILL.md": "also mine",
    });
    expect(provided.diagnostics.map(({ code }) => code)).toEqual(["pack/edited", "pack/edited"]);
  });

  it("half-made folders of dead processes go after a day, others stay", () => {
    start("1.0.0").provided.release();
    const staging = join(top(), "1.0.0/.tmp");
    const yesterday = new Date(Date.now() - 25 * 3_600_000);
    for (const name of ["999999999-000000000000", "999999998-000000000000", `${process.pid}-000000000000`]) {
      place.write({ [`${name}/SKILL.md`]: "half" }, staging);
      if (!name.startsWith("999999998")) utimesSync(join(staging, name), yesterday, yesterday);
    }
    start("1.0.0");
    expect(readdirSync(staging).sort()).toEqual(
      ["999999998-000000000000", `${process.pid}-000000000000`].sort(),
    );
    expect(existsSync(join(staging, "999999999-000000000000"))).toBe(false);
    expect(readFileSync(join(staging, "999999998-000000000000/SKILL.md"), "utf8")).toBe("half");
  });
});

describe("order of versions", () => {
  const order = [
    "0.1.0",
    "0.2.0-alpha",
    "0.2.0-alpha.1",
    "0.2.0-alpha.2",
    "0.2.0-alpha.10",
    "0.2.0-beta",
    "0.2.0",
    "1.0.0",
    "10.0.0",
  ];
  it("is that of semantic versions", () => {
    for (const [i, a] of order.entries())
      for (const [j, b] of order.entries()) expect([a, b, isOlderVersion(a, b)]).toEqual([a, b, i < j]);
  });
  it("knows nothing about other names", () => {
    for (const name of ["local", "v1", "edited", "", "1.0", "..", "1.0.0.0"])
      expect([isOlderVersion(name, "9.0.0"), isOlderVersion("0.0.1", name)]).toEqual([false, false]);
  });
});
