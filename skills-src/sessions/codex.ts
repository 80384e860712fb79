import { homedir } from "node:os";
import { basename, join } from "node:path";
import {
  type Fields,
  fields,
  type LineReading,
  list,
  type SessionEvent,
  type SessionFormat,
  text,
} from "./transcript.ts";

const rollout = /^rollout-.*?([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\.jsonl$/i;

/** Sessions of the Codex command and editor extension: `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-….jsonl`. */
export const codexSessions: SessionFormat = {
  title: "Codex",
  folders: () => {
    const home = process.env.CODEX_HOME || join(homedir(), ".codex");
    return [join(home, "sessions"), join(home, "archived_sessions")];
  },
  idOf: (path) => rollout.exec(basename(path))?.[1]?.toLowerCase() ?? null,
  read(line) {
    const time = text(fields(line).timestamp);
    return { ...(time === null ? {} : { time }), ...reading(line) };
  },
};

function reading(line: unknown): LineReading {
  const { type, payload, ...older } = fields(line);
  const body = fields(payload);
  switch (type) {
    case "session_meta":
      return { facts: factsOf(body) };
    case "turn_context":
      return text(body.cwd) === null ? {} : { facts: { folder: text(body.cwd) } };
    case "response_item":
      return { events: eventsOf(body) };
    case "compacted":
      return { events: [{ kind: "summary", text: text(body.message) ?? "" }] };
    case "event_msg":
      return eventMessage(body);
    default:
      // Older records have the items themselves as lines, and the facts as the first one.
      return type === undefined ? { facts: factsOf(older) } : { events: eventsOf({ type, ...older }) };
  }
}

function factsOf(body: Fields): NonNullable<LineReading["facts"]> {
  const git = fields(body.git);
  return {
    ...present("folder", body.cwd),
    ...present("branch", git.branch),
    ...present("commit", git.commit_hash),
    ...present("started", body.timestamp),
  };
}

function present<Key extends string>(key: Key, value: unknown): { readonly [K in Key]?: string } {
  const known = text(value);
  return known === null ? {} : ({ [key]: known } as { readonly [K in Key]?: string });
}

function eventMessage(body: Fields): LineReading {
  if (body.type !== "turn_aborted") return {};
  return { events: [{ kind: "result", id: "", failed: true, text: "The turn was stopped." }] };
}

function eventsOf(item: Fields): readonly SessionEvent[] {
  switch (item.type) {
    case "message":
      return message(item);
    case "function_call":
    case "custom_tool_call":
    case "local_shell_call":
      return call(item);
    case "function_call_output":
    case "custom_tool_call_output":
      return [result(item)];
    default:
      return [];
  }
}

/** Text that Codex itself puts before the first request: environment, instructions, permissions. */
const framed =
  /^\s*<(?:environment_context|user_instructions|permissions|INSTRUCTIONS|turn_aborted)\b|^# AGENTS\.md instructions/;

function message(item: Fields): readonly SessionEvent[] {
  const said = list(item.content)
    .map((part) => text(fields(part).text) ?? "")
    .filter((part) => part !== "" && !framed.test(part))
    .join("\n");
  if (said === "") return [];
  if (item.role === "user") return [{ kind: "request", text: said }];
  return item.role === "assistant" ? [{ kind: "answer", text: said }] : [];
}

function call(item: Fields): readonly SessionEvent[] {
  const tool = text(item.name) ?? "shell";
  const given = item.arguments ?? item.input ?? item.action;
  const wanted = typeof given === "string" ? parsed(given) : given;
  const input = fields(wanted);
  const plan = list(input.plan);
  if (tool === "update_plan" && plan.length > 0) {
    const steps = plan.map((step) => ({
      text: text(fields(step).step) ?? "",
      status: text(fields(step).status) ?? "pending",
    }));
    return [{ kind: "plan", steps }];
  }
  const command = input.command ?? input.cmd;
  const detail = Array.isArray(command)
    ? command.join(" ")
    : (text(command) ?? (typeof given === "string" ? given : JSON.stringify(given ?? {})));
  const files = [...detail.matchAll(/^\*\*\* (?:Add|Update|Delete) File: (.+)$/gm)].map(
    ([, path]) => path?.trim() ?? "",
  );
  return [{ kind: "call", id: text(item.call_id) ?? text(item.id) ?? "", tool, detail, files }];
}

function result(item: Fields): SessionEvent {
  const output = typeof item.output === "string" ? parsed(item.output) : item.output;
  const inner = fields(output);
  const said =
    text(inner.output) ?? text(inner.content) ?? (typeof item.output === "string" ? item.output : "");
  const code =
    fields(inner.metadata).exit_code ?? /^(?:Process exited with code|Exit code:) (-?\d+)/m.exec(said)?.[1];
  const failed = inner.success === false || (code !== undefined && Number(code) !== 0);
  return { kind: "result", id: text(item.call_id) ?? "", failed, text: said };
}

function parsed(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
