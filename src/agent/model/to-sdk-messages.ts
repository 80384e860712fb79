import type { ModelMessage } from "ai";
import type { AssistantPart, Message, ProviderData, UserPart } from "../conversation/message.ts";

type Options = NonNullable<ModelMessage["providerOptions"]>;

/**
 * The conversation in the form that the SDK takes. The last two messages that the user or a tool gave are marked as
 * points up to which Anthropic keeps what it read; other providers ignore the mark.
 */
export function toSdkMessages(messages: readonly Message[]): ModelMessage[] {
  const marks = new Set(
    messages.flatMap((message, index) => (message.role === "assistant" ? [] : [index])).slice(-2),
  );
  return messages.map((message, index) => {
    const sdk = toSdkMessage(message);
    return marks.has(index) ? { ...sdk, providerOptions: cacheMark } : sdk;
  });
}

/** Anthropic keeps the request up to here for some minutes. */
export const cacheMark: Options = { anthropic: { cacheControl: { type: "ephemeral" } } };

function toSdkMessage(message: Message): ModelMessage {
  if (message.role === "user") return { role: "user", content: message.parts.map(userContent) };
  if (message.role === "assistant")
    return { role: "assistant", content: message.parts.map(assistantContent) };
  return {
    role: "tool",
    content: message.results.map(({ id, name, output, failed }) => ({
      type: "tool-result",
      toolCallId: id,
      toolName: name,
      output: { type: failed ? "error-text" : "text", value: output },
    })),
  };
}

function userContent(part: UserPart) {
  return part.type === "text"
    ? { type: "text" as const, text: part.text }
    : { type: "file" as const, data: part.base64, mediaType: part.mime };
}

function assistantContent(part: AssistantPart) {
  if (part.type !== "call") return { type: part.type, text: part.text, ...options(part.provider) };
  return {
    type: "tool-call" as const,
    toolCallId: part.id,
    toolName: part.name,
    input: objectInput(part.input),
    ...options(part.provider),
  };
}

function options(provider: ProviderData | undefined): { providerOptions?: Options } {
  return provider === undefined ? {} : { providerOptions: provider as Options };
}

/** Providers accept only objects; what could not be read goes back as a text in one. */
function objectInput(input: unknown): unknown {
  return typeof input === "object" && input !== null ? input : { unreadable: String(input) };
}
