import { readArguments } from "./read-arguments.ts";
import { failedOutcome, type TodoItem, type Tool } from "./tool.ts";

/** `todo`: the list of steps that the user sees. */
export const todoTool: Tool = {
  form: {
    name: "todo",
    description:
      "Keeps the list of steps for a task with several of them; the user sees it. Give the whole list each time, at most one step active. Not needed for small tasks.",
    parameters: {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: {
            type: "object",
            properties: {
              text: { type: "string" },
              status: { type: "string", enum: ["open", "active", "done"] },
            },
            required: ["text", "status"],
            additionalProperties: false,
          },
        },
      },
      required: ["items"],
      additionalProperties: false,
    },
  },
  about: (input) => {
    const items = readItems(readArguments(input).value("items"));
    return items === null ? "" : `${items.filter(({ status }) => status === "done").length}/${items.length}`;
  },
  run: async (input, context) => {
    const items = readItems(readArguments(input).value("items"));
    if (items === null)
      return failedOutcome("`items` must be a list of { text, status: open | active | done }.", "not a list");
    context.todo.set(items);
    return {
      output: items.length === 0 ? "The list is empty now." : todoText(items),
      failed: false,
      summary: `${items.filter(({ status }) => status === "done").length} of ${items.length} done`,
      view: { kind: "todo", items },
    };
  },
};

const marks = { open: "[ ]", active: "[>]", done: "[x]" } as const;

export function todoText(items: readonly TodoItem[]): string {
  return items.map(({ text, status }) => `${marks[status]} ${text}`).join("\n");
}

function readItems(value: unknown): readonly TodoItem[] | null {
  if (!Array.isArray(value)) return null;
  const items: TodoItem[] = [];
  for (const item of value.slice(0, 100)) {
    const given = readArguments(item);
    const text = given.text("text");
    if (text === null) return null;
    const status = given.text("status");
    items.push({ text, status: status === "active" || status === "done" ? status : "open" });
  }
  return items;
}
