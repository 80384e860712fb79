/** Agents whose skill folders the default profile reads, and whose own rules no profile mirrors yet. */
export const unmirroredAgents: ReadonlySet<string> = new Set([
  "claude",
  "claude-code",
  "codex",
  "copilot",
  "cursor",
  "gemini",
  "gemini-cli",
]);
