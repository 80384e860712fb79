import { listFiles } from "../../core/activation/list-files.ts";
import type { FileSystem } from "../../core/file-system.ts";
import type { Skill } from "../../core/snapshot.ts";
import type { McpSources } from "../mcp-sources/mcp-sources.ts";
import { nodeCodec } from "../node-file-system.ts";
import { fileOf, readSkillFile } from "../skill-file.ts";
import type { Skills } from "../skills.ts";

/** Folders inside a skill that are no part of it. */
const ignored: ReadonlySet<string> = new Set(["node_modules", ".git"]);

/** The files beside SKILL.md, from the skill's folder or as its MCP server listed them. Reads follow invariant 4. */
export function createSkillFiles({
  fileSystem,
  mcp,
}: {
  readonly fileSystem: FileSystem;
  readonly mcp: McpSources;
}): {
  /** The first `limit` paths, absolute (of a server: as listed), and whether there are more. */
  list(skill: Skill, limit: number): { readonly files: readonly string[]; readonly more: boolean };
  read: Skills["readFile"];
} {
  return {
    list: (skill, limit) => {
      if (skill.root.scope === "mcp") {
        const all = mcp.files(skill);
        return { files: all.slice(0, limit), more: all.length > limit };
      }
      if (skill.directory === null || skill.flat) return { files: [], more: false };
      const { files, more } = listFiles(fileSystem, skill.directory, {
        limit,
        depth: 8,
        hidden: true,
        ignore: ignored,
        accept: () => true,
      });
      return { files, more };
    },
    read: (skill, path) => {
      if (skill.root.scope !== "mcp") return readSkillFile(skill, path, { fileSystem, codec: nodeCodec });
      const read = mcp.file(skill, path);
      return "reason" in read ? { kind: "refused", ...read } : fileOf(read.bytes, nodeCodec);
    },
  };
}
