import { printable } from "../text/printable.ts";
import {
  type Allow,
  declined,
  invalid,
  loadResult,
  longestName,
  type NameField,
  nameField,
  permissionFor,
  signalOf,
  unknownName,
  waits,
} from "./skill-tool.ts";
import { type TextPage, textPage } from "./text-page.ts";
import type { InputSchema, SkillTool, ToolResult } from "./tool.ts";
import { readInput } from "./tool-input.ts";
import type { SourceFile, ToolSource } from "./tool-source.ts";

const description =
  "Reads a file that comes with a skill, by its path relative to the skill's folder; without a path it lists the " +
  "skill's files. Nothing outside that folder can be read.";

/** The `read_skill_file` tool (feature O15, row B11). */
export function fileTool(
  source: ToolSource,
  options: { readonly allow: Allow | null; readonly name: NameField },
): SkillTool {
  const inputSchema: InputSchema = {
    type: "object",
    properties: {
      name: nameField(source, options.name, "Name of the skill."),
      path: {
        type: "string",
        description:
          "Relative to the skill's folder, with slashes: references/format.md. Left out: the files are listed.",
      },
      offset: { type: "integer", description: "First line to give, counted from 1.", minimum: 1 },
    },
    required: ["name"],
    additionalProperties: false,
  };
  return {
    name: "read_skill_file",
    title: "Read a file of a skill",
    description,
    inputSchema,
    execute: async (input, call = {}) => {
      call.signal?.throwIfAborted();
      const read = readInput("read_skill_file", input, inputSchema);
      if (read.kind === "wrong") return invalid(read.message);
      const name = String(read.values.get("name"));
      if (name.length > longestName) return unknownName(source, name);
      const given = read.values.get("path");
      const path = given === undefined || given === "." || given === "./" ? null : String(given);
      const offset = Math.max(1, Number(read.values.get("offset") ?? 1));
      if (path !== null) await source.retrieve?.(name, path, signalOf(call));
      const first = source.loadFile(name, path, {});
      if (options.allow === null || first.status !== "ask" || !waits(source, first))
        return result(source, first, { path, offset });
      const allowed = await options.allow(permissionFor(first.name));
      call.signal?.throwIfAborted();
      if (!allowed) return loadResult(source, { ...first, output: declined(first.name) });
      return result(source, source.loadFile(name, path, { approved: true }), { path, offset });
    },
  };
}

function result(
  source: ToolSource,
  found: SourceFile,
  { path, offset }: { readonly path: string | null; readonly offset: number },
): ToolResult {
  const skill = found.name;
  if (found.status === "listed") {
    const { files, more } = found;
    const text =
      files.length === 0
        ? `The skill "${printable(skill)}" has no files besides SKILL.md.`
        : [...files.map(printable), ...(more ? ["There are more files than these."] : [])].join("\n");
    return { text, isError: false, status: "listed", skill };
  }
  if (found.status !== "read") return loadResult(source, found);
  const { file } = found;
  const shown = printable((path ?? "").slice(0, 200));
  if (file.kind === "refused") {
    const slashes = path?.includes("\\") === true ? " Paths are written with slashes." : "";
    const text = `"${shown}" was not read. ${file.reason}${slashes} Call \`read_skill_file\` with the name alone to see which files there are.`;
    return { text, isError: true, status: "refused", skill };
  }
  if (file.kind === "binary") {
    const text = `"${shown}" is not a text; it has ${file.bytes} bytes. Use a program that reads this kind of file.`;
    return { text, isError: true, status: "refused", skill };
  }
  return pageResult(textPage(file.text, offset), { shown, skill });
}

function pageResult(
  page: TextPage,
  { shown, skill }: { readonly shown: string; readonly skill: string },
): ToolResult {
  if (page.kind === "behind-end") {
    const text = `"${shown}" has ${page.lines} lines; line ${page.first} is behind its end.`;
    return { text, isError: true, status: "refused", skill };
  }
  if (page.text === "") return { text: `"${shown}" is empty.`, isError: false, status: "read", skill };
  const { first, last, lines } = page;
  const note =
    last < lines
      ? `\n\n[Lines ${first} to ${last} of ${lines}. Read on with offset ${last + 1}.]`
      : first > 1
        ? `\n\n[Lines ${first} to ${last} of ${lines}. This is the end.]`
        : "";
  return { text: page.text + note, isError: false, status: "read", skill };
}
