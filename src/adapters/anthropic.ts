import { callSkillTool, skillTools } from "../core/tools/skill-tool-set.ts";
import { type AdapterSource, instructionsFor } from "./adapter-source.ts";
import { type JsonSchema, jsonSchemaOf } from "./json-schema.ts";
import type { AnswerOptions, KitOptions } from "./kit-options.ts";

export type { AdapterSource } from "./adapter-source.ts";
export type { JsonSchema } from "./json-schema.ts";
export type { AnswerOptions, KitOptions } from "./kit-options.ts";
export { type BundleFile, type SkillBundle, skillBundle } from "./skill-bundle.ts";

/** A tool of the Messages API; the SDK's tool runner calls it by itself. */
export interface AnthropicTool {
  name: string;
  description: string;
  input_schema: JsonSchema;
  parse: (input: unknown) => unknown;
  run: (input: unknown, context?: { readonly signal?: AbortSignal | null | undefined }) => Promise<string>;
}

/** The result of a call, as a block of the next user message. */
export interface ToolResultBlock {
  type: "tool_result";
  tool_use_id: string;
  content: string;
  is_error?: true;
}

export interface SkillKit {
  /** For `system`. */
  readonly instructions: string;
  readonly tools: AnthropicTool[];
  /**
   * Runs the calls of these tools in an assistant's message, in order; what it gives is content of the next user message.
   * Empty: the message calls none of them.
   */
  answer(
    message: { readonly content: readonly unknown[] },
    options?: AnswerOptions,
  ): Promise<ToolResultBlock[]>;
}

/** Skills for Anthropic's Messages. Works without the SDK. */
export function skillKit(source: AdapterSource, options: KitOptions = {}): SkillKit {
  const { contextWindow, ...rest } = options;
  const tools = skillTools(source, rest);
  return {
    instructions: instructionsFor(source, contextWindow),
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: jsonSchemaOf(tool.inputSchema),
      parse: (input) => input,
      run: async (input, { signal } = {}) =>
        (await tool.execute(input, signal === undefined || signal === null ? {} : { signal })).text,
    })),
    answer: async ({ content }, { signal } = {}) => {
      const results: ToolResultBlock[] = [];
      for (const block of content) {
        const { type, id, name, input } = block as Readonly<Record<string, unknown>>;
        if (type !== "tool_use" || !tools.some((tool) => tool.name === name)) continue;
        const call = { name: String(name), input };
        const { text, isError } = await callSkillTool(tools, call, signal === undefined ? {} : { signal });
        results.push({
          type: "tool_result",
          tool_use_id: String(id),
          content: text,
          ...(isError ? { is_error: true } : {}),
        });
      }
      return results;
    },
  };
}
