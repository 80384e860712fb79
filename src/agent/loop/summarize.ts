import type { Message } from "../conversation/message.ts";
import type { ModelPort, ToolForm, Usage } from "../model/model-port.ts";
import { boundedText } from "../tools/bounded-text.ts";

export interface Summary {
  readonly text: string;
  readonly usage: Usage;
}

const request = `Write down what the next part of this conversation needs to go on without the earlier messages; they will be taken away. Do not call tools. Use these headings and leave out what is empty:

## Task
What the user wants, in their words where these matter, with every rule and wish that they gave.
## State
What was done and what came of it; what works, what does not.
## Files
Paths that matter, each with what is in it or what changed.
## Findings
Facts that were hard to find: causes, commands that work, names, numbers.
## Next
What comes next, step by step.

Be exact and complete rather than short; do not judge or praise.`;

/** One output of a tool that is left when even the request for a summary is too long. Characters. */
const squeezedOutput = 600;

/**
 * The conversation in short, by the same model with the same beginning, so that the provider's cache serves it. `squeeze`:
 * outputs of tools are cut first, for conversations that no longer fit. "" when the model gave no text, e.g. because it
 * called a tool in spite of all. Throws what the model's port throws.
 */
export async function summarize(
  port: ModelPort,
  conversation: {
    readonly system: string;
    readonly messages: readonly Message[];
    readonly tools: readonly ToolForm[];
    readonly signal: AbortSignal;
    readonly squeeze: boolean;
  },
): Promise<Summary> {
  const { system, tools, signal } = conversation;
  const messages = conversation.squeeze ? conversation.messages.map(squeezed) : conversation.messages;
  const ask: Message = { role: "user", parts: [{ type: "text", text: request }] };
  let text = "";
  let usage: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  for await (const event of port.stream({
    system,
    messages: [...messages, ask],
    tools,
    toolChoice: "none",
    signal,
  })) {
    if (event.type === "retry") text = "";
    if (event.type === "text") text += event.text;
    if (event.type === "end") usage = event.usage;
  }
  return { text: text.trim(), usage };
}

/**
 * The same for models that call tools whatever they are told, and for those that take no such request: the conversation
 * as one text, without tools, with its middle left out where it is longer than `characters`.
 */
export async function summarizeText(
  port: ModelPort,
  conversation: {
    readonly messages: readonly Message[];
    readonly characters: number;
    readonly signal: AbortSignal;
  },
): Promise<Summary> {
  const { messages, signal } = conversation;
  const text = boundedText(transcript(messages.map(squeezed)), conversation.characters);
  return summarize(port, {
    system: "You write down what a conversation between a user and an agent came to.",
    messages: [{ role: "user", parts: [{ type: "text", text: `The conversation:\n\n${text}` }] }],
    tools: [],
    signal,
    squeeze: false,
  });
}

/** What is left of a conversation when no model makes a summary: what the user and the model said, newest kept. */
export function withoutModel(messages: readonly Message[], characters: number): string {
  const said = messages.filter(({ role }) => role !== "tool");
  return boundedText(transcript(said), characters);
}

function transcript(messages: readonly Message[]): string {
  return messages
    .map(spoken)
    .filter((text) => text !== "")
    .join("\n\n");
}

function spoken(message: Message): string {
  if (message.role === "tool")
    return message.results.map(({ name, output }) => `Result of ${name}: ${output}`).join("\n");
  const who = message.role === "user" ? "User" : "Agent";
  const texts = message.parts.flatMap((part) =>
    part.type === "text"
      ? [part.text]
      : part.type === "call"
        ? [`[calls ${part.name} ${JSON.stringify(part.input ?? null).slice(0, squeezedOutput)}]`]
        : [],
  );
  return texts.length === 0 ? "" : `${who}: ${texts.join("\n")}`;
}

function squeezed(message: Message): Message {
  if (message.role !== "tool") return message;
  return {
    role: "tool",
    results: message.results.map((result) =>
      result.output.length <= squeezedOutput
        ? result
        : { ...result, output: `${result.output.slice(0, squeezedOutput)}\n[… left out …]` },
    ),
  };
}

/** Tokens of a conversation, roughly; for servers that do not count. */
export function roughTokens(messages: readonly Message[]): number {
  let characters = 0;
  for (const message of messages) {
    if (message.role === "user")
      for (const part of message.parts) characters += part.type === "text" ? part.text.length : 4000;
    else if (message.role === "tool") for (const { output } of message.results) characters += output.length;
    else
      for (const part of message.parts)
        characters += part.type === "call" ? JSON.stringify(part.input ?? null).length : part.text.length;
  }
  return Math.ceil(characters / 3.6);
}
