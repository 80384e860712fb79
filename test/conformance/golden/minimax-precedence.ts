import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { openSkills } from "../../../src/index.ts";
import { compare, type GoldenSuite } from "./golden-file.ts";

interface PrecedenceInput {
  readonly files: Readonly<Record<string, string>>;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly dirs?: readonly string[];
  readonly git?: readonly string[];
  readonly gitFiles?: readonly string[];
  /** Null or blank: no workspace; an empty folder stands for it. */
  readonly workspace: string | null;
  readonly agent: string;
  readonly compatibleAgents?: readonly string[];
  readonly config: unknown;
  /** Real locations that are switched off. */
  readonly disabled?: readonly string[];
}

const placeholders = [
  "$WORKSPACE",
  "$HOME",
  "$DATA",
  "$BUILTIN_SKILLS",
  "$BUILTIN_AGENTS",
  "$OUTSIDE",
  "$EMPTY",
];

/** `minimax.precedence`: winners, in order, and shadowed copies of a tree. */
export const precedenceSuite: GoldenSuite = ({ input, expected }) => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "golden-")));
  try {
    return compare(expected, listing(root, input as PrecedenceInput));
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
};

function listing(root: string, input: PrecedenceInput): unknown {
  const folders = new Map(placeholders.map((name) => [name, join(root, name.slice(1).toLowerCase())]));
  const fill = (text: string): string => text.replace(/\$[A-Z_]+/g, (name) => folders.get(name) ?? name);
  const back = (path: string): string => {
    for (const [name, folder] of folders)
      if (path.startsWith(`${folder}/`)) return name + path.slice(folder.length);
    return path;
  };
  const put = (path: string, text: string): void => {
    mkdirSync(dirname(fill(path)), { recursive: true });
    writeFileSync(fill(path), text);
  };
  for (const folder of folders.values()) mkdirSync(folder, { recursive: true });
  for (const folder of [...(input.dirs ?? []), ...(input.git ?? []).map((path) => `${path}/.git`)])
    mkdirSync(fill(folder), { recursive: true });
  for (const path of input.gitFiles ?? []) put(`${path}/.git`, "gitdir: elsewhere\n");
  for (const [path, text] of Object.entries(input.files)) put(path, text);
  put("$DATA/config.yaml", JSON.stringify(input.config));
  for (const [path, target] of Object.entries(input.symlinks ?? {})) {
    mkdirSync(dirname(fill(path)), { recursive: true });
    symlinkSync(fill(target), fill(path));
  }
  const workspace = input.workspace === null || input.workspace.trim() === "" ? "$EMPTY" : input.workspace;
  mkdirSync(fill(workspace), { recursive: true });

  const skills = openSkills({
    profile: "minimax",
    cwd: fill(workspace),
    home: fill("$HOME"),
    data: fill("$DATA"),
    env: {
      MINIMAX_BUILTIN_SKILLS_DIR: fill("$BUILTIN_SKILLS"),
      MINIMAX_BUILTIN_AGENTS_DIR: fill("$BUILTIN_AGENTS"),
    },
    agent: input.agent,
    compatibleAgents: input.compatibleAgents ?? [],
    disabled: (input.disabled ?? []).map(fill),
  });
  return {
    winners: skills.entries
      .filter(({ hidden }) => hidden === null)
      .map(({ skill }) => ({ name: skill.name, location: back(skill.realPath), source: skill.root.source })),
    shadowed: [...skills.shadowed]
      .sort((a, b) => (a.skill.name < b.skill.name ? -1 : a.skill.name > b.skill.name ? 1 : 0))
      .map(({ skill, winner }) => ({
        name: skill.name,
        location: back(skill.realPath),
        by: back(winner.realPath),
      })),
  };
}
