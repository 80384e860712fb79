import type { SkillTool } from "../../core/tools/tool.ts";
import { isDisabled, type PermissionRule } from "../../core/visibility/permission.ts";
import type { ToolForm } from "../model/model-port.ts";
import { type AgentKind, defaultRules } from "../permission/agents.ts";
import { bashTool } from "../tools/bash.ts";
import { editTool } from "../tools/edit.ts";
import { fetchTool } from "../tools/fetch.ts";
import { readTool } from "../tools/read.ts";
import { todoTool } from "../tools/todo.ts";
import type { Tool } from "../tools/tool.ts";
import { writeTool } from "../tools/write.ts";

const own: readonly Tool[] = [readTool, writeTool, editTool, bashTool, todoTool, fetchTool];

/** Which of our tools an agent has under these rules, in a fixed order. A tool that is denied as a whole is not there. */
export function ownTools(kind: AgentKind, rules: readonly PermissionRule[]): readonly Tool[] {
  const all = [...defaultRules, ...rules];
  return own.filter(
    ({ form: { name } }) =>
      !kind.without.includes(name) && !isDisabled(all, name) && !isDisabled(kind.limits, name),
  );
}

/** The form of a tool of the skills, as a model gets it. */
export function skillToolForm({ name, description, inputSchema }: SkillTool): ToolForm {
  return { name, description, parameters: { ...inputSchema } };
}

/** A short text that changes when a tool is added, removed or described anew. */
export function toolsKey(forms: readonly ToolForm[]): string {
  return forms.map(({ name, description }) => `${name}:${description.length}`).join(",");
}
