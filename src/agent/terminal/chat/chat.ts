import type { Agent } from "../../loop/agent.ts";
import type { Answer, Question, TurnEnd } from "../../loop/events.ts";
import { modelName } from "../../model/model-choice.ts";
import type { Started } from "../../start-agent.ts";
import { completionFor } from "../input/completions.ts";
import { emptyEditor } from "../input/editor.ts";
import type { Key } from "../input/key.ts";
import { projectFiles } from "../input/project-files.ts";
import type { Line } from "../text/span.ts";
import { settledLength } from "../text/split-stream.ts";
import { chatKey, escapeFirst, type KeyDesk } from "./chat-key.ts";
import { readCommand } from "./commands.ts";
import { answerBlock, noticeBlock } from "./event-blocks.ts";
import { replay } from "./replay.ts";
import { runCommand } from "./run-command.ts";
import { type EventDesk, type ShownCall, showEnd, showEvent } from "./show-event.ts";
import type { ChatState, Panel, Status } from "./state.ts";

/** How a chat ends. */
export interface ChatEnd {
  readonly exitCode: number;
  /** Another session to open in its place; null = it is over. */
  readonly next: { readonly resume: string | null } | null;
}

export interface ChatOptions {
  readonly started: Started;
  readonly history: readonly string[];
  /** A message that is submitted at once. */
  readonly first: string | null;
  remember(message: string): void;
  now(): number;
  /** Milliseconds without a key until a question takes answers: what was typed before it was seen is none. */
  readonly calm: number;
  /** Names that `/model` offers. */
  models(): readonly string[];
  readonly configuredAgents: readonly string[];
  trust(): string;
}

/** A chat without a terminal: takes keys and events, and has a state to show. */
export interface Chat {
  readonly state: ChatState;
  readonly agent: Agent;
  subscribe(listener: () => void): () => void;
  key(key: Key): void;
  /** Asks the user; the agent's `ask`. */
  ask(question: Question): Promise<Answer>;
  submit(text: string): void;
  /** Prints something above everything else that is printed later. */
  head(...blocks: readonly ((columns: number) => readonly Line[])[]): void;
  /** Draws everything anew, after something else was on the screen. */
  redraw(): void;
  /** Ends it as Ctrl-D does. */
  leave(exitCode: number): void;
  readonly ended: Promise<ChatEnd>;
}

/** What commands and panels may do to the chat. */
export interface ChatDesk {
  readonly options: ChatOptions;
  readonly agent: Agent;
  state(): ChatState;
  set(change: Partial<ChatState>): void;
  print(...blocks: readonly ((columns: number) => readonly Line[])[]): void;
  notice(text: string, tone?: "info" | "warning" | "error"): void;
  openPanel(panel: Panel): void;
  submit(text: string): void;
  work(turn: () => Promise<TurnEnd>): void;
  end(end: ChatEnd): void;
  refreshStatus(): void;
}

