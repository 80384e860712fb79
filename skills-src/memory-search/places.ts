import { homedir } from "node:os";
import { basename, dirname, join } from "node:path";
import { claudeSessions } from "../sessions/claude.ts";
import { codexSessions } from "../sessions/codex.ts";
import { fields, type SessionFormat, text } from "../sessions/transcript.ts";

/** Sessions of Skillet's own agent: `DATA/sessions/…/ID.jsonl`, see its documentation. */
const skilletSessions: SessionFormat = {
  title: "Skillet",
  folders: () => {
    const data =
      process.env.SKILLET_DATA_DIR ||
      (process.env.XDG_DATA_HOME
        ? join(process.env.XDG_DATA_HOME, "skillet")
        : join(homedir(), ".local/share/skillet"));
    return [join(data, "sessions")];
  },
  idOf: (path) => (path.endsWith(".jsonl") ? basename(path, ".jsonl") : null),
  read(line) {
    const record = fields(line);
    const folder = text(record.cwd);
    const started = text(record.time) ?? text(record.timestamp);
    const message = fields(record.message ?? record);
    const said =
      typeof message.content === "string"
        ? message.content
        : (Array.isArray(message.content) ? message.content : [])
            .map((part) => text(fields(part).text) ?? "")
            .filter((part) => part !== "")
            .join("\n");
    const kind = message.role === "user" ? "request" : message.role === "assistant" ? "answer" : null;
    return {
      facts: { ...(folder === null ? {} : { folder }), ...(started === null ? {} : { started }) },
      events: kind === null || said === "" ? [] : [{ kind, text: said }],
    };
  },
};

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
