import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openSkills } from "../../../src/host/open-skills.ts";
import type { Skills } from "../../../src/host/skills.ts";
import { matter, repository, type Sibling, skill } from "./sibling.ts";

const scopes = (skills: Skills): Readonly<Record<string, string>> =>
  Object.fromEntries(skills.snapshot.skills.map(({ name, root }) => [name, root.source]));

export const discovery: readonly Sibling[] = [
  {
    id: "file-name-case",
    about: "The skill file in any case; with two spellings in one folder the usual one counts.",
    tree: {
      "skills/low/skill.md": skill("low"),
      "skills/up/SKILL.MD": skill("up"),
      "skills/mixed/Skill.md": skill("mixed"),
      "skills/both/SKILL.md": skill("both", "The usual spelling."),
      "skills/both/skill.md": skill("both", "The other one."),
      "skills/not/SKILL.markdown": skill("not"),
    },
    offered: ["both", "low", "mixed", "up"],
    skills: { both: { description: "The usual spelling." } },
    said: [
      { level: "info", code: "discovery/skill-file-case", file: "skills/low/skill.md", says: /SKILL\.md/ },
      { level: "info", code: "discovery/skill-file-case", file: "skills/up/SKILL.MD" },
    ],
  },
  {
    id: "every-brand",
    about: "Skills folders of every agent in one project.",
    tree: {
      ...repository("repo"),
      "repo/.skillet/skills/a/SKILL.md": skill("a"),
      "repo/.agents/skills/b/SKILL.md": skill("b"),
      "repo/.claude/skills/c/SKILL.md": skill("c"),
      "repo/.codex/skills/d/SKILL.md": skill("d"),
      "repo/.opencode/skills/e/SKILL.md": skill("e"),
      "repo/.opencode/skill/f/SKILL.md": skill("f"),
      "repo/.gemini/skills/g/SKILL.md": skill("g"),
      "repo/.github/skills/h/SKILL.md": skill("h"),
      "repo/.cursor/skills/i/SKILL.md": skill("i"),
      "repo/.mimocode/skills/j/SKILL.md": skill("j"),
      "repo/.mimocode/skill/k/SKILL.md": skill("k"),
      "repo/.minimax/skills/l/SKILL.md": skill("l"),
    },
    setup: { cwd: "repo" },
    offered: [..."abcdefghijkl"],
  },
  {
    id: "both-words",
    about: "skill/ and skills/ side by side claim one name.",
    tree: {
      ...repository("repo"),
      "repo/.opencode/skills/one/SKILL.md": skill("one", "Plural."),
      "repo/.opencode/skill/one/SKILL.md": skill("one", "Singular."),
    },
    setup: { cwd: "repo" },
    offered: ["one"],
    skills: { one: { description: "Plural.", shadowed: ["repo/.opencode/skill/one"] } },
  },
  {
    id: "monorepo",
    about: "Working in a package: its skills, those of its parents, and not those of its neighbours.",
    tree: {
      ...repository("repo"),
      "repo/.claude/skills/shared/SKILL.md": skill("shared", "Of the repository."),
      "repo/.claude/skills/everywhere/SKILL.md": skill("everywhere"),
      "repo/packages/.claude/skills/middle/SKILL.md": skill("middle"),
      "repo/packages/web/.claude/skills/shared/SKILL.md": skill("shared", "Of the package."),
      "repo/packages/api/.claude/skills/neighbour/SKILL.md": skill("neighbour"),
      "repo/packages/web/src": { folder: true },
      "outside/.claude/skills/x/SKILL.md": skill("x"),
      ".claude/skills/above/SKILL.md": skill("above"),
    },
    setup: { cwd: "repo/packages/web/src" },
    offered: ["everywhere", "middle", "shared"],
    skills: {
      shared: { description: "Of the package.", shadowed: ["repo/.claude/skills/shared"] },
      above: {},
      neighbour: {},
    },
  },
  {
    id: "home-as-cwd",
    about: "The home folder is the working folder: its skills are the user's, once.",
    tree: { "home/.claude/skills/mine/SKILL.md": skill("mine") },
    setup: { home: "home", cwd: "home" },
    offered: ["mine"],
    more: (skills) => expect(scopes(skills)).toEqual({ mine: "user-claude" }),
  },
  {
    id: "home-is-a-repository",
    about:
      "Dotfiles under version control: the home folder is a repository and the working folder lies in it.",
    tree: {
      ...repository("home"),
      "home/.claude/skills/mine/SKILL.md": skill("mine"),
      "home/work/app/.claude/skills/app/SKILL.md": skill("app"),
      "home/work/.agents/skills/work/SKILL.md": skill("work"),
    },
    setup: { home: "home", cwd: "home/work/app" },
    offered: ["app", "mine", "work"],
    more: (skills) =>
      expect(scopes(skills)).toEqual({
        app: "workspace-claude",
        mine: "user-claude",
        work: "workspace-agents",
      }),
  },
  {
    id: "home-is-a-repository-cwd",
    about: "The same with the home folder as working folder: nothing becomes a project's.",
    tree: { ...repository("home"), "home/.agents/skills/mine/SKILL.md": skill("mine") },
    setup: { home: "home", cwd: "home" },
    options: { trust: false },
    offered: ["mine"],
    skills: { mine: { modelInvocable: true } },
  },
  {
    id: "no-repository-outside-home",
    about: "Neither a repository nor below the home folder.",
    tree: { "srv/app/.agents/skills/s/SKILL.md": skill("s"), "srv/app/deep/er": { folder: true } },
    setup: { home: "home", cwd: "srv/app/deep/er" },
    offered: ["s"],
  },
  {
    id: "submodule",
    about: "A submodule has a .git file; its own top ends the walk.",
    tree: {
      ...repository("repo"),
      "repo/.git/modules/sub/HEAD": "ref: refs/heads/main\n",
      "repo/.agents/skills/outer/SKILL.md": skill("outer"),
      "repo/sub/.git": "gitdir: ../.git/modules/sub\n",
      "repo/sub/.agents/skills/inner/SKILL.md": skill("inner"),
      "repo/sub/src": { folder: true },
    },
    setup: { cwd: "repo/sub/src" },
    offered: ["inner"],
  },
  {
    id: "broken-git-file",
    about: "A .git file that leads nowhere is no repository; the walk goes on.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/outer/SKILL.md": skill("outer"),
      "repo/sub/.git": "gitdir: /nowhere\n",
      "repo/sub/.agents/skills/inner/SKILL.md": skill("inner"),
    },
    setup: { cwd: "repo/sub" },
    offered: ["inner", "outer"],
  },
  {
    id: "worktree-package",
    about: "Below a package of a linked worktree: the same package of the main checkout fills gaps.",
    tree: {
      ...repository("main"),
      "main/.git/worktrees/wt/HEAD": "ref: refs/heads/x\n",
      "main/.git/worktrees/wt/commondir": "../..\n",
      "main/.git/worktrees/wt/gitdir": "../../../../trees/wt/.git\n",
      "trees/wt/.git": "gitdir: ../../main/.git/worktrees/wt\n",
      "main/.agents/skills/top/SKILL.md": skill("top"),
      "main/pkg/.agents/skills/local/SKILL.md": skill("local"),
      "main/other/.agents/skills/other/SKILL.md": skill("other"),
      "trees/wt/pkg/.agents/skills/here/SKILL.md": skill("here"),
    },
    setup: { cwd: "trees/wt/pkg" },
    offered: ["here", "local", "top"],
    said: [{ level: "info", code: "discovery/main-checkout", says: /"local".*main checkout/ }],
  },
  {
    id: "forged-worktree",
    about: "A .git file that points into a foreign repository, which does not know of it.",
    tree: {
      ...repository("victim"),
      "victim/.git/worktrees/wt/HEAD": "ref: refs/heads/x\n",
      "victim/.git/worktrees/wt/commondir": "../..\n",
      "victim/.git/worktrees/wt/gitdir": "/somewhere/else/.git\n",
      "victim/.agents/skills/secret/SKILL.md": skill("secret"),
      "evil/.git": "gitdir: ../victim/.git/worktrees/wt\n",
      "evil/.agents/skills/evil/SKILL.md": skill("evil"),
    },
    setup: { cwd: "evil" },
    offered: ["evil"],
  },
  {
    id: "variables-odd",
    about: "Moved folders: empty, with a slash at the end, with a tilde, equal to the default.",
    tree: {
      "home/.claude/skills/usual/SKILL.md": skill("usual"),
      "home/.codex/skills/codex/SKILL.md": skill("codex"),
      "home/.config/opencode/skills/stale/SKILL.md": skill("stale"),
      "xdg/opencode/skill/oc/SKILL.md": skill("oc"),
      "home/gem/.gemini/skills/gem/SKILL.md": skill("gem"),
    },
    setup: {
      home: "home",
      env: {
        CLAUDE_CONFIG_DIR: "",
        CODEX_HOME: "home/.codex",
        XDG_CONFIG_HOME: "xdg/",
        GEMINI_CLI_HOME: "~/gem",
      },
    },
    offered: ["codex", "gem", "oc", "usual"],
  },
  {
    id: "root-link-out",
    about: "A project's skills folder is a link out of the repository.",
    tree: {
      ...repository("repo"),
      "store/s/SKILL.md": skill("s"),
      "repo/.claude": { folder: true },
      "repo/.claude/skills": { link: "../../store" },
      "repo/.agents/skills/own/SKILL.md": skill("own"),
    },
    setup: { cwd: "repo" },
    offered: ["own"],
    said: [{ level: "warning", code: "discovery/link-outside", file: "repo/.claude/skills", says: /store/ }],
  },
  {
    id: "no-repository-links",
    about: "Without a repository a trusted folder's links are followed; those of an untrusted one are not.",
    tree: {
      "store/s/SKILL.md": skill("s"),
      "root-store/r/SKILL.md": skill("r"),
      "plain/.agents/skills/s": { link: "../../../store/s" },
      "plain/.claude": { folder: true },
      "plain/.claude/skills": { link: "../../root-store" },
    },
    setup: { cwd: "plain" },
    offered: ["r", "s"],
    more: (_, { options, folder }) => {
      const untrusted = openSkills({ ...options, trust: false });
      expect(untrusted.snapshot.skills).toEqual([]);
      expect(untrusted.explain("s").verdict).toBe("skipped");
      expect(untrusted.diagnostics.map(({ code }) => code)).toEqual([
        "discovery/link-outside",
        "discovery/link-outside",
      ]);
      writeFileSync(
        join(folder, "trusting.jsonc"),
        JSON.stringify({ trust: { folders: [join(folder, "plain")] } }),
      );
      const configured = openSkills({ ...options, trust: false, configFile: join(folder, "trusting.jsonc") });
      expect(configured.snapshot.skills.map(({ name }) => name)).toEqual(["r", "s"]);
    },
  },
  {
    id: "worktree-inside",
    about: "A worktree that lies inside its main checkout.",
    tree: {
      ...repository("main"),
      "main/.git/worktrees/wt/HEAD": "ref: refs/heads/x\n",
      "main/.git/worktrees/wt/commondir": "../..\n",
      "main/.git/worktrees/wt/gitdir": "../../../trees/wt/.git\n",
      "main/trees/wt/.git": "gitdir: ../../.git/worktrees/wt\n",
      "main/.agents/skills/both/SKILL.md": skill("both", "Main copy."),
      "main/.agents/skills/local/SKILL.md": skill("local"),
      "main/trees/wt/.agents/skills/both/SKILL.md": skill("both", "Worktree copy."),
    },
    setup: { cwd: "main/trees/wt" },
    offered: ["both", "local"],
    skills: { both: { description: "Worktree copy.", shadowed: ["main/.agents/skills/both"] } },
    said: [{ level: "info", code: "discovery/main-checkout", says: /local/ }],
  },
  {
    id: "linked-between-brands",
    about: "One folder, linked for other agents as installers do it: listed once, at the strongest place.",
    tree: {
      "home/.agents/skills/a/SKILL.md": skill("a"),
      "home/.claude/skills/a": { link: "../../.agents/skills/a" },
      "home/.claude/skills/b/SKILL.md": skill("b"),
      "home/.agents/skills/b": { link: "../../.claude/skills/b" },
      "home/.codex/skills": { link: "../.agents/skills" },
      "home/.codex": { folder: true },
    },
    setup: { home: "home" },
    offered: ["a", "b"],
    skills: { a: { winner: "home/.agents/skills/a" }, b: { winner: "home/.agents/skills/b" } },
    more: (skills) => expect(skills.shadowed).toEqual([]),
  },
  {
    id: "roots-in-circles",
    about: "Skills folders that are links to themselves or to each other.",
    tree: {
      "home/.agents/skills": { link: "skills" },
      "home/.agents": { folder: true },
      "home/.claude/skills": { link: "../.codex/skills" },
      "home/.claude": { folder: true },
      "home/.codex/skills": { link: "../.claude/skills" },
      "home/.codex": { folder: true },
      "home/.gemini/skills/fine/SKILL.md": skill("fine"),
    },
    setup: { home: "home" },
    offered: ["fine"],
    said: ["agents", "claude", "codex"].map((brand) => ({
      level: "warning",
      code: "discovery/link-loop",
      file: `home/.${brand}/skills`,
      says: /back to itself/,
    })),
  },
  {
    id: "odd-folders",
    about: "Folders without a skill file, files among them, empty roots, names with quotes and line breaks.",
    tree: {
      "skills/empty": { folder: true },
      "skills/only-readme/README.md": "# Nothing",
      "skills/file.txt": "",
      'skills/quo"te/SKILL.md': skill("quoted"),
      "skills/two\nlines/SKILL.md": skill("broken-line"),
      "skills/ spaced /SKILL.md": matter("description: Blanks around the folder's name."),
    },
    offered: ["broken-line", "quoted", "spaced"],
    said: [{ level: "warning", code: "name/missing" }],
  },
  {
    id: "cwd-spelt-oddly",
    about: "Working folder and home with slashes at their ends and dots inside.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/p/SKILL.md": skill("p"),
      "repo/src": { folder: true },
      "home/.agents/skills/u/SKILL.md": skill("u"),
    },
    setup: { cwd: "repo/src", home: "home" },
    offered: ["p", "u"],
    more: (skills, { options, folder }) => {
      const odd = openSkills({ ...options, cwd: `${folder}/repo/./src/../src//`, home: `${folder}/home/` });
      expect(odd.snapshot.version).toBe(skills.snapshot.version);
    },
  },
  {
    id: "home-inside-cwd",
    about: "The working folder holds the home folder; its own project folders count.",
    tree: {
      ".agents/skills/p/SKILL.md": skill("p"),
      "home/.agents/skills/u/SKILL.md": skill("u"),
    },
    setup: { home: "home" },
    offered: ["p", "u"],
  },
  {
    id: "one-file-two-owners",
    about: "A project and the user link one file: it is the user's, and the project's link is explained.",
    tree: {
      ...repository("repo"),
      "home/.claude/skills/b/SKILL.md": skill("a"),
      "home/.agents/skills/a/SKILL.md": { link: "../../../.claude/skills/b/SKILL.md" },
      "repo/.agents/skills/a/SKILL.md": { link: "../../../../home/.claude/skills/b/SKILL.md" },
    },
    setup: { cwd: "repo", home: "home" },
    options: { trust: false },
    offered: ["a"],
    skills: { a: { modelInvocable: true, winner: "home/.agents/skills/a" } },
    more: (skills, { folder }) =>
      expect(skills.skipped.map(({ path, reason }) => [path.slice(folder.length), reason])).toEqual([
        ["/repo/.agents/skills/a/SKILL.md", "same-file"],
        ["/home/.claude/skills/b/SKILL.md", "same-file"],
      ]),
  },
  {
    id: "file-links-of-the-user",
    about: "A user's SKILL.md may be a link to Markdown anywhere, and to nothing else.",
    tree: {
      "notes/loose.md": skill("loose"),
      "secret/token.txt": skill("token"),
      "home/.agents/skills/loose/SKILL.md": { link: "../../../../notes/loose.md" },
      "home/.agents/skills/token/SKILL.md": { link: "../../../../secret/token.txt" },
      "home/.agents/skills/environ/SKILL.md": { link: "/proc/self/environ" },
      "home/.agents/skills/users/SKILL.md": { link: "/etc/passwd" },
    },
    setup: { home: "home" },
    offered: ["loose"],
    said: ["token", "environ", "users"].map((name) => ({
      level: "warning",
      code: "discovery/link-outside",
      file: `home/.agents/skills/${name}/SKILL.md`,
    })),
  },
  {
    id: "root-link-inside",
    about: "One folder of skills, linked for a second agent inside the repository: listed once.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/s/SKILL.md": skill("s"),
      "repo/.claude": { folder: true },
      "repo/.claude/skills": { link: "../.agents/skills" },
    },
    setup: { cwd: "repo" },
    offered: ["s"],
    skills: { s: { winner: "repo/.agents/skills/s" } },
  },
  {
    id: "link-to-the-file",
    about: "The file of a skill is linked where its folder was wanted; other links to files mean nothing.",
    tree: {
      ...repository("repo"),
      "repo/tools/deploy/SKILL.md": skill("deploy"),
      "repo/.claude/skills/deploy": { link: "../../tools/deploy/SKILL.md" },
      "repo/.claude/skills/notes.md": { link: "../../tools/deploy/SKILL.md" },
      "repo/.claude/skills/licence": { link: "../../.git/HEAD" },
    },
    setup: { cwd: "repo" },
    offered: [],
    said: [{ level: "warning", code: "discovery/link-to-file", file: "repo/.claude/skills/deploy" }],
    more: (skills) => expect(skills.explain("deploy").verdict).toBe("skipped"),
  },
  {
    id: "link-to-user-skill",
    about: "A project links one of the user's own skills; it stays the user's.",
    tree: {
      ...repository("repo"),
      "home/.agents/skills/mine/SKILL.md": skill("mine"),
      "repo/.claude/skills/mine": { link: "../../../home/.agents/skills/mine" },
    },
    setup: { cwd: "repo", home: "home" },
    options: { trust: false },
    offered: ["mine"],
    skills: { mine: { modelInvocable: true, winner: "home/.agents/skills/mine" } },
  },
  {
    id: "link-root-to-user-root",
    about: "A project's whole skills folder is a link to the user's.",
    tree: {
      ...repository("repo"),
      "home/.claude/skills/mine/SKILL.md": skill("mine"),
      "repo/.agents/skills/own/SKILL.md": skill("own"),
      "repo/.claude": { folder: true },
      "repo/.claude/skills": { link: "../../home/.claude/skills" },
    },
    setup: { cwd: "repo", home: "home" },
    offered: ["mine", "own"],
    skills: { mine: { winner: "home/.claude/skills/mine" } },
    said: [{ level: "warning", code: "discovery/link-outside", file: "repo/.claude/skills" }],
  },
  {
    id: "link-out-of-project",
    about: "A project's skill is a link to a folder that is no skills folder.",
    tree: {
      ...repository("repo"),
      "private/notes/SKILL.md": skill("notes"),
      "private/loose.md": skill("loose"),
      "repo/.agents/skills/notes": { link: "../../../private/notes" },
      "repo/.agents/skills/loose/SKILL.md": { link: "../../../../private/loose.md" },
    },
    setup: { cwd: "repo" },
    offered: [],
    skills: { notes: {}, loose: {} },
    said: [
      { level: "warning", code: "discovery/link-outside", file: "repo/.agents/skills/notes" },
      { level: "warning", code: "discovery/link-outside", file: "repo/.agents/skills/loose/SKILL.md" },
    ],
    more: (skills) => {
      expect(skills.explain("notes").verdict).toBe("skipped");
      expect(skills.explain("loose").summary).toMatch(/private\/loose\.md/);
    },
  },
  {
    id: "link-out-of-home",
    about: "The user's own skill may be a link to anywhere.",
    tree: {
      "dev/tool/SKILL.md": skill("tool"),
      "home/.agents/skills/tool": { link: "../../../dev/tool" },
      "home/.claude/skills": { link: "../../dev" },
      "home/.claude": { folder: true },
    },
    setup: { home: "home" },
    offered: ["tool"],
    skills: { tool: { winner: "home/.agents/skills/tool" } },
  },
  {
    id: "too-deep",
    about: "Groups are entered to a depth of eight; hidden folders, environments and caches never.",
    tree: {
      "skills/1/2/3/4/5/6/7/deep/SKILL.md": skill("deep"),
      "skills/1/2/3/4/5/6/7/8/deeper/SKILL.md": skill("deeper"),
      "skills/.hidden/h/SKILL.md": skill("h"),
      "skills/.system/s/SKILL.md": skill("s"),
      "skills/venv/v/SKILL.md": skill("v"),
      "skills/__pycache__/p/SKILL.md": skill("p"),
      "skills/x/.git/g/SKILL.md": skill("g"),
    },
    offered: ["deep"],
  },
  {
    id: "root-is-a-skill",
    about: "A skills folder that is itself a skill, with others inside.",
    tree: {
      "skills/SKILL.md": skill("whole"),
      "skills/part/SKILL.md": skill("part"),
      "skills/part/examples/inner/SKILL.md": skill("inner"),
    },
    offered: ["part", "whole"],
  },
  {
    id: "not-folders",
    about: "A file where a skills folder should be, a folder named SKILL.md, a missing configured folder.",
    tree: {
      ...repository("repo"),
      "repo/.claude/skills": "not a folder",
      "repo/.agents/skills/odd/SKILL.md/readme.txt": "a folder",
      "repo/.agents/skills/fine/SKILL.md": skill("fine"),
    },
    setup: { cwd: "repo" },
    config: { skills: { paths: ["$CASE/absent"] } },
    offered: ["fine"],
    said: [
      { level: "warning", code: "discovery/not-a-folder", file: "repo/.claude/skills" },
      { level: "error", code: "file/not-a-file", file: "repo/.agents/skills/odd/SKILL.md" },
      { level: "warning", code: "discovery/missing-root", file: "absent" },
    ],
    more: (skills) => expect(skills.explain("odd").verdict).toBe("skipped"),
  },
  {
    id: "configured-twice",
    about: "A configured folder that is searched anyway, a relative one, and one inside another.",
    tree: {
      "home/.agents/skills/a/SKILL.md": skill("a"),
      "home/.agents/skills/group/b/SKILL.md": skill("b"),
      "extra/c/SKILL.md": skill("c"),
    },
    setup: { home: "home" },
    config: {
      skills: {
        paths: [
          "$CASE/home/.agents/skills",
          "case/extra",
          "$CASE/home/.agents/skills/group",
          "~/.agents/skills",
        ],
      },
    },
    offered: ["a", "b", "c"],
    more: (skills) => expect(scopes(skills)).toMatchObject({ a: "user-agents", b: "user-agents" }),
  },
  {
    id: "commands-are-not-skills",
    about: "Other folders of the agents, ignore files and loose Markdown change nothing.",
    tree: {
      ...repository("repo"),
      "repo/.gitignore": ".claude/\n",
      "repo/.claude/skills/.gitignore": "*\n",
      "repo/.claude/skills/ignored/SKILL.md": skill("ignored"),
      "repo/.claude/commands/c.md": skill("c"),
      "repo/.claude/agents/x/SKILL.md": skill("x"),
      "repo/.claude/SKILL.md": skill("stray"),
      "repo/SKILL.md": skill("top"),
      "repo/skills/loose/SKILL.md": skill("loose"),
    },
    setup: { cwd: "repo" },
    offered: ["ignored"],
  },
  {
    id: "unicode-folders",
    about: "Composed and decomposed spellings of one name, names with spaces and in Chinese.",
    tree: {
      "skills/caf\u00e9/SKILL.md": skill("caf\u00e9", "Composed."),
      "skills/cafe\u0301/SKILL.md": skill("cafe\u0301", "Decomposed."),
      "skills/文档 处理/SKILL.md": skill("文档"),
    },
    offered: ["café", "文档"],
    lookups: { "cafe\u0301": "café", 文档: "文档" },
    said: [{ level: "warning", code: "precedence/declared-twice", says: /café/ }],
  },
  {
    id: "cwd-is-a-link",
    about: "The working folder is reached through a link.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/s/SKILL.md": skill("s"),
      "repo/pkg/.agents/skills/p/SKILL.md": skill("p"),
      short: { link: "repo/pkg" },
    },
    setup: { cwd: "repo/pkg" },
    offered: ["p", "s"],
    more: (skills, { folder, options }) => {
      const linked = openSkills({ ...options, cwd: join(folder, "short") });
      expect(linked.snapshot.skills.map(({ name }) => name)).toEqual(
        skills.snapshot.skills.map(({ name }) => name),
      );
    },
  },
  {
    id: "inside-a-skill",
    about: "The working folder lies inside a skill of the project.",
    tree: {
      ...repository("repo"),
      "repo/.agents/skills/s/SKILL.md": skill("s"),
      "repo/.agents/skills/s/scripts/run.sh": "",
    },
    setup: { cwd: "repo/.agents/skills/s/scripts" },
    offered: ["s"],
  },
  {
    id: "home-behind-a-link",
    about:
      "The home folder is given by a link (as /home is on some systems) and the working folder by its real path.",
    tree: {
      "real/me/.claude/skills/mine/SKILL.md": skill("mine"),
      "real/me/work/.claude/skills/w/SKILL.md": skill("w"),
    },
    setup: { home: "real/me", cwd: "real/me/work" },
    offered: ["mine", "w"],
    more: (_, { folder, options }) => {
      mkdirSync(join(folder, "users"));
      symlinkSync("../real/me", join(folder, "users/me"));
      const skills = openSkills({ ...options, home: join(folder, "users/me") });
      expect(scopes(skills)).toEqual({ mine: "user-claude", w: "workspace-claude" });
    },
  },
];
