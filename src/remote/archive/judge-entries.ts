import { printable } from "../../core/text/printable.ts";
import { isJunk } from "../digest/junk.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { ArchiveEntry } from "./archive-entry.ts";
import { ArchiveFault } from "./archive-fault.ts";
import { collisionKey } from "./collision-key.ts";
import type { ArchiveLimits } from "./limits.ts";
import { pathProblem } from "./path-problem.ts";

export interface ArchiveLink {
  readonly path: string;
  readonly target: string;
}

export interface JudgedEntries {
  /** Ordered by path (code units). */
  readonly files: readonly SkillFile[];
  readonly links: readonly ArchiveLink[];
  /** Paths of what systems put into archives, left out. */
  readonly junk: readonly string[];
}

/** Refuses unsafe paths, twins and a file in place of a folder; throws `ArchiveFault` for the first one met. */
export function judgeEntries(entries: readonly ArchiveEntry[], limits: ArchiveLimits): JudgedEntries {
  const files: SkillFile[] = [];
  const links: ArchiveLink[] = [];
  const junk: string[] = [];
  const seen = new Map<string, { readonly path: string; readonly folder: boolean }>();
  const claim = (path: string, folder: boolean): void => {
    const key = collisionKey(path);
    const earlier = seen.get(key);
    if (earlier !== undefined && !(folder && earlier.folder && earlier.path === path)) {
      const [one, other] = [printable(earlier.path), printable(path)];
      throw new ArchiveFault("archive/collision", `The entries "${one}" and "${other}" would be one file.`);
    }
    if (earlier === undefined) seen.set(key, { path, folder });
  };
  for (const entry of entries) {
    const path = plainPath(entry);
    if (path === null) continue;
    const shown = `The path "${printable(path).slice(0, 200)}"`;
    const problem = pathProblem(path);
    if (problem !== null) throw new ArchiveFault("archive/unsafe-path", `${shown} is refused: ${problem}.`);
    if (path.split("/").length - 1 > limits.depth || Buffer.byteLength(path) > limits.pathBytes) {
      throw new ArchiveFault("archive/too-large", `${shown} is deeper or longer than allowed.`);
    }
    if (isJunk(path)) {
      junk.push(path);
      continue;
    }
    const segments = path.split("/");
    for (let depth = 1; depth < segments.length; depth++) claim(segments.slice(0, depth).join("/"), true);
    claim(path, entry.kind === "folder");
    if (entry.kind === "file") files.push({ path, bytes: entry.bytes, executable: entry.executable });
    if (entry.kind === "link") links.push({ path, target: entry.target ?? "" });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, links, junk };
}

/** A leading `./` and a folder's trailing slash are how tar writes; null for the archive's own root. */
function plainPath(entry: ArchiveEntry): string | null {
  const path = entry.path.startsWith("./") ? entry.path.slice(2) : entry.path;
  if (entry.kind !== "folder") return path;
  if (path === "" || path === ".") return null;
  return path.endsWith("/") && path.length > 1 ? path.slice(0, -1) : path;
}
