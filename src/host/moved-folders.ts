/** Variables that move an agent's folders or switch its sources; `--home` drops them (docs/cli.md). */
const names: ReadonlySet<string> = new Set([
  "AGENTS_HOME",
  "CLAUDE_CONFIG_DIR",
  "CLAUDE_PROJECT_DIR",
  "CODEX_HOME",
  "COPILOT_HOME",
  "CURSOR_CONFIG_DIR",
  "GEMINI_CLI_HOME",
  "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
  "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
  "PI_CODING_AGENT_DIR",
  "APPDATA",
  "LOCALAPPDATA",
  "PROGRAMDATA",
]);

const prefixes = ["XDG_", "OPENCODE_", "MIMOCODE_", "MINIMAX_", "MAVIS_"];

/** True for a variable of the process that must not count once the home folder was replaced. */
export function movesFolders(name: string): boolean {
  return (
    names.has(name) ||
    prefixes.some((prefix) => name.startsWith(prefix)) ||
    /^SKILLET_\w*_?(DIR|HOME|FOLDER|PATH|CONFIG)$/.test(name)
  );
}
