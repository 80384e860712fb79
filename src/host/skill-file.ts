import type { SkillFile } from "../core/activation/skill-file.ts";
import type { FileSystem, TextCodec } from "../core/file-system.ts";
import { contains, isAbsolute, resolve } from "../core/path.ts";
import type { Skill } from "../core/snapshot.ts";
import { toPortable } from "./native-path.ts";

/** Bytes of one file that is handed out. */
const fileLimit = 10 * 1024 * 1024;

/** The bytes of one file of a skill as they are on disk, or why there are none. */
export type SkillBytes =
  | { readonly kind: "bytes"; readonly data: Uint8Array }
  | { readonly kind: "refused"; readonly reason: string };

/** As `readSkillBytes`, told apart into text and binary data. */
export function readSkillFile(
  skill: Skill,
  path: string,
  parts: { readonly fileSystem: FileSystem; readonly codec: TextCodec },
): SkillFile {
  const read = readSkillBytes(skill, path, parts);
  if (read.kind === "refused") return read;
  return fileOf(read.data, parts.codec);
}

/** Bytes as a text where they are one. */
export function fileOf(data: Uint8Array, codec: TextCodec): SkillFile {
  return codec.isUtf8(data) && !data.subarray(0, 8000).includes(0)
    ? { kind: "text", text: codec.decode(data, 0, data.length), bytes: data.length }
    : { kind: "binary", data, bytes: data.length };
}

/**
 * Reads a file beside SKILL.md. `path` is relative to the skill's folder; what resolves outside it, by dots or by a
 * link, is refused, whatever the link rules of discovery were. Feature O15, row B11.
 */
export function readSkillBytes(
  skill: Skill,
  path: string,
  parts: { readonly fileSystem: FileSystem },
): SkillBytes {
  const { fileSystem } = parts;
  if (skill.directory === null) return refused("This skill has no folder.");
  const portable = toPortable(path);
  if (portable === "" || isAbsolute(portable) || portable.includes("\0")) {
    return refused("Name the file relative to the skill's folder.");
  }
  const target = resolve(skill.directory, portable);
  if (!contains(skill.directory, target) || target === skill.directory)
    return refused("The path leads out of the skill's folder.");
  // Where no link was met, the folder is known; resolving it anew would follow one that was put there since (row C19).
  const folder =
    skill.realPath === skill.location
      ? ({ kind: "path", path: skill.directory } as const)
      : fileSystem.realPath(skill.directory);
  const real = fileSystem.realPath(target);
  if (folder.kind === "failure" || real.kind === "failure")
    return refused("There is no such file in the skill's folder.");
  const isSkillItself = real.path === skill.realPath;
  if (!contains(folder.path, real.path) && !isSkillItself)
    return refused("The path is a link that leads out of the skill's folder.");
  const read = fileSystem.readFile(real.path, { limit: fileLimit, follow: false, real: real.path });
  switch (read.kind) {
    case "file":
      return { kind: "bytes", data: Uint8Array.from(read.bytes) };
    case "too-large":
      return refused(`The file has ${read.size} bytes; at most ${fileLimit} are read.`);
    case "failure":
      return refused(`The file cannot be read (${read.code}).`);
    default:
      return refused("This is not a regular file.");
  }
}

function refused(reason: string): { readonly kind: "refused"; readonly reason: string } {
  return { kind: "refused", reason };
}
