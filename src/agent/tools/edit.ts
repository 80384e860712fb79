import { missing, readArguments } from "./read-arguments.ts";
import { replaceText } from "./text-change.ts";
import { failedOutcome, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";
import { currentText, putText } from "./write.ts";

/** `edit`: one text in a file replaced by another. */
export const editTool: Tool = {
  form: {
    name: "edit",
    description:
      "Replaces a text in a file that you have read. `old` must occur exactly once; give more lines around it when it occurs several times, or set `all` to replace every one. Leave out the line numbers that read shows.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Absolute, or relative to the working folder." },
        old: { type: "string", description: "The text as it stands in the file, with its indentation." },
        new: { type: "string", description: "What takes its place." },
        all: { type: "boolean", description: "Replace every occurrence." },
      },
      required: ["path", "old", "new"],
      additionalProperties: false,
    },
  },
  about: (input) => readArguments(input).text("path") ?? "",
  run,
};

async function run(input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const given = readArguments(input);
  const [path, from, to] = [given.text("path"), given.text("old"), given.text("new")];
  if (path === null || path === "") return missing("edit", "path");
  if (from === null || from === "") return missing("edit", "old");
  if (to === null) return missing("edit", "new");
  const before = currentText(path, context);
  if (before.kind === "refused") return before.outcome;
  if (before.text === null) return failedOutcome(`There is no ${path}. Use write to create it.`, "not there");
  const replaced = replaceText(before.text, { from, to, all: given.flag("all") });
  switch (replaced.kind) {
    case "replaced":
      return putText(context, { path, before: before.text, after: replaced.text });
    case "same":
      return failedOutcome(
        "`old` and `new` are the same, so there is nothing to change.",
        "nothing to change",
      );
    case "several":
      return failedOutcome(
        `\`old\` occurs ${replaced.count} times in ${path} (lines ${replaced.lines.join(", ")}). Give more lines around the one you mean, or set \`all\`.`,
        `${replaced.count} places`,
      );
    case "absent":
      return failedOutcome(
        `\`old\` is not in ${path}.${replaced.near === null ? "" : ` Closest: ${replaced.near}.`} Read the file again and copy the text from there.`,
        "not found",
      );
  }
}
