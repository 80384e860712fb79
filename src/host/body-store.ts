import type { FileSystem, TextCodec } from "../core/file-system.ts";
import { basename } from "../core/path.ts";
import type { Profile } from "../core/profile.ts";
import type { Skill } from "../core/snapshot.ts";

/** UTF-16 units of bodies that are kept; beyond it the oldest are read again when needed. */
const keptUnits = 8_000_000;

export interface BodyStore {
  /** Text after the frontmatter; null when the file is gone or unreadable. */
  body(skill: Skill): string | null;
}

/**
 * Bodies are read on demand, not at discovery: ten thousand skills must not fill the memory with text nobody asked for
 * (bench/README.md). What was read is kept by content digest up to a bound.
 */
export function createBodyStore(parts: {
  readonly profile: Profile;
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
  /** SKILL.md of a skill that an MCP server offers; null until it was fetched. */
  readonly fetched: (skill: Skill) => Uint8Array | null;
}): BodyStore {
  const { profile, fileSystem, codec } = parts;
  const kept = new Map<string, string>();
  let units = 0;
  return {
    body(skill) {
      if (skill.embedded !== null) return skill.embedded;
      if (skill.root.scope === "mcp") {
        const bytes = parts.fetched(skill);
        const source = { path: skill.location, folder: skill.name, file: null };
        return bytes === null
          ? null
          : profile.reader.body({ ...source, bytes }, { codec, limits: profile.readLimits });
      }
      const key = `${skill.location}\0${skill.digest}`;
      const known = kept.get(key);
      if (known !== undefined) return known;
      const read = fileSystem.readFile(skill.realPath, {
        limit: profile.fileLimit,
        follow: false,
        real: skill.realPath,
      });
      if (read.kind !== "file") return null;
      const fresh = codec.digest(read.bytes) === skill.digest;
      const text = (skill.root.reader ?? profile.reader).body(
        {
          path: skill.location,
          folder: basename(skill.directory ?? ""),
          file: skill.flat ? basename(skill.location).slice(0, -".md".length) : null,
          bytes: read.bytes,
        },
        { codec, limits: profile.readLimits },
      );
      if (!fresh) return text;
      kept.set(key, text);
      units += text.length;
      for (const [oldest, old] of kept) {
        if (units <= keptUnits) break;
        kept.delete(oldest);
        units -= old.length;
      }
      return text;
    },
  };
}
