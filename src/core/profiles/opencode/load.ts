import { join } from "../../path.ts";
import type { LoadOutput, LoadRequest } from "../../profile.ts";
import { fileUrl } from "../../text/file-url.ts";
import { hasFolder, sampleFiles } from "./sample-files.ts";

/** How one generation and version of the program writes what its `skill` tool gives. */
export interface LoadRules {
  /** The base directory as a path or as a file URL (decision D2). */
  readonly base: "path" | "file-url";
  /** Ignore files count for the list of files. */
  readonly ignoreFiles: boolean;
  /** What stands between the tags of an empty list. */
  readonly emptyList: "blank-line" | "nothing";
}

/** Files named by the program. */
const fileLimit = 10;

/**
 * The `skill` tool's output (feature O15; golden `tool.*`, `v2t.*`): the body trimmed, otherwise byte for byte, also
 * where it holds the tags of the frame. The program's own cut of very long outputs belongs to its file store.
 */
export function openCodeLoad({ skill, body, fileSystem, limit }: LoadRequest, rules: LoadRules): LoadOutput {
  const head = [`<skill_content name="${skill.name}">`, `# Skill: ${skill.name}`, "", body.trim()];
  const folder = skill.directory;
  if (folder === null) return { output: [...head, "</skill_content>"].join("\n"), files: [] };
  const files = hasFolder(skill.location)
    ? sampleFiles(fileSystem, folder, {
        limit: Math.min(limit, fileLimit),
        ignoreFiles: rules.ignoreFiles,
      }).map((file) => join(folder, file))
    : [];
  const lines = files.map((file) => `<file>${file}</file>`);
  const output = [
    ...head,
    "",
    `Base directory for this skill: ${rules.base === "file-url" ? fileUrl(folder) : folder}`,
    "Relative paths in this skill (e.g., scripts/, reference/) are relative to this base directory.",
    "Note: file list is sampled.",
    "",
    "<skill_files>",
    ...(lines.length === 0 && rules.emptyList === "blank-line" ? [""] : lines),
    "</skill_files>",
    "</skill_content>",
  ].join("\n");
  return { output, files };
}

/** A failed call as the second generation hands it to a model (golden `v2t.unknown`, `v2t.denied`). */
export function openCodeV2Failure(message: string): string {
  return JSON.stringify({ error: { type: "unknown", message }, content: [], structured: {} });
}
