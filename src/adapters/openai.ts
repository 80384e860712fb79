import { callSkillTool, skillTools } from "../core/tools/skill-tool-set.ts";
import type { SkillTool } from "../core/tools/tool.ts";
import { type AdapterSource, instructionsFor } from "./adapter-source.ts";
import { type JsonSchema, jsonSchemaOf, parseInput } from "./json-schema.ts";
import type { AnswerOptions, KitOptions } from "./kit-options.ts";

export type { AdapterSource } from "./adapter-source.ts";
export type { JsonSchema } from "./json-schema.ts";
export type { AnswerOptions, KitOptions } from "./kit-options.ts";

/** A function tool of the Responses API. */
export interface ResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: JsonSchema;
  strict: false;
}

/** The result of a call, as an input item of the next request. */
export interface FunctionCallOutput {
  type: "function_call_output";
  call_id: string;
  output: string;
}

/** A function tool of Chat Completions; the SDK's `runTools` calls it by itself. */
export interface ChatTool {
  type: "function";
  function: {
    name: string;
    description: string;
    parameters: JsonSchema;
    parse: (input: string) => object;
    function: (input: object) => Promise<string>;
  };
}

/** The result of a call, as a message of the next request. */
export interface ToolMessage {
  role: "tool";
  tool_call_id: string;
  content: string;
}

export interface ResponsesKit {
  /** For `instructions`. */
  readonly instructions: string;
  readonly tools: ResponsesTool[];
  /**
   * Runs the calls of these tools in a response, in order. Put the response's `output` and what this gives behind the
   * input of the next request. Empty: the response calls none of them.
   */
  answer(
    response: { readonly output: readonly unknown[] },
    options?: AnswerOptions,
  ): Promise<FunctionCallOutput[]>;
}

export interface ChatKit {
  /** For the system message. */
  readonly instructions: string;
  readonly tools: ChatTool[];
  /** Runs the calls of these tools in an assistant's message, in order. Empty: it calls none of them. */
  answer(message: { readonly tool_calls?: unknown }, options?: AnswerOptions): Promise<ToolMessage[]>;
}

/** Skills for OpenAI's Responses. Works without the SDK. */
export function responsesKit(source: AdapterSource, options: KitOptions = {}): ResponsesKit {
  const { contextWindow, ...rest } = options;
  const tools = skillTools(source, rest);
  return {
    instructions: instructionsFor(source, contextWindow),
    tools: tools.map((tool) => ({ type: "function", ...definition(tool), strict: false })),
    answer: async ({ output }, { signal } = {}) => {
      const outputs: FunctionCallOutput[] = [];
      for (const item of output) {
        const call = fieldsOf(item);
        if (call.type !== "function_call" || !isOwn(tools, call.name)) continue;
        const text = await run(tools, { name: call.name, arguments: call.arguments }, signal);
        outputs.push({ type: "function_call_output", call_id: String(call.call_id), output: text });
      }
      return outputs;
    },
  };
}

/** Skills for Chat Completions, of OpenAI and of servers that speak it. Works without the SDK. */
export function chatKit(source: AdapterSource, options: KitOptions = {}): ChatKit {
  const { contextWindow, ...rest } = options;
  const tools = skillTools(source, rest);
  return {
    instructions: instructionsFor(source, contextWindow),
    tools: tools.map((tool) => ({
      type: "function",
      function: {
        ...definition(tool),
        parse: (input) => ({ input: parseInput(input) }),
        function: async (parsed) => (await tool.execute(fieldsOf(parsed).input)).text,
      },
    })),
    answer: async ({ tool_calls: calls }, { signal } = {}) => {
      const messages: ToolMessage[] = [];
      for (const item of Array.isArray(calls) ? calls : []) {
        const call = fieldsOf(item);
        const named = fieldsOf(call.function);
        if (!isOwn(tools, named.name)) continue;
        const content = await run(tools, { name: named.name, arguments: named.arguments }, signal);
        messages.push({ role: "tool", tool_call_id: String(call.id), content });
      }
      return messages;
    },
  };
}

function definition(tool: SkillTool): Pick<ResponsesTool, "name" | "description" | "parameters"> {
  return { name: tool.name, description: tool.description, parameters: jsonSchemaOf(tool.inputSchema) };
}

function isOwn(tools: readonly SkillTool[], name: unknown): name is string {
  return tools.some((tool) => tool.name === name);
}

async function run(
  tools: readonly SkillTool[],
  call: { readonly name: string; readonly arguments: unknown },
  signal: AbortSignal | undefined,
): Promise<string> {
  const input = typeof call.arguments === "string" ? parseInput(call.arguments) : call.arguments;
  return (await callSkillTool(tools, { name: call.name, input }, signal === undefined ? {} : { signal }))
    .text;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
