import { describe, expect, test } from "vitest";
import { type MemoryNode, memoryFileSystem } from "../../../../test/support/memory-file-system.ts";
import { sampleFiles } from "./sample-files.ts";

function listed(
  tree: Readonly<Record<string, MemoryNode>>,
  options: { readonly folder?: string; readonly ignoreFiles?: boolean; readonly limit?: number } = {},
): string {
  const { folder = "/repo/s", ignoreFiles = true, limit = 10 } = options;
  return sampleFiles(memoryFileSystem({ "/repo/s/SKILL.md": "x", ...tree }), folder, {
    ignoreFiles,
    limit,
    omits: (path) => path.endsWith("SKILL.md"),
  }).join(" ");
}

const git = { "/repo/.git/HEAD": "x" };

describe("the lister of the first generation", () => {
  const files = { "/repo/s/a.log": "", "/repo/s/b.txt": "", "/repo/s/d/a.log": "", "/repo/s/d/c.txt": "" };
  test.each<[name: string, tree: Readonly<Record<string, MemoryNode>>, expected: string]>([
    ["everything but SKILL.md, in the order of whole paths", files, "a.log b.txt d/a.log d/c.txt"],
    [
      "a folder's name sorts with its slash",
      { "/repo/s/a/x": "", "/repo/s/a-b": "", "/repo/s/a.txt": "" },
      "a-b a.txt a/x",
    ],
    [
      "no SKILL.md of another skill",
      { "/repo/s/d/SKILL.md": "", "/repo/s/SKILL.md.bak": "" },
      "SKILL.md.bak",
    ],
    [
      "hidden files, but nothing in .git",
      { "/repo/s/.env": "", "/repo/s/.h/x": "", "/repo/s/.git/x": "" },
      ".env .h/x",
    ],
    [".gitignore of the repository", { ...git, ...files, "/repo/.gitignore": "*.log\n" }, "b.txt d/c.txt"],
    ["not without a repository", { ...files, "/repo/.gitignore": "*.log\n" }, "a.log b.txt d/a.log d/c.txt"],
    [
      "its own and inner .gitignore",
      { ...git, ...files, "/repo/s/.gitignore": "/a.log", "/repo/s/d/.gitignore": "c*" },
      ".gitignore b.txt d/.gitignore d/a.log",
    ],
    [
      "an ignored folder is not entered",
      { ...git, ...files, "/repo/.gitignore": "d/\n!d/c.txt" },
      "a.log b.txt",
    ],
    [
      "a nearer file may keep what a farther one ignores",
      { ...git, ...files, "/repo/.gitignore": "*.log", "/repo/s/d/.gitignore": "!a.log" },
      "b.txt d/.gitignore d/a.log d/c.txt",
    ],
    [
      "nothing above the repository",
      { ...git, ...files, "/.gitignore": "*.log" },
      "a.log b.txt d/a.log d/c.txt",
    ],
    [
      ".ignore counts always, and more",
      { ...files, "/repo/.ignore": "*.log", "/repo/s/.gitignore": "b.txt" },
      ".gitignore b.txt d/c.txt",
    ],
    [
      ".ignore keeps against .gitignore",
      { ...git, ...files, "/repo/.gitignore": "*.log", "/repo/.ignore": "!a.log" },
      "a.log b.txt d/a.log d/c.txt",
    ],
    [".git/info/exclude", { ...git, ...files, "/repo/.git/info/exclude": "b.txt" }, "a.log d/a.log d/c.txt"],
    [
      "links are not listed",
      { "/repo/s/l": { link: "b" }, "/repo/s/b": "", "/repo/s/k": { link: "/repo" } },
      "b",
    ],
  ])("%s", (_, tree, expected) => {
    expect(listed(tree)).toBe(expected);
  });

  test("the first ten only", () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`/repo/s/f${index}`, ""]));
    expect(listed(many).split(" ")).toEqual([
      "f0",
      "f1",
      "f10",
      "f11",
      "f12",
      "f13",
      "f14",
      "f15",
      "f16",
      "f17",
    ]);
  });

  test("ignore files count from the real folder of a linked skill", () => {
    const tree = {
      ...git,
      "/repo/.gitignore": "*.log",
      "/repo/s/a.log": "",
      "/repo/s/b": "",
      "/x/l": { link: "/repo/s" },
    };
    expect(listed(tree, { folder: "/x/l" })).toBe("b");
  });
});

test("the lister of the second generation knows no ignore files and lists links to files", () => {
  const tree = {
    ...git,
    "/repo/.gitignore": "*.log",
    "/repo/s/a.log": "",
    "/repo/s/.git/config": "",
    "/repo/s/l": { link: "a.log" },
    "/repo/s/k": { link: "/repo" },
    "/repo/s/z": { link: "none" },
  };
  expect(listed(tree, { ignoreFiles: false })).toBe(".git/config a.log l");
});
