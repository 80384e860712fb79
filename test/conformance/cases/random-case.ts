import fc from "fast-check";
import type { Setup } from "./case-format.ts";
import type { Tree, TreeEntry } from "./lay-out.ts";

/** A random project: a tree with skills in many places and states, settings, and who asks. */
export interface RandomCase {
  readonly tree: Tree;
  readonly setup: Setup;
  readonly config: Readonly<Record<string, unknown>>;
  readonly trust: boolean;
  readonly touched: readonly string[];
}

/** Skills folders that one case may have; `store` is none, but links lead there. */
const places = [
  ...["repo/.agents/skills", "repo/.claude/skills", "repo/.opencode/skill", "repo/pkg/.agents/skills"],
  ...[
    "repo/pkg/.claude/skills",
    "home/.agents/skills",
    "home/.claude/skills",
    "home/.config/opencode/skills",
  ],
  ...["extra", "store"],
] as const;

const folders = ["a", "b", "c", "B", "group/d", "group/a", "node_modules/e", ".hidden/f"] as const;
const declared = ["a", "b", "c", "A", "long-name", "", "../up", "constructor"] as const;

const flags = fc.subarray([
  ...["disable-model-invocation: true", "user-invocable: false", 'paths: "**/*.py"', "aliases: [see, other]"],
  ...["requires: {bins: [no-such-program]}", "description: Said twice."],
]);

const readable = fc
  .record({
    name: fc.constantFrom(...declared),
    text: fc.constantFrom("Waters beds.", "Use when: asked"),
    flags,
  })
  .map(({ name, text, flags: lines }) =>
    [
      "---",
      ...(name === "" ? [] : [`name: "${name}"`]),
      `description: ${text}`,
      ...lines,
      "---",
      "Do it.",
      "",
    ].join("\n"),
  );

const broken = fc.constantFrom(
  "",
  "---\nname: a\n",
  "\0\0\0",
  "# Only a heading\n\nAnd a text.\n",
  "---\nx: [1\n---\n",
);

/** What stands at a skill's place. */
const entry: fc.Arbitrary<(place: string, folder: string) => Tree> = fc.oneof(
  {
    weight: 6,
    arbitrary: readable.map((text) => (place: string, folder: string) => at(place, folder, text)),
  },
  { weight: 2, arbitrary: broken.map((text) => (place: string, folder: string) => at(place, folder, text)) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(
        "$CASE/store/a",
        "$CASE/store",
        "$CASE/home/.agents/skills/a",
        "$CASE/gone",
        ".",
        "..",
        "../b",
      )
      .map(
        (link) =>
          (place: string, folder: string): Tree => ({ [`${place}/${folder}`]: { link } }),
      ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<TreeEntry>({ link: "$CASE/store/a/SKILL.md" }, { link: "SKILL.md" }, { folder: true })
      .map((file) => (place: string, folder: string) => at(place, folder, file)),
  },
  {
    weight: 1,
    arbitrary: readable.map(
      (text) =>
        (place: string, folder: string): Tree => ({
          [`${place}/${folder}/skill.md`]: text,
          [`${place}/${folder}/inner/SKILL.md`]: text,
        }),
    ),
  },
);

function at(place: string, folder: string, file: TreeEntry): Tree {
  return { [`${place}/${folder}/SKILL.md`]: file };
}

const action = fc.constantFrom("allow", "ask", "deny");
const pattern = fc.constantFrom("*", "a", "b", "?", "long-*", "A", "constructor");

const config = fc.record(
  {
    permission: fc.record({ skill: fc.dictionary(pattern, action, { maxKeys: 3 }) }),
    precedence: fc.shuffledSubarray(["project", "user", "config"]),
    brands: fc.shuffledSubarray(["agents", "claude", "opencode", "codex"], { minLength: 2 }),
    reservedCommands: fc.subarray(["a", "b"]),
    skills: fc.record({
      paths: fc.subarray(["$CASE/extra", "$CASE/home/.agents/skills"]),
      disabled: fc.subarray(["b", "long-*"]),
      pins: fc.subarray(["a"]),
    }),
    catalog: fc.record({ budget: fc.constantFrom(0, 40, 200, 5000) }),
  },
  { requiredKeys: ["skills"] },
);

export const randomCase: fc.Arbitrary<RandomCase> = fc
  .record({
    entries: fc.array(fc.tuple(fc.constantFrom(...places), fc.constantFrom(...folders), entry), {
      maxLength: 14,
    }),
    git: fc.boolean(),
    config,
    trust: fc.boolean(),
    touched: fc.subarray(["tools/run.py"]),
  })
  .map(({ entries, git, ...rest }) => ({
    ...rest,
    tree: treeOf(entries, git),
    setup: { home: "home", cwd: "repo/pkg" },
  }));

function treeOf(
  entries: readonly (readonly [string, string, (place: string, folder: string) => Tree])[],
  git: boolean,
): Tree {
  const tree: Record<string, TreeEntry> = {
    ...(git ? { "repo/.git/HEAD": "ref: refs/heads/main\n" } : {}),
    "store/a/SKILL.md": "---\nname: stored\ndescription: In the store.\n---\nDo it.\n",
  };
  const taken = new Set<string>();
  for (const [place, folder, make] of entries) {
    // One thing a place: a link and a folder cannot share a path.
    const key = `${place}/${folder}`;
    if (taken.has(key) || key === "store/a") continue;
    taken.add(key);
    Object.assign(tree, make(place, folder));
  }
  return tree;
}
