/** Data that only the model's provider understands and wants back unchanged. */
export type ProviderData = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type AssistantPart =
  | { readonly type: "text"; readonly text: string; readonly provider?: ProviderData }
  | { readonly type: "reasoning"; readonly text: string; readonly provider?: ProviderData }
  | {
      readonly type: "call";
      readonly id: string;
      readonly name: string;
      /** As the model wrote it; checked by the tool. */
      readonly input: unknown;
      /** Why the arguments could not be read; absent = they could. */
      readonly invalid?: string;
      readonly provider?: ProviderData;
    };

export type ToolCallPart = Extract<AssistantPart, { type: "call" }>;

/** A picture that goes with a message. */
export interface ImagePart {
  readonly type: "image";
  /** MIME. */
  readonly mime: string;
  readonly base64: string;
}

export type UserPart = { readonly type: "text"; readonly text: string } | ImagePart;

/** What one tool call gave. */
export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly output: string;
  readonly failed: boolean;
}

/** One message as a model gets it. */
export type Message =
  | { readonly role: "user"; readonly parts: readonly UserPart[] }
  | { readonly role: "assistant"; readonly parts: readonly AssistantPart[] }
  | { readonly role: "tool"; readonly results: readonly ToolResult[] };
