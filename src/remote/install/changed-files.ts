import { nodeCodec } from "../../host/node-file-system.ts";
import { comparePaths } from "../digest/compare-paths.ts";
import { fileDigest } from "../digest/file-digest.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { FileChange } from "./merge-trees.ts";
import type { ChangedFile } from "./operation.ts";
import { unifiedDiff } from "./unified-diff.ts";

/** A longer difference says less than the two files. */
const mostLines = 400;

/** What differs between two states of a folder, by path; `known` says more of some (kept, merged, in conflict). */
export function changedFiles(
  old: readonly SkillFile[],
  next: readonly SkillFile[],
  known: readonly FileChange[],
): readonly ChangedFile[] {
  const before = new Map(old.map((file) => [file.path, file]));
  const after = new Map(next.map((file) => [file.path, file]));
  const actions = new Map(known.map(({ path, action }) => [path, action]));
  return [...new Set([...before.keys(), ...after.keys()])].sort(comparePaths).flatMap((path) => {
    const [one, other] = [before.get(path), after.get(path)];
    const action = actions.get(path) ?? plainAction(one, other);
    if (action === null) return [];
    const shown = other ?? one;
    return [
      {
        path,
        action,
        bytes: shown?.bytes.length ?? 0,
        executable: shown?.executable ?? false,
        diff: one !== undefined && action !== "kept" ? difference(one, other) : [],
      },
    ];
  });
}

function plainAction(
  one: SkillFile | undefined,
  other: SkillFile | undefined,
): "added" | "changed" | "removed" | null {
  if (one === undefined) return "added";
  if (other === undefined) return "removed";
  const same = one.executable === other.executable && fileDigest(one.bytes) === fileDigest(other.bytes);
  return same ? null : "changed";
}

function difference(one: SkillFile, other: SkillFile | undefined): readonly string[] {
  const [a, b] = [textOf(one), other === undefined ? "" : textOf(other)];
  if (a === null || b === null) return [];
  const lines = unifiedDiff(a, b);
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines), `… ${lines.length - mostLines} more lines`];
}

function textOf({ bytes }: SkillFile): string | null {
  if (bytes.length > 1024 * 1024 || bytes.includes(0) || !nodeCodec.isUtf8(bytes)) return null;
  return nodeCodec.decode(bytes, 0, bytes.length).replaceAll("\r\n", "\n");
}
