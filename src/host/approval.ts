import { readlinkSync } from "node:fs";
import type { FileSystem, TextCodec } from "../core/file-system.ts";
import { lowerBound } from "../core/lower-bound.ts";
import { join, relativeInside } from "../core/path.ts";
import type { Skill } from "../core/snapshot.ts";
import { toNative, toPortable } from "./native-path.ts";

/** Files of one skill that an approval can cover, also those behind its links. */
const fileBound = 20_000;
/** Bytes of one file that are read for its digest; a larger one counts by size and time. */
const byteBound = 64 * 1024 * 1024;
/** Key of a skill that holds more than an approval can cover; it is never equal to itself. */
const beyond = "*";

export interface ApprovalParts {
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
}

interface Walk extends ApprovalParts {
  readonly record: Record<string, string>;
  /** Real folders entered, so that links in circles end. */
  readonly entered: Set<string>;
  count: number;
}

/**
 * What a user approves of one skill: a digest of SKILL.md and of every file beside it, by path relative to `folder`.
 * A link counts by its target and by what is behind it. Only `.git` is left out, whose content no repository can bring.
 * Row H11: a later change of text, script, link or set of files is noticed; a skill too large to be covered is never
 * approved by content.
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
  record[prefix + skill.location.slice(skill.directory.length + 1)] = skill.digest;
  if (skill.flat) return record;
  const walk: Walk = { ...parts, record, entered: new Set(), count: 0 };
  enter(walk, skill.directory, prefix);
  if (walk.count > fileBound) record[prefix + beyond] = `more than ${fileBound} files`;
  return record;
}

function enter(walk: Walk, folder: string, prefix: string): void {
  const real = walk.fileSystem.realPath(folder);
  if (real.kind !== "path" || walk.entered.has(real.path)) return;
  walk.entered.add(real.path);
  const read = walk.fileSystem.readDirectory(folder, { limit: fileBound + 1 });
  if (read.kind !== "directory") return;
  if (read.truncated) walk.count = fileBound + 1;
  for (const { name, type } of read.entries) {
    if (name === ".git") continue;
    walk.count += 1;
    if (walk.count > fileBound) return;
    const path = join(folder, name);
    const key = prefix + name;
    if (type === "directory") enter(walk, path, `${key}/`);
    else if (type === "link") followLink(walk, path, key);
    else walk.record[key] ??= fingerprint(walk, path);
  }
}

function followLink(walk: Walk, path: string, key: string): void {
  const target = linkTarget(path);
  const status = walk.fileSystem.status(path, { follow: true });
  const behind = status.kind === "file" ? fingerprint(walk, path) : status.kind;
  walk.record[key] = `link:${target} ${behind}`;
  if (status.kind === "directory") enter(walk, path, `${key}/`);
}

function fingerprint({ fileSystem, codec }: ApprovalParts, path: string): string {
  const read = fileSystem.readFile(path, { limit: byteBound, follow: true });
  if (read.kind === "file") return codec.digest(read.bytes);
  if (read.kind === "too-large") return `size:${read.size} time:${read.identity.modified}`;
  return `kind:${read.kind}`;
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
  place: {
    readonly approved: Readonly<Record<string, string>>;
    readonly folder: string;
    /** Files up to which the comparison is made; null = whatever it costs. */
    readonly atMost: number | null;
  },
  parts: ApprovalParts,
): string | null {
  const { approved, folder, atMost } = place;
  const base = relativeInside(folder, skill.directory ?? folder) ?? "";
  const prefix = base === "" ? "" : `${base}/`;
  const before = pathsBelow(approved, prefix);
  if (atMost !== null && before.length > atMost) return null;
  const now = approvalOf(skill, folder, parts);
  if (Object.hasOwn(now, prefix + beyond))
    return `it holds ${now[prefix + beyond]}, too many to be trusted one by one`;
  const added = Object.keys(now).find((path) => !Object.hasOwn(approved, path));
  if (added !== undefined) return `${added} is new`;
  const changed = Object.keys(now).find((path) => now[path] !== approved[path]);
  if (changed !== undefined) return `${changed} changed`;
  const gone = skill.flat ? undefined : before.find((path) => !Object.hasOwn(now, path));
  return gone === undefined ? null : `${gone} is gone`;
}

/** Paths of each record in order. A record never changes, and is asked once for every skill of its project. */
const ordered = new WeakMap<Readonly<Record<string, string>>, readonly string[]>();

/** The paths of a record that begin with `prefix`. */
function pathsBelow(approved: Readonly<Record<string, string>>, prefix: string): readonly string[] {
  const known = ordered.get(approved) ?? Object.keys(approved).sort();
  ordered.set(approved, known);
  const first = lowerBound(known.length, (place) => (known[place] as string) < prefix);
  let end = first;
  while (end < known.length && known[end]?.startsWith(prefix)) end++;
  return known.slice(first, end);
}
