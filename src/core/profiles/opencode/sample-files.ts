import {
  type IgnoreRules,
  type IgnoreVerdict,
  ignoreVerdict,
  parseIgnoreRules,
} from "../../activation/gitignore.ts";
import type { FileSystem } from "../../file-system.ts";
import { ancestors, basename, join, relativeInside } from "../../path.ts";

/** Folder entries looked at for one list; a dependency tree must not make a load slow (case w-limits). */
const entryBound = 20_000;
const ignoreFileBound = 262_144;

export interface SampleOptions {
  readonly limit: number;
  /** Files are left out by ignore files and `.git` folders, and links are not listed: the first generation's lister. */
  readonly ignoreFiles: boolean;
  /** Relative paths that are left out. */
  readonly omits: (path: string) => boolean;
}

/**
 * Files of a skill's folder as relative paths, the first `limit` in code-unit order of the whole path; hidden
 * ones too (feature O15; golden `tool.*`, `v2t.*`). Linked folders are not entered.
 */
export function sampleFiles(
  fileSystem: FileSystem,
  folder: string,
  options: SampleOptions,
): readonly string[] {
  const files: string[] = [];
  const ignore = options.ignoreFiles ? createIgnore(fileSystem, folder) : null;
  let seen = 0;
  const walk = (prefix: string, layers: readonly IgnoreLayer[]): void => {
    const here = prefix === "" ? folder : join(folder, prefix);
    const read = fileSystem.readDirectory(here, { limit: entryBound });
    if (read.kind !== "directory") return;
    const inner = ignore === null || prefix === "" ? layers : ignore.enter(layers, prefix);
    const entries = read.entries
      .map(({ name, type }) => ({ name, type, key: type === "directory" ? `${name}/` : name }))
      .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
    for (const { name, type } of entries) {
      if (files.length >= options.limit || ++seen > entryBound) return;
      const path = prefix === "" ? name : `${prefix}/${name}`;
      if (type === "directory") {
        if (ignore === null || (name !== ".git" && !ignore.ignored(inner, path, true))) walk(path, inner);
      } else if (
        !options.omits(path) &&
        isListed(type, join(here, name)) &&
        !ignore?.ignored(inner, path, false)
      ) {
        files.push(path);
      }
    }
  };
  const isListed = (type: string, path: string): boolean =>
    type === "file" ||
    (type === "link" && !options.ignoreFiles && fileSystem.status(path, { follow: true }).kind === "file");
  walk("", ignore?.start ?? []);
  return files;
}

type IgnoreName = ".rgignore" | ".ignore" | ".gitignore" | ".git/info/exclude";

/** Stronger kinds first: a verdict of one kind at any level outranks every weaker kind. */
const kinds: readonly IgnoreName[] = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"];

/** The ignore files of one folder, with the way from it to the skill's folder. */
interface IgnoreLayer {
  /** Path from this folder to the skill's folder, or from the skill's folder to this one. */
  readonly above: string | null;
  readonly below: string;
  readonly rules: ReadonlyMap<IgnoreName, IgnoreRules>;
  /** It is a repository's top: git's files further up do not count. */
  readonly isTop: boolean;
}

/** The rules of ripgrep's walk: ignore files of the folder itself, of everything below and of every parent. */
function createIgnore(fileSystem: FileSystem, folder: string) {
  const real = fileSystem.realPath(folder);
  const root = real.kind === "path" ? real.path : folder;
  const hasGit = (path: string): boolean => {
    const { kind } = fileSystem.status(join(path, ".git"), { follow: true });
    return kind !== "absent" && kind !== "failure";
  };
  const load = (path: string, place: Pick<IgnoreLayer, "above" | "below">): IgnoreLayer => {
    const rules = new Map<IgnoreName, IgnoreRules>();
    for (const name of kinds) {
      const read = fileSystem.readFile(join(path, name), { limit: ignoreFileBound, follow: true });
      if (read.kind === "file") rules.set(name, parseIgnoreRules(new TextDecoder().decode(read.bytes)));
    }
    return { ...place, rules, isTop: hasGit(path) };
  };
  // Nearest first.
  const start = ancestors(root).map((path) => load(path, { above: relativeInside(path, root), below: "" }));

  const pathFrom = (layer: IgnoreLayer, path: string): string => {
    if (layer.above === null) return relativeInside(layer.below, path) ?? path;
    return layer.above === "" ? path : `${layer.above}/${path}`;
  };

  const verdictOf = (
    kind: IgnoreName,
    layers: readonly IgnoreLayer[],
    path: string,
    isFolder: boolean,
  ): IgnoreVerdict => {
    const ofGit = kind === ".gitignore" || kind === ".git/info/exclude";
    if (ofGit && !layers.some(({ isTop }) => isTop)) return null;
    for (const layer of layers) {
      const rules = layer.rules.get(kind);
      const verdict = rules === undefined ? null : ignoreVerdict(rules, pathFrom(layer, path), isFolder);
      if (verdict !== null) return verdict;
      if (ofGit && layer.isTop) return null;
    }
    return null;
  };

  return {
    start,
    enter: (layers: readonly IgnoreLayer[], below: string): readonly IgnoreLayer[] => {
      const layer = load(join(root, below), { above: null, below });
      return layer.rules.size === 0 && !layer.isTop ? layers : [layer, ...layers];
    },
    ignored: (layers: readonly IgnoreLayer[], path: string, isFolder: boolean): boolean => {
      for (const kind of kinds) {
        const verdict = verdictOf(kind, layers, path, isFolder);
        if (verdict !== null) return verdict === "ignored";
      }
      return false;
    },
  };
}

/** A Markdown file that is a skill by itself has no files of its own. */
export function hasFolder(location: string): boolean {
  return basename(location) === "SKILL.md";
}
