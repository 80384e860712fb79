/** Folders and files, at any depth, whose change runs code or moves rules: of git, of Skillet, of editors and of agents. */
const delicate =
  /(?:^|\/)(?:(?:\.git|\.skillet|\.husky|\.claude|\.agents|\.opencode|\.mimocode|\.codex|\.cursor|\.gemini)(?:\/|$)|(?:skillet\.jsonc?|opencode\.jsonc?|\.envrc|\.mcp\.json|\.gitmodules|\.gitconfig)$|\.vscode\/(?:tasks|launch|settings|mcp)\.json$)/i;

/** Whether a change of this path, relative to the project, is asked for every time. */
export function isDelicate(relative: string): boolean {
  return delicate.test(relative);
}
