import { closeSync, constants, fstatSync, openSync, readdirSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "../../core/path.ts";
import { closestNames } from "../../core/text/closest-names.ts";
import { textPage } from "../../core/tools/text-page.ts";
import { systemCode } from "../../host/file-error.ts";
import { toNative } from "../../host/native-path.ts";
import { missing, readArguments } from "./read-arguments.ts";
import { failedOutcome, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

/** Bytes of a file that is read at all. */
export const readLimit = 10 * 1024 * 1024;
const entriesAtMost = 1000;

/** `read`: a text file by lines, or the entries of a folder. */
export const readTool: Tool = {
  form: {
    name: "read",
    description:
      "Reads a text file, with line numbers, or lists a folder. Long files come in pages; read on with offset. Read a file before you change it.",
    parameters: {
      type: "object",
      properties: {
        path: { type: "string", description: "Absolute, or relative to the working folder." },
        offset: { type: "integer", minimum: 1, description: "First line, counted from 1." },
      },
      required: ["path"],
      additionalProperties: false,
    },
  },
  about: (input) => readArguments(input).text("path") ?? "",
  run,
};

async function run(input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const given = readArguments(input);
  const path = given.text("path");
  if (path === null || path === "") return missing("read", "path");
  const permit = await context.permit({ action: { kind: "read", path }, title: `read ${path}` });
  if (!permit.allowed) return failedOutcome(permit.refusal, "not allowed");
  const absolute = context.workspace.absolute(path);
  const read = readWhole(absolute);
  if (read.kind === "folder") return listing(absolute, path);
  if (read.kind === "failure") return failedOutcome(failureText(path, absolute, read.reason), read.reason);
  if (isBinary(read.bytes))
    return failedOutcome(
      `${path} is no text file (${read.bytes.length} bytes). Use a program for its kind with bash.`,
      "not a text",
    );
  context.files.seen(context.workspace.real(absolute), read.bytes);
  const text = new TextDecoder().decode(read.bytes);
  if (text === "") return { output: `${path} is empty.`, failed: false, summary: "empty" };
  const page = textPage(text, Math.max(1, Math.floor(given.number("offset") ?? 1)));
  if (page.kind === "behind-end")
    return failedOutcome(
      `${path} has ${page.lines} lines; line ${page.first} is behind its end.`,
      "behind its end",
    );
  const lines = page.text.replace(/\n$/, "").split("\n");
  const numbered = lines.map(
    (line, index) => `${String(page.first + index).padStart(5)}\t${line.replace(/\r$/, "")}`,
  );
  const more =
    page.last < page.lines
      ? `\n\n[Lines ${page.first} to ${page.last} of ${page.lines}. Read on with offset ${page.last + 1}.]`
      : "";
  return {
    output: numbered.join("\n") + more,
    failed: false,
    summary:
      page.last < page.lines || page.first > 1
        ? `lines ${page.first}–${page.last} of ${page.lines}`
        : page.lines === 1
          ? "1 line"
          : `${page.lines} lines`,
  };
}

export type WholeRead =
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "folder" }
  | { readonly kind: "failure"; readonly reason: string };

/** A regular file's bytes. Opens without blocking, so that a pipe or device cannot hang the agent. */
export function readWhole(path: string): WholeRead {
  let descriptor: number | null = null;
  try {
    if (statSync(toNative(path)).isDirectory()) return { kind: "folder" };
    descriptor = openSync(toNative(path), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) return { kind: "failure", reason: "no regular file" };
    if (stats.size > readLimit)
      return { kind: "failure", reason: `larger than ${readLimit / 1024 / 1024} MB` };
    const bytes = Buffer.alloc(stats.size);
    let length = 0;
    while (length < bytes.length) {
      const got = readSync(descriptor, bytes, length, bytes.length - length, length);
      if (got === 0) break;
      length += got;
    }
    return { kind: "bytes", bytes: bytes.subarray(0, length) };
  } catch (error) {
    const code = systemCode(error);
    const reason =
      code === "ENOENT" ? "not there" : code === "EACCES" || code === "EPERM" ? "no permission" : code;
    return { kind: "failure", reason };
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}

/** A zero byte near the beginning, or a beginning that is mostly no UTF-8. */
export function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 8000);
  if (head.includes(0)) return true;
  const text = new TextDecoder().decode(head);
  const broken = [...text].filter((character) => character === "\ufffd").length;
  return broken > 8 && broken > text.length / 10;
}

function failureText(path: string, absolute: string, reason: string): string {
  if (reason !== "not there") return `${path} cannot be read: ${reason}.`;
  const near = nearNames(absolute);
  return `There is no ${path}.${near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`}`;
}

function nearNames(path: string): readonly string[] {
  try {
    const names = readdirSync(toNative(dirname(path))).slice(0, 5000);
    return closestNames(basename(path), names, 3).map((name) => join(dirname(path), name));
  } catch {
    return [];
  }
}

function listing(absolute: string, path: string): ToolOutcome {
  try {
    const entries = readdirSync(toNative(absolute), { withFileTypes: true })
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort();
    const shown = entries.slice(0, entriesAtMost);
    const rest = entries.length - shown.length;
    return {
      output:
        entries.length === 0
          ? `${path} is an empty folder.`
          : [...shown, ...(rest > 0 ? [`… and ${rest} more`] : [])].join("\n"),
      failed: false,
      summary: `${entries.length} entries`,
    };
  } catch (error) {
    return failedOutcome(`${path} cannot be listed: ${systemCode(error)}.`, "cannot be listed");
  }
}
