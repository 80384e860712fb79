import type { DirectoryEntry, FileSystem } from "../file-system.ts";
import { ancestors, basename, contains } from "../path.ts";
import type { Root } from "./root.ts";
import { headOf, readPlace } from "./scan-file.ts";
import { folderBehind, isRepeatedTooOften, refuseFolder } from "./scan-links.ts";
import {
  exhaust,
  reportFileCase,
  reportLinkBack,
  reportUnlisted,
  reportUnreadableName,
} from "./scan-report.ts";
import {
  type ScanInput,
  type ScanSink,
  type ScanTarget,
  skillFile,
  startWalk,
  unread,
  type Walk,
} from "./scan-state.ts";

/** Links that a system follows in one path (Linux); only rules that walk cycles get that far. */
const pathLinks = 40;

const fileInside = `/${skillFile}`;

/** A folder that is walked. */
interface Folder {
  readonly path: string;
  /** `path` and a slash: what the paths of everything in it begin with. */
  readonly inside: string;
  /** Last segment of `path`. */
  readonly name: string;
  readonly real: string;
  readonly depth: number;
  /** It has a SKILL.md already. */
  readonly found: boolean;
  /** Its folders may hold skills. */
  readonly deeper: boolean;
}

/**
 * Walks one root and reads every SKILL.md in it. `realRoot` is the root's real path; `visited` holds real folders that
 * were entered (shared by all roots whose rules visit by real path), so that loops end and each folder counts once.
 * Reads only inside the root, except where the root's link rules allow more (invariant 4). Never throws.
 *
 * In a project others may write while we read, and a folder may become a link after it was judged (row C19). Comparing
 * each opened file with its path costs a quarter of the whole discovery, so folders are asked instead whether anything
 * in them moved meanwhile. False: something did, and what the sink got must not be used; search again with `exact`.
 */
export function scanRoot(input: ScanInput, target: ScanTarget, sink: ScanSink): boolean {
  const walk = startWalk(input, target, sink);
  const { root, realRoot } = target;
  const above = root.needsTrust && !target.exact ? foldersAbove(root, realRoot, input.fileSystem) : null;
  walk.compared = root.needsTrust && above === null;
  if (!enter(walk, root.path, realRoot)) return true;
  (above ?? []).reduce(
    (inner, folder) => () => holding(walk, folder, inner),
    () => searchRoot(walk),
  )();
  return walk.settled;
}

/** Folders of the project that hold the root, nearest first: who swaps one swaps the root. Null where it has no bounds. */
function foldersAbove(root: Root, realRoot: string, fileSystem: FileSystem): readonly string[] | null {
  const top = root.boundary === null ? null : fileSystem.realPath(root.boundary);
  if (top === null || top.kind === "failure" || !contains(top.path, realRoot)) return null;
  return ancestors(realRoot).filter((folder) => folder !== realRoot && contains(top.path, folder));
}

function searchRoot(walk: Walk): void {
  const { rules, root, realRoot } = walk;
  const name = basename(root.path);
  const here = { path: root.path, real: realRoot, name };
  const found = rules.rootIsSkill && readIn(walk, here, `${root.path}/${skillFile}`);
  walk.chain.push(realRoot);
  holding(walk, realRoot, () =>
    walkEntries(walk, list(walk, root.path), {
      ...here,
      inside: `${root.path}/`,
      depth: 0,
      found: found || !rules.rootIsSkill,
      deeper: rules.depth > 0,
    }),
  );
}

/** Runs `read` over what is in a folder and sees to it that nothing in the folder is swapped meanwhile. */
function holding(walk: Walk, folder: string, read: () => void): void {
  const { root, fileSystem } = walk;
  const outer = walk.compared;
  const still = outer || !root.needsTrust ? null : (fileSystem.stillness?.(folder) ?? null);
  if (root.needsTrust && still === null) walk.compared = true;
  read();
  walk.compared = outer;
  if (still !== null && !still()) walk.settled = false;
}

function enter(walk: Walk, path: string, real: string): boolean {
  if (walk.rules.visit === "real-path") {
    if (!walk.visited.add(real)) {
      walk.sink.again(path, real);
      return false;
    }
  } else {
    if (walk.cycle === null && walk.chain.includes(real)) return false;
    if (walk.met.has(real) && isRepeatedTooOften(walk, path)) return false;
    walk.met.add(real);
  }
  walk.folders += 1;
  if (walk.folders > walk.input.limits.folders) {
    exhaust(walk, path);
    return false;
  }
  return true;
}

/**
 * Reads the file of a folder that makes it a skill. Where no link was met, both paths are one string: half the memory,
 * and half the work at every look-up.
 */
function readIn(
  walk: Walk,
  { path, real, name }: Pick<Folder, "path" | "real" | "name">,
  location: string,
): boolean {
  return readPlace(walk, {
    location,
    directory: path,
    realPath: path === real ? location : real + location.slice(path.length),
    root: walk.root,
    flat: false,
    digest: "",
    identity: unread,
    folder: name,
    file: null,
  });
}

function list(walk: Walk, path: string): readonly DirectoryEntry[] {
  const limit = Math.max(1, walk.input.limits.entries - walk.entriesSeen);
  const read = walk.fileSystem.readDirectory(path, { limit });
  if (read.kind === "directory") {
    walk.entriesSeen += read.entries.length;
    if (read.truncated) exhaust(walk, path);
    return read.entries;
  }
  if (read.kind === "failure") reportUnlisted(walk, path, read.code);
  return [];
}

