/** One thing that happened in a recorded session, in order. */
export type SessionEvent =
  | { readonly kind: "request"; readonly text: string }
  | { readonly kind: "answer"; readonly text: string }
  | {
      readonly kind: "call";
      readonly id: string;
      readonly tool: string;
      readonly detail: string;
      readonly files: readonly string[];
    }
  | { readonly kind: "result"; readonly id: string; readonly failed: boolean; readonly text: string }
  | { readonly kind: "plan"; readonly steps: readonly PlanStep[] }
  | { readonly kind: "summary"; readonly text: string };

export interface PlanStep {
  readonly text: string;
  readonly status: string;
}

/** What is known of a session before all of it is read. */
export interface SessionFacts {
  readonly id: string;
  /** Working folder; null when the record does not say. */
  readonly folder: string | null;
  readonly branch: string | null;
  readonly commit: string | null;
  /** As recorded (ISO 8601), else null. */
  readonly started: string | null;
}

/** One line of a session file, understood; null for what says nothing about the work. */
export interface LineReading {
  /** When the line was written, as recorded. */
  readonly time?: string;
  readonly facts?: Partial<SessionFacts>;
  readonly events?: readonly SessionEvent[];
}

/** How one agent records its sessions. Nothing in a record is ever run, and nothing is written. */
export interface SessionFormat {
  /** For people: "Codex". */
  readonly title: string;
  /** Folders that hold session files, existing or not. */
  folders(): readonly string[];
  /** Whether a file below such a folder is a session, and its id. */
  idOf(path: string): string | null;
  read(line: unknown): LineReading;
}

export type Fields = Readonly<Record<string, unknown>>;

/** The value as an object, or one without fields. */
export function fields(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
