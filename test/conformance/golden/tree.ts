import {
  accessSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** The part of a case that describes a disk; every path and every setting may hold placeholders. */
export interface TreeInput {
  readonly files?: Readonly<Record<string, string>>;
  readonly files_b64?: Readonly<Record<string, string>>;
  readonly symlinks?: Readonly<Record<string, string>>;
  readonly dirs?: readonly string[];
  readonly git?: string | { readonly path: string; readonly kind: string } | null;
  readonly cwd?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** A case's disk in a temporary folder. */
export interface Tree {
  readonly root: string;
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Puts real paths in place of placeholders. */
  fill(text: string): string;
  /** The same for every text of a value. */
  fillAll(value: unknown): unknown;
}

const placeholders: readonly (readonly [name: string, path: string])[] = [
  ["$PROJECT", "project"],
  ["$CONFIG", "home/.config/opencode"],
  ["$CACHE", "home/.cache/opencode"],
  ["$HOME", "home"],
  ["$ROOT", "."],
];

/** A disk in memory halves the time of five hundred trees. */
function fastFolder(): string {
  try {
    accessSync("/dev/shm", constants.W_OK);
    return "/dev/shm";
  } catch {
    return tmpdir();
  }
}

/** Builds the disk, hands it over and removes it again. */
export async function withTree<T>(input: TreeInput, use: (tree: Tree) => T | Promise<T>): Promise<T> {
  const root = realpathSync(mkdtempSync(join(fastFolder(), "golden-")));
  try {
    return await use(buildTree(root, input));
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

function buildTree(root: string, input: TreeInput): Tree {
  const paths = new Map(placeholders.map(([name, path]) => [name, join(root, path)]));
  // `$HOMEX` is no placeholder.
  const fill = (text: string): string =>
    text.replace(/\$[A-Z]+(?![A-Za-z0-9_])/g, (name) => paths.get(name) ?? name);
  const fillAll = (value: unknown): unknown => JSON.parse(fill(JSON.stringify(value)));
  const put = (path: string, content: string | Uint8Array): void => {
    const place = fill(path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, content);
  };
  const cwd = fill(input.cwd ?? "$PROJECT");
  for (const folder of ["$HOME", "$PROJECT", ...(input.dirs ?? [])])
    mkdirSync(fill(folder), { recursive: true });
  for (const [path, text] of Object.entries(input.files ?? {})) put(path, text);
  for (const [path, data] of Object.entries(input.files_b64 ?? {})) put(path, Buffer.from(data, "base64"));
  for (const [path, value] of Object.entries(input.config ?? {}))
    put(path, fill(typeof value === "string" ? value : JSON.stringify(value)));
  for (const [path, target] of Object.entries(input.symlinks ?? {})) {
    mkdirSync(dirname(fill(path)), { recursive: true });
    symlinkSync(fill(target), fill(path));
  }
  mkdirSync(cwd, { recursive: true });
  if (typeof input.git === "string") repository(fill(input.git), "init");
  else if (input.git) repository(fill(input.git.path), input.git.kind, join(root, "main"));
  const env = Object.fromEntries(Object.entries(input.env ?? {}).map(([name, value]) => [name, fill(value)]));
  return { root, home: join(root, "home"), cwd, env, fill, fillAll };
}

/** What git leaves behind, written by hand: starting git five hundred times would take minutes. */
function repository(folder: string, kind: string, main = ""): void {
  const dotGit = join(folder, ".git");
  mkdirSync(folder, { recursive: true });
  if (kind === "emptydir") mkdirSync(dotGit);
  else if (kind === "emptyfile") writeFileSync(dotGit, "");
  else if (kind === "worktree") {
    gitFolder(join(main, ".git"));
    const own = join(main, ".git/worktrees/project");
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, "HEAD"), "ref: refs/heads/work\n");
    writeFileSync(join(own, "commondir"), "../..\n");
    writeFileSync(join(own, "gitdir"), `${dotGit}\n`);
    writeFileSync(dotGit, `gitdir: ${own}\n`);
  } else if (kind === "init" || kind === "init+commit") gitFolder(dotGit);
  else throw new Error(`unknown kind of repository: ${kind}`);
}

function gitFolder(path: string): void {
  for (const folder of ["objects", "refs/heads"]) mkdirSync(join(path, folder), { recursive: true });
  writeFileSync(join(path, "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(path, "config"), "[core]\n\trepositoryformatversion = 0\n\tbare = false\n");
}