/** A folder that may be a skill, with the path of its SKILL.md. */
interface ChildFolder extends Pick<Folder, "path" | "real" | "name" | "depth"> {
  readonly location: string;
}

function visitFolder(walk: Walk, folder: ChildFolder): void {
  const { rules } = walk;
  const { path, real, name, depth } = folder;
  if (!enter(walk, path, real)) return;
  const found = readIn(walk, folder, folder.location);
  if (found && rules.nested === "stop") return;
  const deeper = depth < rules.depth;
  if (!deeper && (found || rules.fileName === "exact")) return;
  walk.chain.push(real);
  holding(walk, real, () =>
    walkEntries(walk, list(walk, path), { path, inside: `${path}/`, real, name, depth, found, deeper }),
  );
  walk.chain.pop();
}

function visitLink(walk: Walk, path: string, depth: number): void {
  if (walk.links >= pathLinks || (walk.cycle !== null && isRepeatedTooOften(walk, path))) return;
  const real = folderBehind(walk, path);
  if (real === null) return;
  walk.visited.expectRepeats();
  const folder = { path, real, name: basename(path), depth, location: `${path}/${skillFile}` };
  if (walk.rules.visit !== "link-limit") {
    visitFolder(walk, folder);
    return;
  }
  const outer = walk.cycle;
  if (walk.chain.includes(real)) {
    const name = `${walk.chain.at(-1)}/${folder.name}`;
    if (outer !== null && outer !== name) return;
    if (outer === null) {
      const message = "This link leads back into its own tree, so the same skills are found again below it.";
      reportLinkBack(walk, path, message, "Remove the link if it has no purpose");
    }
    walk.cycle = name;
  }
  walk.links += 1;
  visitFolder(walk, folder);
  walk.links -= 1;
  walk.cycle = outer;
}

function walkEntries(walk: Walk, entries: readonly DirectoryEntry[], here: Folder): void {
  const { rules } = walk;
  if (!here.found && rules.fileName === "any-case") {
    const twin = entries.find(isOtherSpelling);
    if (twin !== undefined && readIn(walk, here, `${here.path}/${twin.name}`)) {
      reportFileCase(walk, here.path, twin.name);
      if (rules.nested === "stop" && here.depth > 0) return;
    }
  }
  if (!here.deeper) return;
  // By index: an iterator makes an object for each of ten thousand folders as long as a process is young.
  for (let index = 0; index < entries.length && !walk.exhausted; index++)
    visitEntry(walk, entries[index] as DirectoryEntry, here);
}

function isOtherSpelling({ name, type }: DirectoryEntry): boolean {
  return (
    name.length === skillFile.length &&
    name !== skillFile &&
    name.toLowerCase() === "skill.md" &&
    type !== "directory"
  );
}

function visitEntry(walk: Walk, { name, type }: DirectoryEntry, here: Folder): void {
  const { rules } = walk;
  if (type === "file") {
    if (here.depth === 0 && rules.flat !== "none") visitFile(walk, name, here);
    return;
  }
  if (type !== "directory" && type !== "link" && type !== "unknown") return;
  if ((!rules.hidden && name.startsWith(".")) || rules.ignore.has(name)) return;
  if (here.depth === 0 && rules.only !== undefined && !rules.only.has(name)) return;
  // One string for both: paths are most of what is kept of a skill, and a part of a string costs next to nothing.
  const location = here.inside + name + fileInside;
  const path = location.slice(0, -fileInside.length);
  if (type === "unknown" && name.includes("\uFFFD")) {
    reportUnreadableName(walk, path);
    return;
  }
  if (type === "link") {
    const isFile = name === skillFile || (here.depth === 0 && rules.flat !== "none" && name.endsWith(".md"));
    if (!isFile || isFolder(walk, path)) visitLink(walk, path, here.depth + 1);
    else if (here.depth === 0) visitFile(walk, name, here);
    return;
  }
  const real = here.real === here.path ? path : `${here.real}/${name}`;
  if (rules.links.boundary === "as-written" && !contains(walk.bound, real)) refuseFolder(walk, path, real);
  else visitFolder(walk, { path, real, name, location, depth: here.depth + 1 });
}

function isFolder({ fileSystem }: Walk, path: string): boolean {
  return fileSystem.status(path, { follow: true }).kind === "directory";
}

/** A Markdown file at the root's top, where such files are skills. */
function visitFile(walk: Walk, name: string, here: Folder): void {
  const { rules } = walk;
  if (rules.flat === "none" || !name.endsWith(".md") || (name === skillFile && rules.rootIsSkill)) return;
  if (!rules.hidden && name.startsWith(".")) return;
  const location = here.inside + name;
  if (rules.flat === "frontmatter") {
    const head = headOf(walk, location);
    if (head !== null && head !== "---") return;
  }
  readPlace(walk, {
    location,
    directory: here.path,
    realPath: here.path === here.real ? location : `${here.real}/${name}`,
    root: walk.root,
    flat: true,
    digest: "",
    identity: unread,
    folder: here.name,
    file: name.slice(0, -".md".length),
  });
}
