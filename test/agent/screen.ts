import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import xterm from "@xterm/headless";
import { selectableModels } from "../../src/agent/model/choose-model.ts";
import { startAgent } from "../../src/agent/start-agent.ts";
import type { Chat } from "../../src/agent/terminal/chat/chat.ts";
import { type ChatEnd, createChat } from "../../src/agent/terminal/chat/chat.ts";
import type { Ground } from "./ground.ts";
import type { ScriptedModel } from "./scripted-model.ts";

// A chat in a terminal that a test can look at: what a person would see, row by row.

export interface ChatScreen {
  readonly chat: Chat;
  /** Rows without blanks at their ends; empty rows at the end are left out. */
  rows(): readonly string[];
  text(): string;
  /** Types characters, or sends the bytes of keys. */
  type(text: string): void;
  /** Waits until the screen holds a text, or fails with what is there. */
  until(wanted: string | RegExp | ((text: string) => boolean)): Promise<void>;
  resize(columns: number, rows: number): void;
  /** Everything that was written, with its escape sequences. */
  written(): string;
  cursor(): { readonly x: number; readonly y: number };
  readonly rawMode: boolean;
  readonly ended: Promise<ChatEnd>;
}

export const keys = {
  enter: "\r",
  escape: "\u001b",
  tab: "\t",
  up: "\u001b[A",
  down: "\u001b[B",
  left: "\u001b[D",
  backspace: "\u007f",
  delete: "\u001b[3~",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlJ: "\n",
  ctrlO: "\u000f",
  ctrlR: "\u0012",
  ctrlY: "\u0019",
  paste: (text: string) => `\u001b[200~${text}\u001b[201~`,
} as const;

export async function chatScreen(
  ground: Ground,
  model: ScriptedModel,
  options: {
    readonly columns?: number;
    readonly rows?: number;
    readonly colored?: boolean;
    readonly language?: string;
    readonly resume?: "last";
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly watch?: boolean;
    readonly profile?: string;
    readonly calm?: number;
    readonly now?: () => number;
  } = {},
): Promise<ChatScreen> {
  // The terminal library looks at these when it is loaded, and draws nothing then.
  for (const name of Object.keys(process.env))
    if (/^CI(?:_|$)|^CONTINUOUS_INTEGRATION$/.test(name)) delete process.env[name];
  const { showChat } = await import("../../src/agent/terminal/show-chat.ts");
  const size = { columns: options.columns ?? 80, rows: options.rows ?? 24 };
  const terminal = new xterm.Terminal({
    cols: size.columns,
    rows: size.rows,
    allowProposedApi: true,
    scrollback: 5000,
    convertEol: true,
  });
  let everything = "";
  const stdout = Object.assign(new EventEmitter(), {
    isTTY: true,
    columns: size.columns,
    rows: size.rows,
    write: (data: string) => {
      everything += data;
      terminal.write(data);
      return true;
    },
  });
  const input = new PassThrough();
  let raw = false;
  const stdin = Object.assign(input, {
    isTTY: true,
    setRawMode: (on: boolean) => {
      raw = on;
    },
    ref: () => {},
    unref: () => {},
  });
  const settings = {
    model: "test/scripted",
    providers: {
      test: { url: model.url, format: "openai-compatible", models: { scripted: { window: 100_000 } } },
    },
    ...options.settings,
  };
  ground.write("home/.config/skillet/skillet.jsonc", JSON.stringify(settings));
  const holder: { chat: Chat | null } = { chat: null };
  const started = startAgent({
    open: {
      cwd: ground.project,
      home: ground.home,
      data: ground.data,
      trust: true,
      ...(options.language === undefined ? {} : { language: options.language }),
      ...(options.profile === undefined ? {} : { profile: options.profile }),
    },
    model: null,
    agent: null,
    resume: options.resume ?? null,
    ask: (question) => holder.chat?.ask(question) ?? Promise.resolve({ kind: "reject", word: null }),
    assumeYes: false,
    schema: null,
    watch: options.watch ?? false,
    stream: { firstWait: 5 },
  });
  const chat = createChat({
    started,
    history: [],
    first: null,
    remember: () => {},
    now: options.now ?? (() => Date.now()),
    calm: options.calm ?? 0,
    models: () => selectableModels({ variables: {}, settings: settings.providers }, "test/scripted"),
    configuredAgents: [],
    trust: () => "trusted",
  });
  holder.chat = chat;
  const ended = showChat(chat, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    colored: options.colored ?? false,
  }).then((end) => {
    started.agent.close();
    return end;
  });
  const rows = (): readonly string[] => {
    const buffer = terminal.buffer.active;
    const all = Array.from(
      { length: buffer.length },
      (_, at) => buffer.getLine(at)?.translateToString(true) ?? "",
    );
    while (all.at(-1) === "") all.pop();
    return all;
  };
  const text = (): string => rows().join("\n");
  return {
    chat,
    rows,
    text,
    type: (typed) => void input.write(typed),
    async until(wanted) {
      const holds = (): boolean =>
        typeof wanted === "function"
          ? wanted(text())
          : typeof wanted === "string"
            ? text().includes(wanted)
            : wanted.test(text());
      for (let round = 0; round < 600; round++) {
        if (holds()) return;
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      throw new Error(`The screen never held ${String(wanted)}. It shows:\n${text()}`);
    },
    resize(columns, high) {
      Object.assign(stdout, { columns, rows: high });
      terminal.resize(columns, high);
      stdout.emit("resize");
    },
    written: () => everything,
    cursor: () => ({
      x: terminal.buffer.active.cursorX,
      y: terminal.buffer.active.cursorY + terminal.buffer.active.baseY,
    }),
    get rawMode() {
      return raw;
    },
    ended,
  };
}
