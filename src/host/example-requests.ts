import type { FileSystem, TextCodec } from "../core/file-system.ts";
import type { Skill } from "../core/snapshot.ts";
import { readSkillBytes } from "./skill-file.ts";

/** Where a skill's author writes requests that it serves; search counts them (docs/search.md). */
const examplesFile = "evals/examples.jsonl";
/** Bytes; a longer file is left out. */
const examplesLimit = 64 * 1024;

/** The requests in `evals/examples.jsonl`, in its order; none where the file is missing, too long or can't be read. */
export function exampleRequests(
  skill: Skill,
  parts: { readonly fileSystem: FileSystem; readonly codec: TextCodec },
): readonly string[] {
  if (skill.directory === null || skill.flat) return [];
  const read = readSkillBytes(skill, examplesFile, parts);
  if (read.kind === "refused" || read.data.length > examplesLimit || !parts.codec.isUtf8(read.data))
    return [];
  const lines = parts.codec.decode(read.data, 0, read.data.length).split("\n");
  return lines.flatMap((line) => {
    try {
      const { query } = JSON.parse(line) as { readonly query?: unknown };
      return typeof query === "string" ? [query] : [];
    } catch {
      return [];
    }
  });
}
