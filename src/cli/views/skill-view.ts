import type { VisibleSkill } from "../../core/profile.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import { editedText, type InstalledFrom, installedText } from "../install/installed-from.ts";
import { displayPath } from "../output/display-path.ts";
import { heading } from "../output/heading.ts";
import type { Painter } from "../output/paint.ts";
import { rows } from "../output/rows.ts";
import { safeLine, safeLines } from "../output/safe-text.ts";
import { shellWord, skilletLine } from "../output/shell-words.ts";
import { textWidth, wrap } from "../output/text-width.ts";
import { markCell, restriction, scopeWord } from "../output/words.ts";
import { descriptionText } from "./description-text.ts";
import { noteTrust } from "./notes.ts";

interface Shown {
  readonly entry: VisibleSkill;
  readonly body: string;
  readonly files: readonly string[];
  readonly more: boolean;
  readonly installed: InstalledFrom | null;
}

/** One skill for people: name and description, its fields, its files, its text. */
export function printSkill(
  context: Context,
  skills: Skills,
  { entry, body, more, installed, ...shown }: Shown,
): void {
  const { paint } = context;
  const { skill } = entry;
  const files = shown.files.filter((file) => !skill.location.endsWith(`/${file}`) || file.includes("/"));
  const mark = markCell(entry, paint);
  const state = restriction(entry) ?? "offered to models";
  context.print(
    ...rows(
      [[mark, { text: safeLine(skill.name), paint: paint.bold }, { text: state, paint: paint.dim }]],
      paint,
      {
        indent: 0,
      },
    ),
    ...wrap(
      descriptionText(skill, skills.environment.language) ?? "It has no description.",
      paint.textWidth - 2,
    ).map((line) => `  ${line}`),
    "",
  );
  const tools = skill.allowedTools.join(", ");
  const fields: readonly (readonly [string, string | null])[] = [
    ["file", skill.directory === null ? skill.location : displayPath(skill.location, skills.environment)],
    ["from", `${scopeWord(skill.root.scope)}, ${displayPath(skill.root.path, skills.environment)}`],
    ["link to", skill.realPath === skill.location ? null : displayPath(skill.realPath, skills.environment)],
    ["installed", installed === null ? null : `${installedText(installed)}; ${editedText(installed)}`],
    ["title", skill.title],
    ["aliases", list(skill.aliases)],
    ["when", skill.whenToUse],
    ["arguments", skill.argumentHint],
    ["tools", tools === "" ? null : tools],
    ["files", skill.paths === null ? null : `only with ${skill.paths.join(", ")}`],
    ["needs", skill.compatibility],
    ["license", skill.license],
    ["permission", entry.permission === "allow" ? null : entry.permission],
    ["other keys", list(Object.keys(skill.extra))],
    ["digest", skill.digest],
  ];
  for (const [label, value] of fields) if (value !== null) context.print(...fieldLines(label, value, paint));
  if (files.length > 0) {
    context.print(...heading("Files beside it", paint));
    context.print(
      ...files.slice(0, context.verbose ? files.length : 20).map((file) => `  ${safeLine(file)}`),
    );
    const left = files.length - 20;
    if (more || (left > 0 && !context.verbose))
      context.print(paint.dim(`  ${paint.symbols.ellipsis} ${more ? "and more" : `${left} more (-v)`}`));
  }
  context.print("", paint.bold("Text"), ...safeLines(body.trim()).flatMap((line) => textLines(line, paint)));
  noteTrust(context, skills);
  const why = skilletLine(`why ${shellWord(skill.name)}`, context.flags);
  context.note(`How it got here: ${why}`, "dim");
}

/** Label and value side by side; below each other where the terminal is narrow. */
function fieldLines(label: string, value: string, paint: Painter): readonly string[] {
  const beside = paint.textWidth >= 40;
  const indent = beside ? 14 : 4;
  const lines = wrap(safeLine(value), paint.textWidth - indent);
  if (!beside) return [`  ${paint.dim(label)}`, ...lines.map((line) => `    ${line}`)];
  return lines.map((line, index) => `  ${paint.dim((index === 0 ? label : "").padEnd(12))}${line}`);
}

/** A line of the text, indented; in a terminal broken between words, further lines under its own indentation. */
function textLines(line: string, paint: Painter): readonly string[] {
  if (line === "") return [""];
  const own = line.match(/^ */)?.[0] ?? "";
  const indent = `  ${own.slice(0, 12)}`;
  if (textWidth(line) + 2 <= paint.width) return [`  ${line}`];
  return wrap(line.trimStart(), Math.max(10, paint.width - indent.length)).map((part) => indent + part);
}

function list(values: readonly string[]): string | null {
  return values.length === 0 ? null : values.join(", ");
}
