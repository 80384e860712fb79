import { forgotten, type Ledger } from "../../core/activation/activation-ledger.ts";
import type { AssistantPart, Message, ToolResult, UserPart } from "../conversation/message.ts";
import type { Usage } from "../model/model-port.ts";
import type { TodoItem } from "../tools/tool.ts";
import type { SessionRecord } from "./record.ts";

/** Everything that follows from a session's records. */
export interface Conversation {
  /** As the model gets them; every call has a result. */
  readonly messages: readonly Message[];
  readonly todo: readonly TodoItem[];
  readonly ledger: Ledger;
  /** The last prompt and what it was made for; null before the first. */
  readonly epoch: Extract<SessionRecord, { type: "epoch" }> | null;
  /** State of the skills' guidance, as stored last. */
  readonly guidance: unknown;
  /** Digests of instruction files that the conversation told of since the prompt was made, by path; see `ToldFile`. */
  readonly told: ReadonlyMap<string, string | null>;
  /** Of all requests together. */
  readonly usage: Usage;
  /** Tokens that the last request took in and gave; 0 before the first and after a compaction. */
  readonly contextTokens: number;
}

/** Result of a call that never ended. */
export const interruptedOutput =
  "[Interrupted: the session ended before this call did. Whether it had an effect is not known; look before you repeat it.]";

const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/**
 * The conversation of a session, at any moment, also after a crash. Pure and linear. `model`: who will get it; thoughts
 * and marks of another model's provider are left out.
 */
export function conversationOf(records: readonly SessionRecord[], model: string | null = null): Conversation {
  let messages: Message[] = [];
  let todo: readonly TodoItem[] = [];
  let ledger: Ledger = [];
  let epoch: Conversation["epoch"] = null;
  let guidance: unknown = null;
  let told = new Map<string, string | null>();
  let usage = noUsage;
  let contextTokens = 0;
  let partial = "";
  /** Calls of the last answer, and results as they come. */
  let calls: { readonly id: string; readonly name: string }[] = [];
  let results = new Map<string, ToolResult>();

  const settle = (): void => {
    if (calls.length > 0)
      messages.push({
        role: "tool",
        results: calls.map(
          ({ id, name }) => results.get(id) ?? { id, name, output: interruptedOutput, failed: true },
        ),
      });
    calls = [];
    results = new Map();
  };
  const breakOff = (): void => {
    if (partial !== "") messages.push({ role: "assistant", parts: [{ type: "text", text: partial }] });
    partial = "";
  };

  for (const record of records) {
    switch (record.type) {
      case "session":
        break;
      case "epoch":
        epoch = record;
        guidance = record.guidance;
        told = new Map();
        break;
      case "guidance":
        guidance = record.state;
        break;
      case "user": {
        breakOff();
        settle();
        const parts: UserPart[] = [
          ...record.parts.map(({ text }) => ({ type: "text" as const, text })),
          ...record.images,
        ];
        messages.push({ role: "user", parts });
        for (const { path, digest } of record.told ?? []) told.set(path, digest);
        break;
      }
      case "delta":
        settle();
        partial += record.text;
        break;
      case "discard":
        partial = "";
        break;
      case "assistant":
        settle();
        partial = "";
        if (record.parts.length > 0)
          messages.push({
            role: "assistant",
            parts: model === null || record.model === model ? record.parts : withoutMarks(record.parts),
          });
        calls = record.parts.flatMap((part) =>
          part.type === "call" ? [{ id: part.id, name: part.name }] : [],
        );
        usage = sum(usage, record.usage);
        contextTokens = record.usage.input + record.usage.output;
        break;
      case "result":
        results.set(record.id, record);
        break;
      case "cut":
        breakOff();
        settle();
        break;
      case "skill":
        ledger = [...ledger, record.activation];
        break;
      case "todo":
        todo = record.items;
        break;
      case "compaction":
        partial = "";
        calls = [];
        results = new Map();
        messages = [
          {
            role: "user",
            parts: [
              { type: "text", text: compactedText(record, todo) },
              ...(record.last?.parts ?? []).map(({ text }) => ({ type: "text" as const, text })),
              ...(record.last?.images ?? []),
            ],
          },
        ];
        ledger = [...forgotten(ledger), ...record.kept];
        // Messages that told of changes are gone: from here on the model knows what its prompt says.
        guidance = epoch?.guidance ?? null;
        told = new Map();
        usage = sum(usage, record.usage);
        contextTokens = 0;
        break;
    }
  }
  breakOff();
  settle();
  return { messages, todo, ledger, epoch, guidance, told, usage, contextTokens };
}

function compactedText(
  { summary, restored }: Extract<SessionRecord, { type: "compaction" }>,
  todo: readonly TodoItem[],
): string {
  const open = todo.filter(({ status }) => status !== "done");
  return [
    "The conversation so far was shortened. This is what it came to:",
    summary,
    ...(open.length === 0
      ? []
      : [
          `Steps that are still open:\n${open.map(({ text, status }) => `- ${text}${status === "active" ? " (begun)" : ""}`).join("\n")}`,
        ]),
    ...(restored === "" ? [] : [restored]),
  ].join("\n\n");
}

function withoutMarks(parts: readonly AssistantPart[]): readonly AssistantPart[] {
  return parts.flatMap((part): readonly AssistantPart[] => {
    if (part.type === "reasoning") return [];
    const { provider: _, ...rest } = part;
    return [rest];
  });
}

function sum(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cacheRead: one.cacheRead + other.cacheRead,
    cacheWrite: one.cacheWrite + other.cacheWrite,
  };
}
