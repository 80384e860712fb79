import { nodeCodec } from "../../host/node-file-system.ts";
import { comparePaths } from "../digest/compare-paths.ts";
import { fileDigest } from "../digest/file-digest.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { LockedFile } from "../lock/lock-data.ts";
import { mergeLines } from "./merge-lines.ts";
import { settlePlaces } from "./settle-places.ts";
import { type Take, takeOf, type Whose } from "./take.ts";

export interface MergeRequest {
  /** What was installed, by path. */
  readonly base: ReadonlyMap<string, LockedFile>;
  /** Its contents where they are still known; without them a file changed on both sides can't be merged. */
  readonly baseFiles: readonly SkillFile[] | null;
  readonly mine: readonly SkillFile[];
  readonly theirs: readonly SkillFile[];
  /** Who wins where both changed the same; null = nobody, it is a conflict. */
  readonly take: Take;
  /** Whether the user decided a conflict by an edit of this file, so that his lines win in it. */
  readonly settled?: (path: string, own: SkillFile | undefined) => boolean;
}

export interface FileChange {
  readonly path: string;
  /** "kept": the user's form stays; "merged": both changes are in it; "conflict": nothing is done. */
  readonly action: "added" | "changed" | "removed" | "kept" | "merged" | "conflict";
}

export interface MergedTree {
  /** What the folder should hold, ordered by path. */
  readonly files: readonly SkillFile[];
  /** What differs from the user's folder, and what was kept in it; ordered by path. */
  readonly changes: readonly FileChange[];
  /** Paths that are a file on one side and a folder on the other, where nobody was to win. */
  readonly clashes: readonly string[];
}

/** Three-way, file by file: what only one side changed is taken from it, what both changed is merged by lines. */
export function mergeTrees(request: MergeRequest): MergedTree {
  const mine = byPath(request.mine);
  const theirs = byPath(request.theirs);
  const baseFiles = byPath(request.baseFiles ?? []);
  const files: SkillFile[] = [];
  const changes: FileChange[] = [];
  for (const path of [...new Set([...request.base.keys(), ...mine.keys(), ...theirs.keys()])].sort(
    comparePaths,
  )) {
    const [own, other] = [mine.get(path), theirs.get(path)];
    const old = request.base.get(path);
    const add = (file: SkillFile | undefined, action: FileChange["action"] | null): void => {
      if (file !== undefined) files.push(file);
      if (action !== null) changes.push({ path, action });
    };
    const whose = takeOf(request.take, path) ?? (request.settled?.(path, own) === true ? "mine" : null);
    const theirAction = other === undefined ? "removed" : own === undefined ? "added" : "changed";
    if (same(own, other)) add(other, null);
    else if (whose === "source") add(other, theirAction);
    else if (same(own, old)) add(other, theirAction);
    else if (same(other, old)) add(own, "kept");
    else {
      const merged = mergedFile(baseFiles.get(path), own, other, whose);
      if (merged !== null) add(merged, "merged");
      else if (whose === "new") add(other, theirAction);
      else add(own, whose === "mine" ? "kept" : "conflict");
    }
  }
  return settlePlaces({ files, changes }, { mine, theirs, take: request.take });
}

type Digested = SkillFile | LockedFile | undefined;

/** Equal content; who may run it counts only where a system can say so. */
function same(a: Digested, b: Digested): boolean {
  if (a === undefined || b === undefined) return a === b;
  const modes = process.platform === "win32" || a.executable === b.executable;
  return modes && digestOf(a) === digestOf(b);
}

function digestOf(file: SkillFile | LockedFile): string {
  return "digest" in file ? file.digest : fileDigest(file.bytes);
}

function mergedFile(
  base: SkillFile | undefined,
  own: SkillFile | undefined,
  other: SkillFile | undefined,
  whose: Whose | null,
): SkillFile | null {
  if (base === undefined || own === undefined || other === undefined) return null;
  const texts = [base, own, other].map(textOf);
  const [old, mine, theirs] = texts;
  if (old == null || mine == null || theirs == null) return null;
  const winner = whose === null ? null : whose === "mine" ? "mine" : "theirs";
  const { text } = mergeLines({ base: old, mine, theirs, winner });
  if (text === null) return null;
  return {
    path: other.path,
    bytes: new TextEncoder().encode(text),
    executable: other.executable || own.executable,
  };
}

function textOf({ bytes }: SkillFile): string | null {
  if (bytes.length > 1024 * 1024 || bytes.includes(0) || !nodeCodec.isUtf8(bytes)) return null;
  return nodeCodec.decode(bytes, 0, bytes.length).replaceAll("\r\n", "\n");
}

function byPath(files: readonly SkillFile[]): ReadonlyMap<string, SkillFile> {
  return new Map(files.map((file) => [file.path, file]));
}