export function createChat(options: ChatOptions): Chat {
  const { started } = options;
  const { agent } = started;
  const listeners = new Set<() => void>();
  const files = projectFiles(agent.workspace.cwd, () => {
    if (!state.over && state.editor.text.includes("@")) set({ completion: complementOf(state.editor) });
  });
  let blockKey = 0;
  let lastCall: ShownCall | null = null;
  let answerQuestion: ((answer: Answer) => void) | null = null;
  let finish: (end: ChatEnd) => void = () => {};
  const ended = new Promise<ChatEnd>((resolve) => {
    finish = resolve;
  });
  let state: ChatState = {
    blocks: [],
    live: "",
    answering: false,
    activity: null,
    running: null,
    question: null,
    editor: emptyEditor(options.history),
    completion: null,
    panel: null,
    queue: [],
    todo: [],
    leaving: false,
    drawn: 0,
    status: statusOf(agent),
    over: false,
  };

  const complementOf = (editor: ChatState["editor"]) =>
    completionFor(editor, { skills: () => agent.skills, files: files.list });
  const set = (change: Partial<ChatState>): void => {
    state = { ...state, ...change };
    for (const listener of [...listeners]) listener();
  };
  const print: ChatDesk["print"] = (...lines) => {
    const blocks = lines.map((rows) => {
      blockKey += 1;
      return { key: blockKey, lines: rows };
    });
    set({ blocks: [...state.blocks, ...blocks] });
  };
  const settle = (all: boolean): void => {
    const cut = all ? state.live.length : settledLength(state.live);
    if (cut === 0) return;
    const text = state.live.slice(0, cut);
    const first = !state.answering;
    set({ live: state.live.slice(cut), answering: !all });
    if (text.trim() !== "") print(answerBlock(text.trimEnd(), first));
  };
  const busy = (label: string): void =>
    set({ activity: { label, since: state.activity?.since ?? options.now() } });

  const events: EventDesk = {
    state: () => state,
    set,
    print,
    settle,
    busy,
    refreshStatus: () => set({ status: statusOf(agent) }),
    called(call) {
      lastCall = call;
    },
  };
  agent.on((event) => showEvent(events, event));
  files.refresh();

  const work = (turn: () => Promise<TurnEnd>): void => {
    set({ activity: { label: "thinking", since: options.now() } });
    turn()
      .then(
        (end) => showEnd(events, end),
        (error: unknown) => {
          print(noticeBlock(error instanceof Error ? error.message : String(error), "error"));
        },
      )
      .finally(() => {
        settle(true);
        set({ activity: null, running: null, question: null, status: statusOf(agent), answering: false });
        answerQuestion = null;
        const [next, ...rest] = state.queue;
        if (next !== undefined && !state.over) {
          set({ queue: rest });
          submit(next);
        }
      });
  };
  const submit = (text: string): void => {
    const read = readCommand(text);
    if (read !== null) {
      runCommand(desk, read);
      return;
    }
    if (agent.status.busy) {
      set({ queue: [...state.queue, text] });
      return;
    }
    work(() => agent.submit(text));
  };
  const end = (how: ChatEnd): void => {
    if (state.over) return;
    set({ over: true, panel: null, completion: null, question: null });
    answerQuestion?.({ kind: "reject", word: null });
    finish(how);
  };
  const desk: ChatDesk = {
    options,
    agent,
    state: () => state,
    set,
    print,
    notice: (text, tone = "info") => print(noticeBlock(text, tone)),
    openPanel: (panel) => set({ panel, completion: null }),
    submit,
    work,
    end,
    refreshStatus: () => set({ status: statusOf(agent) }),
  };

  const keys: KeyDesk = {
    ...desk,
    edited: (editor) => set({ editor, leaving: false, completion: complementOf(editor) }),
    answer(answer) {
      set({ question: null });
      answerQuestion?.(answer);
      answerQuestion = null;
    },
    lastCall: () => lastCall,
  };
  const key = (pressed: Key): void => {
    for (const one of escapeFirst(state, pressed)) chatKey(keys, one);
  };

  if (started.resumed) print(...replay(started.file.records));
  if (options.first !== null) submit(options.first);
  return {
    get state() {
      return state;
    },
    agent,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    key,
    ask: (question) =>
      new Promise((resolve) => {
        answerQuestion = resolve;
        set({ question: { question, selected: 0, word: null, quiet: options.now() } });
      }),
    submit,
    head: (...lines) => {
      const blocks = lines.map((rows) => {
        blockKey += 1;
        return { key: blockKey, lines: rows };
      });
      set({ blocks: [...blocks, ...state.blocks] });
    },
    redraw: () => set({ drawn: state.drawn + 1 }),
    leave: (exitCode) => end({ exitCode, next: null }),
    ended,
  };
}

function statusOf(agent: Agent): Status {
  const { status } = agent;
  return {
    agent: status.agent,
    model: modelName(status.model),
    contextTokens: status.contextTokens,
    window: status.model.window,
    skills: status.skills,
  };
}
