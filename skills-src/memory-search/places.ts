import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { claudeSessions } from "../sessions/claude.ts";
import { codexSessions } from "../sessions/codex.ts";
import { skilletSessions } from "../sessions/skillet.ts";
import type { SessionFormat } from "../sessions/transcript.ts";

export const sessionSources: Readonly<Record<string, SessionFormat>> = {
  skillet: skilletSessions,
  claude: claudeSessions,
  codex: codexSessions,
};

export const sourceNames: readonly string[] = [...Object.keys(sessionSources), "notes"];

/** Files and folders in which agents and people keep notes for a project, existing or not; the nearest folder first. */
export function notePlaces(project: string): readonly string[] {
  const home = homedir();
  const above: string[] = [];
  for (let folder = project; ; folder = dirname(folder)) {
    above.push(folder);
    if (folder === home || dirname(folder) === folder) break;
  }
  const names = [
    "AGENTS.md",
    "CLAUDE.md",
    "CLAUDE.local.md",
    "GEMINI.md",
    "MEMORY.md",
    "memory",
    ".claude/memory",
    ".skillet/memory",
  ];
  const claude = process.env.CLAUDE_CONFIG_DIR || join(home, ".claude");
  return [
    ...above.flatMap((folder) => names.map((name) => join(folder, name))),
    join(home, ".config/skillet/AGENTS.md"),
    join(home, ".config/skillet/memory"),
    join(claude, "CLAUDE.md"),
    join(claude, "projects", project.replace(/[^A-Za-z0-9]/g, "-"), "memory"),
    join(process.env.CODEX_HOME || join(home, ".codex"), "AGENTS.md"),
    join(process.env.CODEX_HOME || join(home, ".codex"), "memories"),
  ];
}
