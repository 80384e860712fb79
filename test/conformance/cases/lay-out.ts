import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { OpenOptions } from "../../../src/host/skills.ts";
import type { Setup } from "./case-format.ts";

/** A file's content, a link's target as written, or a folder or file with rights of its own. */
export type TreeEntry =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly folder: true; readonly mode?: number }
  | { readonly text: string; readonly mode: number };

/** Path → entry; what the folders of a sibling case are made from. */
export type Tree = Readonly<Record<string, TreeEntry>>;

export interface LaidOut {
  /** Folder of the case in the temporary place, links resolved. */
  readonly folder: string;
  readonly options: OpenOptions;
  readonly config: Readonly<Record<string, unknown>>;
  remove(): void;
}

export interface LayOutRequest {
  /** A folder to copy, or a tree to write. */
  readonly from: string | Tree;
  readonly setup: Setup;
  /** Settings, `$CASE` standing for the case's folder; left out = those of the case's `config.json`, if any. */
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Brings a case into a temporary place of its own: copy, renames, links, an empty home unless the case has one, and a
 * configuration file that names a bare `skills/` folder. Everything runs trusted (cases/README.md).
 */
export function layOut({ from, setup, config }: LayOutRequest): LaidOut {
  const place = realpathSync(mkdtempSync(join(tmpdir(), "skillet-case-")));
  const folder = join(place, "case");
  if (typeof from === "string") cpSync(from, folder, { recursive: true, verbatimSymlinks: true });
  else writeTree(folder, from);
  for (const [old, name] of setup.rename ?? []) renameSync(join(folder, old), join(folder, name));
  for (const { path, target } of setup.links ?? []) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(target, join(folder, path));
  }
  const home = setup.home === undefined ? join(place, "home") : join(folder, setup.home);
  mkdirSync(home, { recursive: true });
  const written = config ?? readConfig(folder);
  const bare = existsSync(join(folder, "skills"))
    ? { skills: withBare(written.skills, join(folder, "skills")) }
    : {};
  const settings = { ...written, ...bare };
  writeFileSync(join(place, "skillet.jsonc"), JSON.stringify(settings).replaceAll("$CASE", folder));
  const cwd = join(folder, setup.cwd ?? "");
  mkdirSync(cwd, { recursive: true });
  const options: OpenOptions = {
    cwd,
    home,
    data: join(place, "data"),
    configFile: join(place, "skillet.jsonc"),
    trust: true,
    ...(setup.env === undefined ? {} : { env: absolutePaths(setup.env, folder) }),
    ...(setup.profile === undefined ? {} : { profile: setup.profile }),
    ...(setup.bundles === undefined ? {} : { pack: join(folder, setup.bundles) }),
  };
  const remove = (): void => {
    if (typeof from !== "string") openUp(folder, from);
    rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  };
  return { folder, options, config: settings, remove };
}

function writeTree(folder: string, tree: Tree): void {
  mkdirSync(folder, { recursive: true });
  const late: (() => void)[] = [];
  for (const [path, entry] of Object.entries(tree)) {
    const full = join(folder, path);
    mkdirSync(dirname(full), { recursive: true });
    if (typeof entry === "string" || entry instanceof Uint8Array) writeFileSync(full, entry);
    else if ("link" in entry) symlinkSync(entry.link.replaceAll("$CASE", folder), full);
    else if ("text" in entry) {
      writeFileSync(full, entry.text);
      late.push(() => chmodSync(full, entry.mode));
    } else {
      mkdirSync(full, { recursive: true });
      const { mode } = entry;
      if (mode !== undefined) late.push(() => chmodSync(full, mode));
    }
  }
  for (const act of late) act();
}

/** A folder without rights could not be removed again. */
function openUp(folder: string, tree: Tree): void {
  for (const [path, entry] of Object.entries(tree)) {
    if (typeof entry === "object" && "folder" in entry && entry.mode !== undefined)
      chmodSync(join(folder, path), 0o700);
  }
}

function readConfig(folder: string): Readonly<Record<string, unknown>> {
  const path = join(folder, "config.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>) : {};
}

function withBare(skills: unknown, bare: string): object {
  const known = typeof skills === "object" && skills !== null ? skills : {};
  return { paths: [bare], ...known };
}

/** A value that names something in the case becomes absolute; others (switches, empty ones) stay. */
function absolutePaths(
  env: Readonly<Record<string, string>>,
  folder: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value !== "" && existsSync(join(folder, value))
        ? resolve(folder, value) + (value.endsWith("/") ? "/" : "")
        : value,
    ]),
  );
}
