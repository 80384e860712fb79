import type { SkillPermissionRequest } from "../activation/skill-tools.ts";
import { printable } from "../text/printable.ts";
import type { InputField, InputSchema, SkillTool, ToolCallOptions, ToolResult } from "./tool.ts";
import { readInput } from "./tool-input.ts";
import type { SourceLoad, ToolSource } from "./tool-source.ts";

/** Asks the user where a rule says so; resolves to the answer. */
export type Allow = (request: SkillPermissionRequest) => boolean | Promise<boolean>;

/** How the name is offered to the model. */
export interface NameField {
  readonly style: "enum" | "text";
  /** The enum is used for at most this many names. */
  readonly most: number;
}

const description =
  "Loads a skill: tested instructions for one kind of work. Call it before you begin when the task fits a skill " +
  "from the list of available skills, or when the user names one; then follow what it says. " +
  "The result names the files that come with the skill.";

/** A skill's name as models may write it; a longer text is none. UTF-16 units. */
export const longestName = 256;

/** The `skill` tool: one skill's text by name (feature O14). */
export function skillTool(
  source: ToolSource,
  options: { readonly allow: Allow | null; readonly name: NameField },
): SkillTool {
  const inputSchema: InputSchema = {
    type: "object",
    properties: {
      name: nameField(source, options.name, "Name of the skill, exactly as it is listed."),
      arguments: {
        type: "string",
        description:
          "What the skill is to work on, as a user would type it behind the name. Leave it out if there is nothing to say.",
      },
      ...(source.remembers === true
        ? {
            again: {
              type: "boolean",
              description:
                "True gives the whole text although it was given before. Only if you no longer see it.",
            } as const,
          }
        : {}),
    },
    required: ["name"],
    additionalProperties: false,
  };
  return {
    name: "skill",
    title: "Load a skill",
    description,
    inputSchema,
    execute: async (input, call = {}) => {
      call.signal?.throwIfAborted();
      const read = readInput("skill", input, inputSchema);
      if (read.kind === "wrong") return invalid(read.message);
      const name = String(read.values.get("name"));
      if (name.length > longestName) return unknownName(source, name);
      const given = read.values.get("arguments");
      const request = {
        ...(given === undefined ? {} : { arguments: String(given) }),
        ...(source.remembers === true && read.values.get("again") === true ? { again: true } : {}),
      };
      await source.retrieve?.(name, null, signalOf(call));
      const first = await source.load(name, request);
      call.signal?.throwIfAborted();
      if (options.allow === null || !waits(source, first)) return loadResult(source, first);
      const allowed = await options.allow(permissionFor(first.name));
      call.signal?.throwIfAborted();
      if (!allowed) return loadResult(source, { ...first, output: declined(first.name) });
      return loadResult(source, await source.load(name, { ...request, approved: true }));
    },
  };
}

/** A rule says to ask; what changed since it was trusted is no question, the user has to look at it first. */
export function waits(source: ToolSource, { status, name }: Pick<SourceLoad, "status" | "name">): boolean {
  return (
    status === "ask" &&
    source.entries.some(({ skill, permission }) => skill.name === name && permission === "ask")
  );
}

/** What a model is told when the user was asked and said no. */
export function declined(name: string): string {
  return `The user was asked and did not allow "${printable(name)}". Go on without it.`;
}

/** The signal of a call, if it has one. */
export function signalOf({ signal }: ToolCallOptions): { readonly signal?: AbortSignal } {
  return signal === undefined ? {} : { signal };
}

export function permissionFor(name: string): SkillPermissionRequest {
  return { permission: "skill", patterns: [name], always: [name] };
}

/** The field for a skill's name: an enum while there are few, so that a model can't misspell one. */
export function nameField(source: ToolSource, { style, most }: NameField, text: string): InputField {
  const names = source.entries.filter(({ modelInvocable }) => modelInvocable).map(({ skill }) => skill.name);
  const few = style === "enum" && names.length > 0 && names.length <= most;
  return { type: "string", description: text, ...(few ? { enum: [...new Set(names)] } : {}) };
}

export function invalid(message: string): ToolResult {
  return { text: message, isError: true, status: "invalid-input", skill: null };
}

export function unknownName(source: ToolSource, name: string): ToolResult {
  const names = source.entries.filter(({ modelInvocable }) => modelInvocable).map(({ skill }) => skill.name);
  const text = source.profile.unknown(`${name.slice(0, longestName)}…`, names);
  return loadResult(source, { status: "unknown", name, output: text });
}

/** A refused call reaches the model as the profile hands on failures. */
export function loadResult(source: ToolSource, { status, name, output }: SourceLoad): ToolResult {
  if (status === "loaded") return { text: output, isError: false, status, skill: name };
  return { text: source.profile.failedCall?.(output) ?? output, isError: true, status, skill: null };
}
