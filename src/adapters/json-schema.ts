import type { InputSchema } from "../core/tools/tool.ts";

/** A tool's input as JSON Schema, in the loose type that SDKs take. */
export interface JsonSchema {
  type: "object";
  properties: Record<string, Record<string, unknown>>;
  required: string[];
  additionalProperties: boolean;
  [key: string]: unknown;
}

/** A copy of the tool's schema that its receiver may change. */
export function jsonSchemaOf({ properties, required, additionalProperties }: InputSchema): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(properties).map(([name, field]) => [
        name,
        { ...field, ...(field.enum === undefined ? {} : { enum: [...field.enum] }) },
      ]),
    ),
    required: [...required],
    additionalProperties,
  };
}

/** What a model wrote as its arguments; text that is no JSON stays text, and the tool says what is wrong with it. */
export function parseInput(text: string): unknown {
  try {
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}
