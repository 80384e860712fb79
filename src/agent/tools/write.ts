import { writeFileAtomic } from "../../host/atomic-write.ts";
import { isBinary, readWhole } from "./read.ts";
import { missing, readArguments } from "./read-arguments.ts";
import { changedLines } from "./text-change.ts";
import { failedOutcome, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

/** `write`: a whole file, new or in place of what is there. */
export const writeTool: Tool = {
  form: {
    name: "write",
    description:
      "Writes a whole file; folders on the way are made. A file that exists must have been read before. Prefer edit for changes to a file that exists.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Absolute, or relative to the working folder." },
        content: { type: "string", description: "All of the new content." },
      },
      required: ["path", "content"],
      additionalProperties: false,
    },
  },
  about: (input) => readArguments(input).text("path") ?? "",
  run,
};

async function run(input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const given = readArguments(input);
  const [path, content] = [given.text("path"), given.text("content")];
  if (path === null || path === "") return missing("write", "path");
  if (content === null) return missing("write", "content");
  const before = currentText(path, context);
  if (before.kind === "refused") return before.outcome;
  return putText(context, { path, before: before.text, after: content });
}

export type CurrentText =
  | { readonly kind: "text"; readonly text: string | null }
  | { readonly kind: "refused"; readonly outcome: ToolOutcome };

/** What is in a file now, null when there is none; refused when the model does not know it. */
export function currentText(path: string, context: ToolContext): CurrentText {
  const absolute = context.workspace.absolute(path);
  const read = readWhole(absolute);
  const refused = (output: string, summary: string): CurrentText => ({
    kind: "refused",
    outcome: failedOutcome(output, summary),
  });
  if (read.kind === "folder") return refused(`${path} is a folder.`, "a folder");
  if (read.kind === "failure") {
    if (read.reason === "not there") return { kind: "text", text: null };
    return refused(`${path} cannot be changed: ${read.reason}.`, read.reason);
  }
  if (isBinary(read.bytes)) return refused(`${path} is no text file.`, "not a text");
  switch (context.files.compare(context.workspace.real(absolute), read.bytes)) {
    case "unseen":
      return refused(`You have not read ${path} yet. Read it, then change it.`, "not read yet");
    case "changed":
      return refused(
        `${path} changed since you read it. Read it again, then change it.`,
        "changed meanwhile",
      );
    case "known":
      return { kind: "text", text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(read.bytes) };
  }
}

/** Asks, writes and remembers. `before` is null for a new file. */
export async function putText(
  context: ToolContext,
  change: { readonly path: string; readonly before: string | null; readonly after: string },
): Promise<ToolOutcome> {
  const { path, before, after } = change;
  const view = { kind: "diff", lines: changedLines(before ?? "", after) } as const;
  const title = before === null ? `create ${path}` : `change ${path}`;
  const permit = await context.permit({ action: { kind: "edit", path }, title, view });
  if (!permit.allowed) return failedOutcome(permit.refusal, "not allowed");
  const absolute = context.workspace.absolute(path);
  // While the question stood, the user may have edited the file.
  const now = currentText(path, context);
  if (now.kind === "refused") return now.outcome;
  if (now.text !== before)
    return failedOutcome(`${path} changed meanwhile. Read it again.`, "changed meanwhile");
  try {
    writeFileAtomic(absolute, after, { action: `write ${path}`, followLink: true });
  } catch (error) {
    return failedOutcome(error instanceof Error ? error.message : String(error), "not written");
  }
  context.files.seen(context.workspace.real(absolute), after);
  context.edited(absolute);
  const added = view.lines.filter(({ kind }) => kind === "added").length;
  const removed = view.lines.filter(({ kind }) => kind === "removed").length;
  return {
    output: before === null ? `Created ${path}.` : `Changed ${path}.`,
    failed: false,
    summary: `+${added} −${removed}`,
    view,
  };
}
