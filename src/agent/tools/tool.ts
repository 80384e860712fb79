import type { ToolForm } from "../model/model-port.ts";
import type { Action } from "../permission/judge.ts";
import type { Workspace } from "../permission/workspace.ts";
import type { FileMemory } from "./file-memory.ts";

/** One line of a change, as people see it. */
export interface DiffLine {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
  /** Line number in the new text, for removed lines in the old one. */
  readonly line: number | null;
}

export interface TodoItem {
  readonly text: string;
  readonly status: "open" | "active" | "done";
}

/** What a person sees of a call besides its text. */
export type ToolView =
  | { readonly kind: "diff"; readonly lines: readonly DiffLine[] }
  | { readonly kind: "todo"; readonly items: readonly TodoItem[] };

export interface ToolOutcome {
  /** For the model. */
  readonly output: string;
  readonly failed: boolean;
  /** One short line for people: `42 lines`, `exit 1`. */
  readonly summary: string;
  readonly view?: ToolView;
  /** A skill whose text this call gave. */
  readonly skill?: { readonly name: string; readonly why: string };
}

export interface PermitRequest {
  readonly action: Action;
  /** Completes "The agent wants to …": `run npm test`. */
  readonly title: string;
  /** What it is about in full: a command, a change. */
  readonly view?: ToolView;
}

/** `refusal` is the text for the model. */
export type Permit = { readonly allowed: true } | { readonly allowed: false; readonly refusal: string };

export interface ToolContext {
  readonly workspace: Workspace;
  readonly files: FileMemory;
  readonly signal: AbortSignal;
  /** Variables of commands that are run; no keys of models are among them. */
  readonly variables: Readonly<Record<string, string>>;
  permit(request: PermitRequest): Promise<Permit>;
  /** Output so far, for people. */
  progress(text: string): void;
  /** A file was written. */
  edited(path: string): void;
  readonly todo: { get(): readonly TodoItem[]; set(items: readonly TodoItem[]): void };
}

export interface Tool {
  readonly form: ToolForm;
  /** What the call is about, one line: a path, a command. */
  about(input: unknown): string;
  /** Never rejects but with the signal's reason. Failures are outcomes that say what to do next. */
  run(input: unknown, context: ToolContext): Promise<ToolOutcome>;
}

/** An outcome that tells the model what was wrong. */
export function failedOutcome(output: string, summary: string): ToolOutcome {
  return { output, failed: true, summary };
}
