import type { LoadStatus } from "./tool-source.ts";

/** One field of a tool's input. */
export interface InputField {
  readonly type: "string" | "integer" | "boolean";
  readonly description: string;
  /** The only values that there are; absent = any. */
  readonly enum?: readonly string[];
  readonly minimum?: number;
}

/** JSON Schema of a tool's input, in the subset that every provider takes. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, InputField>>;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

/**
 * How a call ended. The words of a load, and: `found`, `nothing-found` of a search; `read`, `listed`, `refused` of a file;
 * `invalid-input`; `failed` for what should not happen.
 */
export type ToolStatus =
  | LoadStatus
  | "found"
  | "nothing-found"
  | "read"
  | "listed"
  | "refused"
  | "invalid-input"
  | "failed";

/** What a call gives. Failures are results: their text tells the model what to do next. */
export interface ToolResult {
  /** For the model, never empty. */
  readonly text: string;
  readonly isError: boolean;
  readonly status: ToolStatus;
  /** The skill it was about; null = none. */
  readonly skill: string | null;
}

export interface ToolCallOptions {
  readonly signal?: AbortSignal;
}

export type SkillToolName = "skill" | "skill_search" | "read_skill_file";

/** A tool as every framework can take it. Adapters give it their framework's form. */
export interface SkillTool {
  readonly name: SkillToolName;
  /** For people. */
  readonly title: string;
  /** For the model. */
  readonly description: string;
  readonly inputSchema: InputSchema;
  /** Takes what the model wrote, of any type. Rejects only with the signal's reason. Nothing is changed on disk. */
  execute(input: unknown, options?: ToolCallOptions): Promise<ToolResult>;
}
