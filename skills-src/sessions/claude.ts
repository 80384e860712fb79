import { homedir } from "node:os";
import { basename, join } from "node:path";
import { type Fields, fields, list, type SessionEvent, type SessionFormat, text } from "./transcript.ts";

const session = /^([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

/** Sessions of Claude Code: `$CLAUDE_CONFIG_DIR/projects/FOLDER/ID.jsonl`. Subagents' side records are left out. */
export const claudeSessions: SessionFormat = {
  title: "Claude Code",
  folders: () => [join(process.env.CLAUDE_CONFIG_DIR || join(homedir(), ".claude"), "projects")],
  idOf: (path) => session.exec(basename(path))?.[1]?.toLowerCase() ?? null,
  read(line) {
    const record = fields(line);
    if (record.isSidechain === true) return {};
    const folder = text(record.cwd);
    const branch = text(record.gitBranch);
    const started = text(record.timestamp);
    return {
      ...(started === null ? {} : { time: started }),
      facts: {
        ...(folder === null ? {} : { folder }),
        ...(branch === null ? {} : { branch }),
        ...(started === null ? {} : { started }),
      },
      events: eventsOf(record),
    };
  },
};

/** Text in angle brackets that the program adds to what a user typed: command names, reminders, output of commands. */
const framed =
  /<(system-reminder|command-message|command-args|local-command-stdout|local-command-caveat)>[\s\S]*?<\/\1>/g;

function eventsOf(record: Fields): readonly SessionEvent[] {
  if (record.type === "summary") return [{ kind: "summary", text: text(record.summary) ?? "" }];
  const { content } = fields(record.message);
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : list(content);
  if (record.type === "assistant") return parts.flatMap(answered);
  if (record.type !== "user") return [];
  if (record.isCompactSummary === true) return [{ kind: "summary", text: joined(parts) }];
  const results = parts.map(fields).filter(({ type }) => type === "tool_result");
  if (results.length > 0) return results.map(result);
  const said = record.isMeta === true ? "" : typed(joined(parts));
  return said === "" ? [] : [{ kind: "request", text: said }];
}

function joined(parts: readonly unknown[]): string {
  return parts
    .map((part) => text(fields(part).text) ?? "")
    .filter((part) => part !== "")
    .join("\n");
}

function typed(said: string): string {
  const command = /<command-name>(.*?)<\/command-name>/.exec(said)?.[1] ?? "";
  const args = /<command-args>([\s\S]*?)<\/command-args>/.exec(said)?.[1] ?? "";
  if (command !== "") return `${command} ${args}`.trim();
  return said.replace(framed, "").trim();
}

function answered(part: unknown): readonly SessionEvent[] {
  const piece = fields(part);
  const said = text(piece.text);
  if (piece.type === "text" && said !== null) return [{ kind: "answer", text: said }];
  if (piece.type !== "tool_use") return [];
  const input = fields(piece.input);
  const todos = list(input.todos);
  if (piece.name === "TodoWrite") {
    const steps = todos.map((todo) => ({
      text: text(fields(todo).content) ?? "",
      status: text(fields(todo).status) ?? "pending",
    }));
    return [{ kind: "plan", steps }];
  }
  const path = text(input.file_path) ?? text(input.notebook_path);
  const writes = /^(?:Edit|MultiEdit|Write|NotebookEdit)$/.test(text(piece.name) ?? "");
  const detail =
    text(input.command) ?? path ?? text(input.pattern) ?? text(input.description) ?? JSON.stringify(input);
  return [
    {
      kind: "call",
      id: text(piece.id) ?? "",
      tool: text(piece.name) ?? "?",
      detail,
      files: writes && path !== null ? [path] : [],
    },
  ];
}

function result(part: Fields): SessionEvent {
  const { content } = part;
  const said = typeof content === "string" ? content : joined(list(content));
  return { kind: "result", id: text(part.tool_use_id) ?? "", failed: part.is_error === true, text: said };
}
