import { readlinkSync } from "node:fs";
import type { FileSystem, TextCodec } from "../core/file-system.ts";
import { join, relativeInside } from "../core/path.ts";
import type { Skill } from "../core/snapshot.ts";
import { toNative, toPortable } from "./native-path.ts";

/** Files of one skill that an approval covers; beyond it only SKILL.md and the names count. */
const fileBound = 2000;
/** Bytes of one file that are read for its digest. */
const byteBound = 10 * 1024 * 1024;

export interface ApprovalParts {
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
}

/**
 * What a user approves of one skill: a digest of SKILL.md and of every file beside it, by path relative to `folder`.
 * A link counts by its target, never by what is behind it. Row H11: a later change of text, script, link or set of
 * files is noticed.
 */
export function approvalOf(
  skill: Skill,
  folder: string,
  parts: ApprovalParts,
): Readonly<Record<string, string>> {
  if (skill.directory === null) return {};
  const base = relativeInside(folder, skill.directory);
  if (base === null) return {};
  const record: Record<string, string> = Object.create(null);
  const prefix = base === "" ? "" : `${base}/`;
  const own = skill.location.slice(skill.directory.length + 1);
  record[prefix + own] = skill.digest;
  if (skill.flat) return record;
  let level: readonly string[] = [""];
  let count = 0;
  while (level.length > 0) {
    const next: string[] = [];
    for (const sub of level) {
      const read = parts.fileSystem.readDirectory(join(skill.directory, sub), { limit: fileBound });
      if (read.kind !== "directory") continue;
      for (const entry of read.entries) {
        const relative = sub === "" ? entry.name : `${sub}/${entry.name}`;
        if (entry.name === ".git" || entry.name === "node_modules" || relative === own) continue;
        count += 1;
        if (count > fileBound) return record;
        if (entry.type === "directory") next.push(relative);
        else
          record[prefix + relative] = fingerprint(
            join(skill.directory, relative),
            entry.type === "link",
            parts,
          );
      }
    }
    level = next;
  }
  return record;
}

function fingerprint(path: string, link: boolean, { fileSystem, codec }: ApprovalParts): string {
  if (link) return `link:${linkTarget(path)}`;
  const read = fileSystem.readFile(path, { limit: byteBound, follow: false });
  if (read.kind === "file") return codec.digest(read.bytes);
  return read.kind === "too-large" ? `size:${read.size}` : `kind:${read.kind}`;
}

function linkTarget(path: string): string {
  try {
    return toPortable(readlinkSync(toNative(path)));
  } catch {
    return "?";
  }
}

/**
 * How a skill differs from what was approved, as a short phrase; null when nothing does. `approved` is the record of
 * the trusted folder, `folder` the folder its paths are relative to.
 */
export function approvalChange(
  skill: Skill,
  place: { readonly approved: Readonly<Record<string, string>>; readonly folder: string },
  parts: ApprovalParts,
): string | null {
  const { approved, folder } = place;
  const now = approvalOf(skill, folder, parts);
  const base = relativeInside(folder, skill.directory ?? folder) ?? "";
  const before = Object.keys(approved).filter((path) => base === "" || path.startsWith(`${base}/`));
  const added = Object.keys(now).find((path) => !Object.hasOwn(approved, path));
  if (added !== undefined) return `${added} is new`;
  const changed = Object.keys(now).find((path) => now[path] !== approved[path]);
  if (changed !== undefined) return `${changed} changed`;
  const gone = skill.flat ? undefined : before.find((path) => !Object.hasOwn(now, path));
  return gone === undefined ? null : `${gone} is gone`;
}
