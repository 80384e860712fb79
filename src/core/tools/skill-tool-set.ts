import { checkOptions } from "../check-options.ts";
import { fileTool } from "./file-tool.ts";
import { searchTool } from "./search-tool.ts";
import { type Allow, invalid, type NameField, skillTool } from "./skill-tool.ts";
import type { SkillTool, ToolCallOptions, ToolResult } from "./tool.ts";
import type { ToolSource } from "./tool-source.ts";

export interface SkillToolOptions {
  /**
   * Asked where a permission rule says "ask"; resolves to the user's answer. Left out = nobody can be asked, and the call
   * is refused with a text that says so.
   */
  readonly allow?: Allow;
  /**
   * "enum" (default): the name is an enum while there are at most `enumLimit` skills, so that a model can't misspell one.
   * "text": the definition never changes, which keeps a prompt cache warm while skills come and go.
   */
  readonly names?: "enum" | "text";
  /** Names in the enum; default 50. */
  readonly enumLimit?: number;
  /** Tools that are wanted; default all three. */
  readonly only?: readonly SkillTool["name"][];
}

/**
 * The tools of an open set of skills or of a session, in the order `skill`, `skill_search`, `read_skill_file`, free of any
 * framework. A definition shows the skills of this moment; calls always see the live set. Calls never throw, except with
 * the reason of an aborted signal.
 */
export function skillTools(source: ToolSource, options: SkillToolOptions = {}): readonly SkillTool[] {
  checkOptions("skillTools", options, {
    allow: "function",
    names: ["enum", "text"],
    enumLimit: "number",
    only: "texts",
  });
  const allow = options.allow ?? null;
  const name: NameField = { style: options.names ?? "enum", most: options.enumLimit ?? 50 };
  const tools = [
    skillTool(source, { allow, name }),
    searchTool(source, { allow }),
    fileTool(source, { allow, name }),
  ];
  const wanted = options.only;
  return (wanted === undefined ? tools : tools.filter((tool) => wanted.includes(tool.name))).map(
    withoutThrowing,
  );
}

/** One call by name, as a model wrote it; an unknown name is a result like any other failure. */
export async function callSkillTool(
  tools: readonly SkillTool[],
  call: { readonly name: string; readonly input: unknown },
  options: ToolCallOptions = {},
): Promise<ToolResult> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool !== undefined) return tool.execute(call.input, options);
  return invalid(`There is no such tool. There are: ${tools.map(({ name }) => name).join(", ")}.`);
}

/** What goes wrong inside, e.g. in the caller's `allow`, must not end the agent's turn. */
function withoutThrowing(tool: SkillTool): SkillTool {
  return {
    ...tool,
    execute: async (input, options = {}) => {
      try {
        return await tool.execute(input, options);
      } catch (error) {
        if (options.signal?.aborted === true) throw options.signal.reason;
        const reason = error instanceof Error ? error.message : String(error);
        return {
          text: `The tool \`${tool.name}\` failed: ${reason} Go on without it and tell the user.`,
          isError: true,
          status: "failed",
          skill: null,
        };
      }
    },
  };
}
