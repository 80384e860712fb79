import { skillTools } from "../core/tools/skill-tool-set.ts";
import type { SkillTool, SkillToolName } from "../core/tools/tool.ts";
import { type AdapterSource, instructionsFor } from "./adapter-source.ts";
import { jsonSchemaOf } from "./json-schema.ts";
import type { KitOptions } from "./kit-options.ts";

export type { AdapterSource } from "./adapter-source.ts";
export type { KitOptions } from "./kit-options.ts";

/** A tool of the AI SDK, versions 5 to 7. */
export interface AiTool {
  readonly description: string;
  readonly title: string;
  /** The SDK's own schema object. Its type differs between versions, and `never` fits all of them. */
  readonly inputSchema: never;
  readonly execute: (
    input: unknown,
    options?: { readonly abortSignal?: AbortSignal | undefined },
  ) => Promise<string>;
}

export interface SkillKit {
  /** For `system` (AI SDK 5 and 6) or `instructions` (7). */
  readonly instructions: string;
  /** For `tools`. */
  readonly tools: Readonly<Record<SkillToolName, AiTool>>;
}

/**
 * Skills for `generateText`, `streamText` and agents of the AI SDK: the list for the system prompt, and the tools. Works
 * without the SDK. Failed calls are results like any other: their text tells the model what to do next.
 */
export function skillKit(source: AdapterSource, options: KitOptions = {}): SkillKit {
  const { contextWindow, ...rest } = options;
  const tools = skillTools(source, rest).map((tool) => [tool.name, aiTool(tool)] as const);
  return {
    instructions: instructionsFor(source, contextWindow),
    tools: Object.fromEntries(tools) as Record<SkillToolName, AiTool>,
  };
}

/** By these marks every version of the SDK knows a schema of its own. */
const schemaMark = Symbol.for("vercel.ai.schema");
const validatorMark = Symbol.for("vercel.ai.validator");

function aiTool(tool: SkillTool): AiTool {
  const schema = {
    [schemaMark]: true,
    [validatorMark]: true,
    _type: undefined,
    jsonSchema: jsonSchemaOf(tool.inputSchema),
    // The tool checks its input itself: its answer helps the model more than a validation error.
    validate: (value: unknown) => ({ success: true, value }),
  };
  return {
    description: tool.description,
    title: tool.title,
    inputSchema: schema as never,
    execute: async (input, call = {}) => {
      const signal = call.abortSignal;
      return (await tool.execute(input, signal === undefined ? {} : { signal })).text;
    },
  };
}
