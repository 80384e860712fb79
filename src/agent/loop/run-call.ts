import type { SkillTool } from "../../core/tools/tool.ts";
import type { ToolCallPart } from "../conversation/message.ts";
import { failedOutcome, type Tool, type ToolContext, type ToolOutcome } from "../tools/tool.ts";

export interface CallTools {
  readonly own: readonly Tool[];
  readonly skills: readonly SkillTool[];
}

/** What a call is about, one line, for people. */
export function aboutCall(call: Pick<ToolCallPart, "name" | "input">, { own }: CallTools): string {
  const tool = own.find(({ form }) => form.name === call.name);
  if (tool !== undefined) return tool.about(call.input);
  const input = call.input;
  if (typeof input !== "object" || input === null) return "";
  const shown = ["name", "query", "path"].flatMap((key) => {
    const value: unknown = Reflect.get(input, key);
    return typeof value === "string" ? [value] : [];
  });
  return shown.join(" ");
}

/** Runs one call. Whatever goes wrong is an outcome that tells the model what to do. */
export async function runCall(
  call: ToolCallPart,
  tools: CallTools,
  context: ToolContext,
): Promise<ToolOutcome> {
  const names = [...tools.own.map(({ form }) => form.name), ...tools.skills.map(({ name }) => name)];
  if (!names.includes(call.name))
    return failedOutcome(
      `There is no tool \`${call.name}\`. There are: ${names.join(", ")}.`,
      "no such tool",
    );
  if (call.invalid !== undefined)
    return failedOutcome(
      `The arguments of \`${call.name}\` could not be read: ${call.invalid}. Call it again with one JSON object.`,
      "unreadable arguments",
    );
  try {
    const own = tools.own.find(({ form }) => form.name === call.name);
    if (own !== undefined) return await own.run(call.input, context);
    const tool = tools.skills.find(({ name }) => name === call.name);
    if (tool === undefined) throw new Error("it is not there");
    const result = await tool.execute(call.input, { signal: context.signal });
    return { output: result.text, failed: result.isError, summary: summaryOf(result.status, result.text) };
  } catch (error) {
    if (context.signal.aborted) return failedOutcome("[Cancelled by the user.]", "cancelled");
    const reason = error instanceof Error ? error.message : String(error);
    return failedOutcome(
      `\`${call.name}\` failed: ${reason} Go on without it, or try another way.`,
      "failed",
    );
  }
}

function summaryOf(status: string, text: string): string {
  if (status === "found") {
    const hits = text.split("\n").filter((line) => line.startsWith("<skill ")).length;
    return hits === 0 ? "found" : `${hits} found`;
  }
  return status.replaceAll("-", " ");
}
