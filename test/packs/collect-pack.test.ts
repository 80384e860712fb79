import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseManifest } from "../../src/core/packs/parse-manifest.ts";
import { collectPack } from "../../src/packs/collect-pack.ts";
import { collectPacks, packFiles } from "../../src/packs/collect-packs.ts";
import { builtPackStore, PackDamage } from "../../src/packs/pack-store.ts";
import { everyByte, fixturePack, type Ground, ground, skillText } from "./ground.ts";

let place: Ground;
beforeEach(() => {
  place = ground();
});
afterEach(() => place.remove());

describe("a pack from a folder (feature M1)", () => {
  it("keeps every byte and the execute bit, and leaves left-overs out", () => {
    const { pack, bytes } = fixturePack(place, {
      "alpha/.DS_Store": "x",
      "alpha/Thumbs.db": "x",
      "alpha/__pycache__/a.txt": "x",
      "alpha/scripts/a.pyc": "x",
      "README.md": "not a skill",
    });
    const alpha = pack.skills[0];
    expect(alpha?.files.map(({ path, executable }) => [path, executable])).toEqual([
      ["SKILL.md", false],
      ["assets/picture.bin", false],
      ["scripts/deep/run.sh", true],
    ]);
    const picture = alpha?.files[1];
    expect(bytes.subarray(picture?.offset, (picture?.offset ?? 0) + 512)).toEqual(Buffer.from(everyByte));
    expect(pack.skills.map(({ name }) => name)).toEqual(["alpha", "beta", "claude-code", "pdf-official"]);
  });

  it("is the same for the same files, and another one for any change", () => {
    const digests = [fixturePack(place), fixturePack(place), fixturePack(place, { "beta/x": "" })];
    expect(digests[0]?.pack).toEqual(digests[1]?.pack);
    expect(digests[0]?.pack.digest).not.toBe(digests[2]?.pack.digest);
  });

  it("follows no link and says so", () => {
    place.write({ "pack/one/SKILL.md": skillText("one"), "secret/file": "no" });
    symlinkSync(join(place.folder, "secret"), join(place.folder, "pack/one/link"));
    symlinkSync(join(place.folder, "secret"), join(place.folder, "pack/two"));
    const { pack, leftOut } = collectPack(join(place.folder, "pack"), { name: "general" });
    expect(pack.skills.map(({ files }) => files.length)).toEqual([1]);
    expect(leftOut).toEqual(["one/link", "two"]);
  });

  it("takes needs of programs from pack.json", () => {
    const needs = { skills: { beta: { requires: { bins: ["b"] } } } };
    const { pack } = fixturePack(place, { "pack.json": JSON.stringify(needs) });
    expect(pack.skills.map(({ bins }) => bins)).toEqual([[], ["b"], [], []]);
  });
});

describe("the built form", () => {
  const build = (): string => {
    const folder = join(place.folder, "built");
    place.write(
      {
        "general/a/SKILL.md": skillText("a"),
        "compose/b/SKILL.md": skillText("compose:b"),
        "locales/zh-CN.json": JSON.stringify({ general: { a: { title: "甲", aliases: ["别名"] } } }),
      },
      join(place.folder, "sources"),
    );
    const files = packFiles(collectPacks(join(place.folder, "sources")), "1.2.3");
    place.write(Object.fromEntries(files), folder);
    return folder;
  };

  it("gives back what went in", () => {
    const store = builtPackStore(build());
    expect([store.version, store.damaged, store.packs.map(({ name }) => name)]).toEqual([
      "1.2.3",
      null,
      ["compose", "general"],
    ]);
    const general = store.packs[1];
    const file = general?.skills[0]?.files[0];
    if (general === undefined || file === undefined) throw new Error("not built");
    expect(Buffer.from(store.bytes(general, file)).toString()).toBe(skillText("a"));
    expect(general.skills[0]?.locales).toEqual({
      "zh-CN": { title: "甲", description: null, aliases: ["别名"] },
    });
  });

  it("notices damage of the package (row K07)", () => {
    const folder = build();
    const [general] = builtPackStore(folder).packs.filter(({ name }) => name === "general");
    if (general === undefined) throw new Error("not built");
    place.write({ [general.blob.name]: "short" }, folder);
    const store = builtPackStore(folder);
    const [file] = general.skills[0]?.files ?? [];
    expect(() => file && store.bytes(general, file)).toThrow(PackDamage);
    place.write({ "manifest.json": "{" }, folder);
    expect(builtPackStore(folder).damaged).toContain("manifest.json");
  });

  it.each([
    ["a path that leads out", { path: "../x" }],
    ["an absolute path", { path: "/x" }],
    ["a path with a drive", { path: "C:x" }],
    ["no digest", { digest: "0" }],
    ["a size that is none", { size: -1 }],
  ])("is refused with %s in it", (_, change) => {
    const file = { path: "SKILL.md", size: 1, executable: false, digest: "0".repeat(64), offset: 0 };
    const manifest = (files: readonly object[]) =>
      JSON.stringify({
        format: 1,
        version: "1.0.0",
        packs: [
          {
            name: "general",
            digest: "0".repeat(64),
            blob: { name: "b.bin", size: 1 },
            skills: [{ name: "a", bins: [], locales: {}, files }],
          },
        ],
      });
    expect(parseManifest(manifest([file]))).not.toBeNull();
    expect(parseManifest(manifest([{ ...file, ...change }]))).toBeNull();
  });
});
