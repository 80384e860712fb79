import type { Decision } from "../decision.ts";
import type { Diagnostic } from "../diagnostic.ts";
import type { DirectoryEntry, FileSystem } from "../file-system.ts";
import { basename, dirname, join } from "../path.ts";
import { refusedName } from "../skill/resolve-name.ts";
import type { RootVisit } from "../snapshot.ts";
import { looseKey } from "../text/loose-key.ts";

/** A folder in which some agent keeps skills and this one does not look, with the reason as a clause. */
export interface OtherPlace {
  readonly path: string;
  readonly reason: string;
  readonly why: string;
}

export interface NearMissInput {
  readonly roots: readonly RootVisit[];
  readonly others: readonly OtherPlace[];
  /** Working folder. */
  readonly cwd: string;
  /** What was found wrong in the files that were read. */
  readonly diagnostics: readonly Diagnostic[];
  readonly fileSystem: FileSystem;
}

/** Folders that are listed and entries that are looked at in each, at most. */
const mostFolders = 400;
const mostEntries = 2_000;
/** Levels below a root. */
const deepest = 12;
const mostFound = 8;
/** Levels below the working folder in which packages lie: `packages/web`. */
const packageDepth = 2;
const closedFolders: ReadonlySet<string> = new Set([".git", "node_modules"]);

const skillFile = "SKILL.md";
const almostSkillFile = /^(?:skills?|readme)(?:\.[a-z]+)?$/i;

/**
 * The usual mistakes near the searched folders that explain why a name is nowhere, likeliest first, each as a step:
 * a name that its file declares and that is not allowed, a file in place of a folder, another file name, another folder
 * name, one level too high, in a plain `skills` folder of the project, in a folder of another agent, inside another
 * skill, in a folder that is never entered, too deep, in a package below the working folder. Reads no file, follows no
 * link below a root, and lists a few hundred folders at most.
 */
