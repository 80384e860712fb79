import { relativeInside } from "../../path.ts";
import type { LoadOutput, LoadRequest } from "../../profile.ts";
import { fileLimit, type LoadRules, openCodeLoad, renderSkillContent } from "../opencode/load.ts";

const rules: LoadRules = {
  base: "file-url",
  ignoreFiles: true,
  emptyList: "blank-line",
  omits: (path) => path.includes("SKILL.md"),
};

/** What the `skill` tool and a search that loads give (feature M17). */
export function mimoLoad(request: LoadRequest): LoadOutput {
  return openCodeLoad(request, rules);
}

/**
 * The same from a list of files as the lister gives them, absolute and in its order: every path that holds `SKILL.md`
 * goes, then ten stay (golden `mimo.content`).
 */
export function renderMimoContent(content: {
  readonly name: string;
  readonly body: string;
  readonly folder: string;
  readonly files: readonly string[];
}): string {
  const files = content.files
    .filter((file) => rules.omits?.(relativeInside(content.folder, file) ?? file) !== true)
    .slice(0, fileLimit);
  return renderSkillContent({ ...content, files }, rules);
}
