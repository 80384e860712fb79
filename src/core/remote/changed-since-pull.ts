import type { FileSystem, TextCodec } from "../file-system.ts";
import { join } from "../path.ts";
import type { Skill } from "../snapshot.ts";
import { printable } from "../text/printable.ts";
import type { PulledSkill } from "./pulled-record.ts";

/** Entries of a folder that are looked at; a pulled skill has fewer. */
const listed = 5_000;

/**
 * What in a pulled skill's folder is not as it arrived: the end of a sentence, or null. Every file is read and compared,
 * and nothing may have been added (rows G03, H11).
 */
export function changedSincePull(
  pulled: PulledSkill | null,
  {
    skill,
    fileSystem,
    codec,
  }: { readonly skill: Skill; readonly fileSystem: FileSystem; readonly codec: TextCodec },
): string | null {
  const { directory } = skill;
  if (pulled === null || directory === null) return "there is no record of it";
  for (const file of pulled.files) {
    const path = join(directory, file.path);
    const read = fileSystem.readFile(path, { limit: file.bytes, follow: false, real: path });
    if (read.kind !== "file" && read.kind !== "too-large")
      return `${printable(file.path)} is gone or another kind of file`;
    if (read.kind === "too-large" || codec.digest(read.bytes) !== file.digest)
      return `${printable(file.path)} is not what was pulled`;
  }
  const known = new Set(pulled.files.map(({ path }) => path));
  const added = firstAdded(directory, "", { known, fileSystem, left: { entries: listed } });
  return added === null ? null : `${printable(added)} was added`;
}

function firstAdded(
  folder: string,
  prefix: string,
  at: {
    readonly known: ReadonlySet<string>;
    readonly fileSystem: FileSystem;
    readonly left: { entries: number };
  },
): string | null {
  const read = at.fileSystem.readDirectory(folder, { limit: at.left.entries });
  if (read.kind !== "directory") return null;
  at.left.entries -= read.entries.length;
  for (const { name, type } of read.entries) {
    const path = prefix + name;
    if (type === "directory") {
      const inner = firstAdded(join(folder, name), `${path}/`, at);
      if (inner !== null) return inner;
    } else if (!at.known.has(path)) return path;
  }
  return null;
}
