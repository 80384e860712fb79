import { describe, expect, test } from "vitest";
import { memoryCodec, memoryFileSystem } from "../../../test/support/memory-file-system.ts";
import { defaultConfiguration } from "../configuration.ts";
import type { FileSystem, ReadOptions } from "../file-system.ts";
import { skilletProfile } from "../profiles/skillet/profile.ts";
import { discover } from "./discover.ts";
import { createDocumentCache } from "./document-cache.ts";

const text = (name: string) => `---\nname: ${name}\ndescription: About ${name}.\n---\n`;
const tree = {
  "/home/u": { folder: true },
  "/repo/.git/HEAD": "ref: refs/heads/main\n",
  "/repo/.agents/skills/a/SKILL.md": text("a"),
  "/repo/.agents/skills/b/SKILL.md": text("b"),
  "/home/u/.agents/skills/c/SKILL.md": text("c"),
} as const;

/** `moves` answers for each folder that is watched: true = something in it moved, null = it can't be told. */
function search(
  moves: (folder: string) => boolean | null,
  more: Parameters<typeof memoryFileSystem>[0] = {},
) {
  const memory = memoryFileSystem({ ...tree, ...more });
  const watched: string[] = [];
  const compared: string[] = [];
  const fileSystem: FileSystem = {
    ...memory,
    readFile(path: string, options: ReadOptions) {
      if (options.real !== undefined && path.endsWith("SKILL.md")) compared.push(path);
      // What a swapped folder would let in as long as nobody compares the file with its path.
      const leak =
        moves("/repo/.agents/skills") === true && options.real === undefined && path.includes("/a/");
      const read = memory.readFile(path, options);
      return leak && read.kind === "file"
        ? { ...read, bytes: new TextEncoder().encode(text("secret")) }
        : read;
    },
    stillness(folder: string) {
      watched.push(folder);
      const moved = moves(folder);
      return moved === null ? null : () => !moved;
    },
  };
  const environment = {
    cwd: "/repo",
    home: "/home/u",
    data: null,
    platform: "linux",
    variables: {},
    language: "en",
    isolated: true,
  } as const;
  const shared = { fileSystem, codec: memoryCodec };
  const preparation = skilletProfile.prepare({
    ...shared,
    environment,
    configuration: defaultConfiguration,
    agent: { name: null, tools: null, features: [], host: "cli", region: null, mcpServers: [] },
    trust: false,
  });
  const cache = createDocumentCache();
  const limits = { folders: 1000, entries: 10_000 };
  const input = { ...shared, profile: skilletProfile, preparation, limits, trustedFolders: [], cache };
  const names = () => discover(input).skills.map(({ name }) => name);
  return { names, watched, compared };
}

describe("folders of a project that others may write to (row C19)", () => {
  test("that hold still are read without a look at each opened file", () => {
    const { names, watched, compared } = search(() => false);
    expect(names()).toEqual(["a", "b", "c"]);
    expect(watched).toEqual(["/repo", "/repo/.agents", "/repo/.agents/skills"]);
    expect(compared).toEqual([]);
  });

  test("that moved are searched again with a look at each, and nothing of the first search stays", () => {
    const { names, compared } = search((folder) => folder === "/repo/.agents/skills");
    expect(names()).toEqual(["a", "b", "c"]);
    expect(compared).toContain("/repo/.agents/skills/a/SKILL.md");
    expect(names()).toEqual(["a", "b", "c"]);
  });

  test.each(["/repo", "/repo/.agents", "/repo/.agents/skills"])(
    "of which %s can't be told are read with a look at each",
    (unsure) => {
      const { names, compared } = search((folder) => (folder === unsure ? null : false));
      expect(names()).toEqual(["a", "b", "c"]);
      expect(compared).toEqual(
        expect.arrayContaining(["/repo/.agents/skills/a/SKILL.md", "/repo/.agents/skills/b/SKILL.md"]),
      );
      expect(compared.some((path) => path.startsWith("/home"))).toBe(false);
    },
  );

  test("and paths with a link in them are read with a look at each", () => {
    const links = {
      "/repo/shared/d/SKILL.md": text("d"),
      "/repo/.claude/skills": { link: "/repo/shared" },
      "/repo/.agents/skills/e": { link: "/repo/other/e" },
      "/repo/other/e/SKILL.md": text("e"),
    };
    const { names, compared } = search(() => false, links);
    expect(names()).toEqual(expect.arrayContaining(["a", "b", "c", "d"]));
    expect(compared).toContain("/repo/.claude/skills/d/SKILL.md");
    expect(compared).not.toContain("/repo/.agents/skills/a/SKILL.md");
  });
});
