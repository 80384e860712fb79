import { appendFileSync, readFileSync } from "node:fs";
import { join } from "../../core/path.ts";
import { toNative } from "../../host/native-path.ts";
import { trustWorkspace } from "../../host/trust-workspace.ts";
import { selectableModels } from "../model/choose-model.ts";
import { modelName } from "../model/model-choice.ts";
import { type Started, type StartOptions, startAgent } from "../start-agent.ts";
import { type Chat, type ChatEnd, createChat } from "./chat/chat.ts";
import { noticeBlock } from "./chat/event-blocks.ts";
import { type Line, span } from "./text/span.ts";

export interface ChatStart extends Omit<StartOptions, "ask" | "assumeYes" | "schema" | "watch"> {
  /** Submitted at once; null = nothing. */
  readonly first: string | null;
  readonly colored: boolean;
  /** Says how to go on with the session that was left. */
  goodbye(id: string): void;
  /** Draws a chat and resolves when it has ended; the terminal's part. */
  show(chat: Chat): Promise<ChatEnd>;
}

/** Chats until the user leaves; another session takes the place of the one before. Resolves to the exit code. */
export async function startChat(options: ChatStart): Promise<number> {
  let resume = options.resume;
  let first = options.first;
  for (;;) {
    const holder: { chat: Chat | null } = { chat: null };
    const started = startAgent({
      ...options,
      resume,
      ask: (question) => holder.chat?.ask(question) ?? Promise.resolve({ kind: "reject", word: null }),
      assumeYes: false,
      schema: null,
      watch: true,
    });
    try {
      const history = historyFile(started.folder);
      const chat = createChat({
        started,
        first,
        history: history.read(),
        remember: history.add,
        now: () => Date.now(),
        calm: 600,
        models: () => modelsOf(started),
        configuredAgents: Object.keys(started.agent.skills.configuration.agents),
        trust: () => trustHere(started),
      });
      holder.chat = chat;
      greet(chat, started);
      const end = await options.show(chat);
      if (end.next === null) {
        const said = started.file.records.some(({ type }) => type === "user");
        if (said) options.goodbye(started.file.head.id);
        return end.exitCode;
      }
      resume = end.next.resume === null ? null : { id: end.next.resume };
      first = null;
    } finally {
      started.agent.close();
    }
  }
}

function modelsOf({ agent }: Started): readonly string[] {
  const { configuration, environment } = agent.skills;
  return selectableModels(
    { variables: environment.variables, settings: configuration.providers },
    modelName(agent.status.model),
  );
}

function trustHere({ agent }: Started): string {
  const { workspace } = agent.skills;
  if (workspace === null) return "There is no project here.";
  if (workspace.trusted) return "This project is trusted already.";
  trustWorkspace(agent.skills, { folder: workspace.folder, to: "content" });
  agent.skills.reload();
  return "This project's skills are trusted as they are now; a change asks again.";
}

/** What a chat begins with: where it is, what it found, what waits. */
function greet(chat: Chat, { agent, resumed, file }: Started): void {
  const { skills } = agent;
  const offered = skills.entries.filter(({ modelInvocable }) => modelInvocable).length;
  const lines: ((columns: number) => readonly Line[])[] = [
    () => [
      [{ text: "Skillet", bold: true, color: "cyan" }, span(` in ${skills.environment.cwd}`, { dim: true })],
      [{ text: `${offered} skills · /help · ${resumed ? "resumed" : "session"} ${file.head.id}`, dim: true }],
    ],
  ];
  const waiting = skills.workspace !== null && !skills.workspace.trusted ? skills.workspace.needsTrust : 0;
  if (waiting > 0)
    lines.push(
      noticeBlock(
        `${waiting} of this project's skills wait until you trust it: /trust, after a look with /skills.`,
        "warning",
      ),
    );
  if (file.damaged > 0)
    lines.push(
      noticeBlock(`${file.damaged} lines of the session could not be read and are left out.`, "warning"),
    );
  chat.head(...lines);
}

/** Messages that were typed in this project, one JSON text a line. */
function historyFile(folder: string): { read(): readonly string[]; add(message: string): void } {
  const path = toNative(join(folder, "history.jsonl"));
  return {
    read() {
      try {
        return readFileSync(path, "utf8")
          .split("\n")
          .flatMap((row) => {
            try {
              const text: unknown = JSON.parse(row);
              return typeof text === "string" ? [text] : [];
            } catch {
              return [];
            }
          })
          .slice(-500);
      } catch {
        return [];
      }
    },
    add(message) {
      try {
        appendFileSync(path, `${JSON.stringify(message)}\n`, { mode: 0o600 });
      } catch {
        // Without it the next chat only lacks this message.
      }
    },
  };
}
