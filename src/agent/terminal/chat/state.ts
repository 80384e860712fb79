import type { Question } from "../../loop/events.ts";
import type { TodoItem } from "../../tools/tool.ts";
import type { Editor } from "../input/editor.ts";
import type { Line } from "../text/span.ts";

/** Something that was said or done, printed once and for good. */
export interface Block {
  readonly key: number;
  lines(columns: number): readonly Line[];
}

export interface CompletionItem {
  /** What takes the place of the typed word. */
  readonly insert: string;
  readonly label: string;
  /** `[Skill]` and the like. */
  readonly tag: string;
  readonly description: string;
}

export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly items: readonly CompletionItem[];
  readonly selected: number;
}

export interface PanelRow {
  readonly id: string;
  /** Heading above the first row of a group; null = none. */
  readonly group: string | null;
  readonly label: string;
  readonly value: string;
  readonly description: string;
}

export type PanelKind = "skills" | "models" | "agents" | "sessions" | "permissions" | "history";

export interface Panel {
  readonly kind: PanelKind;
  readonly title: string;
  readonly rows: readonly PanelRow[];
  readonly filter: string;
  /** Index among the rows that the filter leaves. */
  readonly selected: number;
  /** An answer in place: which row it is about, and its rows. */
  readonly detail: { readonly id: string; readonly title: string; readonly lines: readonly Line[] } | null;
  readonly scroll: number;
  readonly keys: string;
}

export interface ChatState {
  readonly blocks: readonly Block[];
  /** The part of an answer that may still change. */
  readonly live: string;
  /** Whether the answer's first block is printed. */
  readonly answering: boolean;
  readonly activity: { readonly label: string; readonly since: number } | null;
  readonly running: {
    readonly id: string;
    readonly name: string;
    readonly about: string;
    readonly tail: string;
  } | null;
  readonly question: {
    readonly question: Question;
    readonly selected: number;
    /** Milliseconds: since then nothing was typed; what is typed right after it appeared was not meant for it. */
    readonly quiet: number;
    /** A word to the model that is being typed; null = choosing. */
    readonly word: Editor | null;
  } | null;
  readonly editor: Editor;
  readonly completion: Completion | null;
  readonly panel: Panel | null;
  readonly queue: readonly string[];
  readonly todo: readonly TodoItem[];
  /** Ctrl-C was pressed once with nothing to stop. */
  readonly leaving: boolean;
  /** Grows when all has to be drawn anew. */
  readonly drawn: number;
  readonly status: Status;
  readonly over: boolean;
}

export interface Status {
  readonly agent: string;
  readonly model: string;
  readonly contextTokens: number;
  readonly window: number | null;
  readonly skills: readonly string[];
}
