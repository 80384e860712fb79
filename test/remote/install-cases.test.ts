import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "fflate";
import { packTar } from "modern-tar";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { extractArchive } from "../../src/remote/archive/extract-archive.ts";
import { treeDigest } from "../../src/remote/digest/tree-digest.ts";
import { readFolder } from "../../src/remote/install/read-folder.ts";
import { inside, skillFolders } from "../../src/remote/install/skill-folders.ts";
import { type Outcome, type Sandbox, sandbox, skill } from "../cli/run-skillet.ts";
import { upstream } from "./git-ground.ts";

// Trees made after real reports (test/fixtures/cases), of the kind remote/install.
const cases = fileURLToPath(new URL("../fixtures/cases/", import.meta.url));
const limits = { bytes: 1e8, entries: 1000, depth: 16 };
const json = (...parts: readonly string[]): unknown =>
  JSON.parse(readFileSync(join(cases, ...parts), "utf8"));

describe("r-lock-hash", () => {
  const digest = (name: string): string =>
    treeDigest(readFolder(join(cases, "r-lock-hash", name, "edge"), limits).files);

  test("line ends of text do not count, bytes of a binary file do", () => {
    expect(readFileSync(join(cases, "r-lock-hash/crlf/edge/SKILL.md"), "latin1")).toContain("\r\n");
    expect(digest("crlf")).toBe(digest("lf"));
    expect(digest("other")).not.toBe(digest("lf"));
  });

  test("neither does the order of the files", () => {
    const { files } = readFolder(join(cases, "r-lock-hash/lf/edge"), limits);
    expect(treeDigest(files.toReversed())).toBe(digest("lf"));
  });
});

type Entry =
  | string
  | { readonly link: string; readonly to: string }
  | { readonly file: string; readonly bytes: number };
interface Shape {
  readonly id: string;
  readonly entries: readonly Entry[];
  readonly root?: string | readonly string[];
  readonly drop?: readonly string[];
  readonly error?: string;
}

/** More than one archive may hold, without two gigabytes in a test: the limit is what counts. */
const large = 60 * 1024 * 1024;
const content = (entry: Entry): Uint8Array =>
  typeof entry === "object" && "bytes" in entry
    ? new Uint8Array(Math.min(entry.bytes, large))
    : Buffer.from(skill("rake", "Rake."));

async function tarOf(entries: readonly Entry[]): Promise<Uint8Array> {
  const { gzipSync } = await import("node:zlib");
  const packed = entries.map((entry) => {
    if (typeof entry === "object" && "link" in entry) {
      return { header: { name: entry.link, size: 0, type: "symlink" as const, linkname: entry.to } };
    }
    const body = content(entry);
    return { header: { name: typeof entry === "string" ? entry : entry.file, size: body.length }, body };
  });
  return gzipSync(await packTar(packed));
}

function zipOf(entries: readonly Entry[]): Uint8Array {
  const list = entries.map((entry) => {
    if (typeof entry === "object" && "link" in entry) {
      return [entry.link, [Buffer.from(entry.to), { os: 3, attrs: (0o120777 << 16) >>> 0 }]] as const;
    }
    return [typeof entry === "string" ? entry : entry.file, content(entry)] as const;
  });
  return zipSync(Object.fromEntries(list) as Parameters<typeof zipSync>[0], {
    level: 1,
    mtime: "2020-01-01",
  });
}

describe("r-archive-shapes", () => {
  const shapes = json("r-archive-shapes", "archives.json") as readonly Shape[];
  const packers: readonly (readonly [
    string,
    (entries: readonly Entry[]) => Promise<Uint8Array> | Uint8Array,
  ])[] = [
    ["tar.gz", tarOf],
    ["zip", zipOf],
  ];
  test.each(
    shapes.flatMap((shape) => packers.map((packer) => [shape.id, packer[0], shape, packer[1]] as const)),
  )("%s as %s", async (_id, _format, shape, pack) => {
    const { files, links, diagnostics } = extractArchive(await pack(shape.entries));
    const { outer } = skillFolders(files.map(({ path }) => path));
    const refused =
      diagnostics.some(({ severity }) => severity === "error") ||
      links.some(({ path }) => outer.some((folder) => inside(folder, path) !== null));
    expect(refused).toBe(shape.error !== undefined);
    if (shape.error !== undefined) return;
    expect(outer).toEqual(Array.isArray(shape.root) ? shape.root : [shape.root]);
    const paths = files.map(({ path }) => path);
    for (const dropped of shape.drop ?? []) expect(paths).not.toContain(dropped);
  });
});

describe("r-remove", () => {
  let place: Sandbox;
  beforeEach(() => {
    place = sandbox();
    cpSync(join(cases, "r-remove/home"), place.home, { recursive: true });
    const setup = json("r-remove", "setup.json") as { links: readonly { path: string; target: string }[] };
    for (const { path, target } of setup.links) {
      const at = join(place.folder, path);
      mkdirSync(dirname(at), { recursive: true });
      symlinkSync(target, at);
    }
    place.write({ "~/.config/skillet/skillet.lock": readFileSync(join(cases, "r-remove/lock.json")) });
  });
  afterEach(() => place.remove());
  const home = (path: string): string => join(place.home, path);
  const lock = (): { skills: Record<string, { agents: string[] }> } =>
    JSON.parse(readFileSync(home(".config/skillet/skillet.lock"), "utf8"));
  const run = (...args: readonly string[]): Promise<Outcome> =>
    place.run([...args, "--to", "user", "--json"]);

  test("from one agent: its link goes, the others and the store stay", async () => {
    expect((await run("remove", "hoe", "--agents", "a")).code).toBe(0);
    expect(existsSync(home(".a/skills/hoe"))).toBe(false);
    expect(existsSync(home(".b/skills/hoe/SKILL.md"))).toBe(true);
    expect(existsSync(home(".agents/skills/hoe/SKILL.md"))).toBe(true);
    expect(lock().skills.hoe?.agents).toEqual(["b", "c"]);
  });

  test("everywhere: links and store go, what is not ours stays and is named", async () => {
    const done = await run("remove", "hoe");
    expect(done.code).toBe(0);
    for (const path of [".a/skills/hoe", ".b/skills/hoe", ".agents/skills/hoe"])
      expect(existsSync(home(path))).toBe(false);
    expect(existsSync(home(".c/skills/hoe/SKILL.md"))).toBe(true);
    const { changes } = done.json() as {
      changes: readonly { findings: readonly { code: string; path: string }[] }[];
    };
    expect(changes[0]?.findings).toEqual([
      expect.objectContaining({ code: "install/not-ours", path: home(".c/skills/hoe") }),
    ]);
    expect(readdirSync(home(".agents/skills"))).toEqual(["own-work"]);
    expect(existsSync(home(".config/skillet/skillet.lock"))).toBe(false);
  });

  test("an update never deletes by itself", async () => {
    const source = upstream(place.folder);
    source.commit({ "skills/hoe/SKILL.md": skill("hoe", "Hoe.") });
    await run("remove", "hoe");
    await run("add", source.path, "--yes");
    source.commit({ "skills/hoe": null, "skills/other/SKILL.md": skill("other", "Other.") });
    const done = await run("update", "--yes");
    expect(JSON.parse(done.stdout).changes[0]).toMatchObject({ name: "hoe", action: "kept" });
    expect(existsSync(home(".agents/skills/hoe/SKILL.md"))).toBe(true);
    expect(lock().skills).toHaveProperty("hoe");
  });
});
