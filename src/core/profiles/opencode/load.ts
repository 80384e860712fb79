import { basename, join } from "../../path.ts";
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
  /** Relative paths that are never listed; absent = files named SKILL.md. */
  readonly omits?: (path: string) => boolean;
}

/** Files named by the program. */
export const fileLimit = 10;

/**
 * The `skill` tool's output (feature O15; golden `tool.*`, `v2t.*`): the body trimmed, otherwise byte for byte, also
 * where it holds the tags of the frame. The program's own cut of very long outputs belongs to its file store.
 */
export function openCodeLoad({ skill, body, fileSystem, limit }: LoadRequest, rules: LoadRules): LoadOutput {
  const folder = skill.directory;
  if (folder === null)
    return { output: [...headLines(skill.name, body), "</skill_content>"].join("\n"), files: [] };
  const files = hasFolder(skill.location)
    ? sampleFiles(fileSystem, folder, {
        limit: Math.min(limit, fileLimit),
        ignoreFiles: rules.ignoreFiles,
        omits: rules.omits ?? isSkillFile,
      }).map((file) => join(folder, file))
    : [];
  return { output: renderSkillContent({ name: skill.name, body, folder, files }, rules), files };
}

/** The text itself: a skill in a folder, with files as absolute paths in order. */
export function renderSkillContent(
  content: {
    readonly name: string;
    readonly body: string;
    readonly folder: string;
    readonly files: readonly string[];
  },
  rules: Pick<LoadRules, "base" | "emptyList">,
): string {
  const { name, body, folder, files } = content;
  const lines = files.map((file) => `<file>${file}</file>`);
  return [
    ...headLines(name, body),
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
}

function headLines(name: string, body: string): readonly string[] {
  return [`<skill_content name="${name}">`, `# Skill: ${name}`, "", body.trim()];
}

/** The program leaves out a file of exactly this name, in any folder. */
function isSkillFile(path: string): boolean {
  return basename(path) === "SKILL.md";
}

/** A failed call as the second generation hands it to a model (golden `v2t.unknown`, `v2t.denied`). */
export function openCodeV2Failure(message: string): string {
  return JSON.stringify({ error: { type: "unknown", message }, content: [], structured: {} });
}
