import { homedir } from "node:os";
import { basename, join } from "node:path";
import { type Fields, fields, list, type SessionEvent, type SessionFormat, text } from "./transcript.ts";

/** Sessions of Skillet's own agent: `DATA/sessions/PROJECT/ID.jsonl`, see its documentation. */
export const skilletSessions: SessionFormat = {
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
    const time = text(record.at) ?? text(record.created);
    const folder = record.type === "session" ? text(record.cwd) : null;
    return {
      ...(time === null ? {} : { time }),
      facts: {
        ...(folder === null ? {} : { folder }),
        ...(time === null ? {} : { started: time }),
      },
      events: eventsOf(record),
    };
  },
};

function eventsOf(record: Fields): readonly SessionEvent[] {
  switch (record.type) {
    case "user":
      return said("request", record.text);
    case "assistant":
      return list(record.parts)
        .map(fields)
        .filter(({ type }) => type === "text")
        .flatMap((part) => said("answer", part.text));
    case "compaction":
      return said("summary", record.summary);
    default:
      return [];
  }
}

function said(kind: "request" | "answer" | "summary", value: unknown): readonly SessionEvent[] {
  const words = text(value);
  return words === null ? [] : [{ kind, text: words }];
}