export function findNearMisses(name: string, input: NearMissInput): readonly Decision[] {
  const found = new Map<string, Decision>();
  const add = (reason: string, path: string, message: string): void => {
    if (found.size >= mostFound || found.has(path)) return;
    found.set(path, { stage: "scan", outcome: "skipped", reason: `near-miss-${reason}`, path, message });
  };
  const note = (reason: string, path: string, because: string): void =>
    add(reason, path, `Found ${path}, which looks like it, but ${because}.`);
  const refused = refusedName(name);
  for (const { path, message } of input.diagnostics)
    if (path !== null && message.startsWith(refused)) add("refused-name", path, `In ${path} ${message}.`);
  const key = looseKey(name.normalize("NFC"));
  if (key === "") return [...found.values()];
  const listed = new Map<string, readonly DirectoryEntry[]>();
  const list = (path: string): readonly DirectoryEntry[] => {
    const known = listed.get(path);
    if (known !== undefined) return known;
    if (listed.size >= mostFolders) return [];
    const read = input.fileSystem.readDirectory(path, { limit: mostEntries });
    const entries = read.kind === "directory" ? read.entries : [];
    listed.set(path, entries);
    return entries;
  };
  /** The same for a place that is no root: a link is not followed. */
  const listOwn = (path: string): readonly DirectoryEntry[] =>
    input.fileSystem.status(path, { follow: false }).kind === "directory" ? list(path) : [];
  const isFolder = ({ type }: DirectoryEntry): boolean => type === "directory";
  const has = (entries: readonly DirectoryEntry[], file: string): boolean =>
    entries.some((entry) => entry.name === file && !isFolder(entry));
  const fits = (text: string): boolean => looseKey(text) === key;
  /** Where a skill of the name lies in a folder: `NAME/SKILL.md`, else `NAME.md`; null = nowhere. */
  const skillIn = (folder: string): string | null => {
    const entries = listOwn(folder);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (isFolder(entry) && fits(entry.name) && has(list(path), skillFile)) return join(path, skillFile);
    }
    const flat = entries.find((entry) => !isFolder(entry) && flatName(entry.name, fits));
    return flat === undefined ? null : join(folder, flat.name);
  };

  const roots = input.roots.filter(
    ({ root }, at, all) => all.findIndex((one) => one.root.path === root.path) === at,
  );
  const paths = new Set(roots.map(({ root }) => root.path));
  const searched = roots.filter(({ decision }) => decision.outcome === "searched");
  for (const { root } of searched) {
    for (const entry of list(root.path)) {
      const path = join(root.path, entry.name);
      if (!isFolder(entry) && flatName(entry.name, fits)) {
        const wanted = join(root.path, stem(entry.name), skillFile);
        note("flat-file", path, `a skill is a folder here: it would have to be ${wanted}`);
      } else if (isFolder(entry) && fits(entry.name)) {
        const inside = list(path);
        const lower = root.scan.fileName === "any-case";
        if (inside.some((one) => (lower ? one.name.toUpperCase() === "SKILL.MD" : one.name === skillFile)))
          continue;
        const almost = inside.find((one) => !isFolder(one) && almostSkillFile.test(one.name));
        if (almost !== undefined)
          note("file-name", join(path, almost.name), `the file of a skill is called ${skillFile}`);
        else note("no-skill-file", path, `there is no ${skillFile} in that folder`);
      }
    }
  }
  for (const { root } of roots) {
    const parent = dirname(root.path);
    if (paths.has(parent)) continue;
    const own = basename(root.path);
    const other = own === "skills" ? "skill" : own === "skill" ? "skills" : null;
    const twin = other === null ? null : join(parent, other);
    if (twin !== null && !paths.has(twin)) {
      const path = skillIn(twin);
      if (path !== null) note("folder-name", path, `skills are looked for in ${root.path}, not in ${twin}`);
    }
    const high = own === "skills" || own === "skill" ? skillIn(parent) : null;
    if (high?.endsWith(`/${skillFile}`) === true)
      note("too-high", high, `it is one level too high: skills are looked for in ${root.path}`);
  }
  for (const level of levelsOf(roots)) {
    const plain = join(level, "skills");
    const path = paths.has(plain) ? null : skillIn(plain);
    if (path?.endsWith(`/${skillFile}`) === true)
      note("plain-folder", path, `no agent looks in ${plain}: name it in \`skills.paths\`, or add the skill`);
    if (fits(basename(level)) && !paths.has(dirname(level)) && has(list(level), skillFile))
      note(
        "project-itself",
        join(level, skillFile),
        `the folder of a project is no skill in it: skillet add ${level} installs it`,
      );
  }
  for (const place of input.others) {
    if (paths.has(place.path)) continue;
    const path = skillIn(place.path);
    if (path !== null) note(place.reason, path, place.why);
  }
  for (const { root } of searched) {
    const { scan } = root;
    const walk = (folder: string, depth: number, why: readonly [reason: string, because: string] | null) => {
      const entries = list(folder);
      const leaf = depth > 0 && scan.nested === "stop" && has(entries, skillFile);
      for (const entry of entries) {
        if (!isFolder(entry)) continue;
        const path = join(folder, entry.name);
        const closed = scan.ignore.has(entry.name) || (!scan.hidden && entry.name.startsWith("."));
        const reason =
          why ??
          (leaf
            ? ([
                "inside-skill",
                `it lies inside the skill ${folder}, and nothing below a skill is searched`,
              ] as const)
            : closed
              ? (["ignored-folder", `folders named ${entry.name} are never entered`] as const)
              : depth + 1 > scan.depth
                ? ([
                    "too-deep",
                    `it lies ${depth + 1} levels below ${root.path}, and ${scan.depth} are searched`,
                  ] as const)
                : null);
        if (reason !== null && fits(entry.name) && has(list(path), skillFile))
          note(reason[0], join(path, skillFile), reason[1]);
        if (depth < deepest) walk(path, depth + 1, reason);
      }
    };
    walk(root.path, 0, null);
  }
  const below = (folder: string, depth: number): void => {
    for (const entry of listOwn(folder)) {
      if (!isFolder(entry) || closedFolders.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (!entry.name.startsWith(".")) {
        if (depth < packageDepth) below(path, depth + 1);
        continue;
      }
      const own = join(path, "skills");
      const skill = depth === 0 || paths.has(own) ? null : skillIn(own);
      if (skill !== null) note("package", skill, `${own} is searched from ${folder} and below only (--cwd)`);
    }
  };
  below(input.cwd, 0);
  return [...found.values()];
}

/** The folders of the project whose own skills folders are searched. */
function levelsOf(roots: readonly RootVisit[]): ReadonlySet<string> {
  return new Set(
    roots.filter(({ root }) => root.scope === "workspace").map(({ root }) => dirname(dirname(root.path))),
  );
}

function stem(file: string): string {
  return file.replace(/\.(?:md|markdown)$/i, "");
}

function flatName(file: string, fits: (text: string) => boolean): boolean {
  return stem(file) !== file && fits(stem(file));
}
