/** One answer of the scripted model: text, calls of tools, or both, text first. */
export interface ModelStep {
  readonly text?: string;
  readonly calls?: readonly ModelCall[];
  /** An HTTP error instead of an answer. */
  readonly status?: number;
  readonly error?: string;
  /** Milliseconds between two pieces of a stream, and before an answer that is none. */
  readonly pause?: number;
  /** A stream stops after its first pieces and stays open; another answer never comes. */
  readonly hangs?: boolean;
  /** A stream is cut off in the middle. */
  readonly breaks?: boolean;
  readonly usage?: { readonly input: number; readonly output: number };
}

export interface ModelCall {
  readonly name: string;
  readonly input: unknown;
  /** Default `call_1`, `call_2`, … in the order of the server. */
  readonly id?: string;
}

export type Wire = "chat" | "responses" | "anthropic";

/** A request as it arrived. */
export interface ModelRequest {
  readonly wire: Wire;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: ModelRequestBody;
}

/** The fields that tests ask for; everything else is there too. */
export interface ModelRequestBody {
  readonly model?: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages?: readonly unknown[];
  readonly input?: unknown;
  readonly instructions?: string;
  readonly system?: unknown;
  readonly [name: string]: unknown;
}

/** Steps in order; after the last one the script answers with an HTTP error. Or a function that decides by request. */
export type ModelScript = readonly ModelStep[] | ((request: ModelRequest, index: number) => ModelStep);

/** A step with every field that a wire format needs. */
export interface FilledStep {
  readonly text: string;
  readonly calls: readonly Required<ModelCall>[];
  readonly usage: { readonly input: number; readonly output: number };
  readonly model: string;
  /** Counts from 1; for ids. */
  readonly number: number;
}

/** One event of a stream. */
export interface StreamEvent {
  /** Null = a bare `data:` line. */
  readonly event: string | null;
  readonly data: unknown;
}

/** How one wire format writes an answer. */
export interface WireFormat {
  whole(step: FilledStep): unknown;
  stream(step: FilledStep, body: ModelRequestBody): readonly StreamEvent[];
  error(status: number, message: string): unknown;
}

/** A text in pieces as models stream it. */
export function pieces(text: string): readonly string[] {
  return text.match(/[\s\S]{1,24}/g) ?? [];
}
