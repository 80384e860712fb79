import type { Guidance } from "../../core/guidance/guidance.ts";
import { systemPromptLayers } from "../../core/guidance/system-prompt.ts";
import type { AgentKind } from "../permission/agents.ts";
import { basePrompt } from "../prompt/base-prompt.ts";
import { environmentBlock, type PromptFacts } from "../prompt/environment-block.ts";
import { formatLayer } from "../prompt/format-layer.ts";
import { instructionLayer, memoryLayer, type PromptFiles } from "../prompt/instructions.ts";

export interface SystemPromptParts {
  /** The model's id without its provider. */
  readonly modelId: string;
  readonly kind: AgentKind;
  readonly facts: PromptFacts;
  readonly files: PromptFiles;
  readonly guidance: Pick<Guidance, "system" | "place">;
  /** JSON Schema of the last answer; null = none. */
  readonly schema: unknown;
}

/** The whole prompt: base by model and agent, environment, instructions, memory, the skills, a closing format (O17, X12). */
export function systemPrompt(parts: SystemPromptParts): string {
  const { files, guidance } = parts;
  const memory = memoryLayer(files.memory);
  return systemPromptLayers(
    {
      base: `${basePrompt(parts.modelId)}\n\n${parts.kind.role}`,
      environment: environmentBlock(parts.facts),
      instructions: [...files.instructions.map(instructionLayer), ...(memory === null ? [] : [memory])],
      skills: guidance.system,
      format: parts.schema === null ? null : formatLayer(parts.schema),
    },
    guidance.place,
  ).join("\n\n");
}
