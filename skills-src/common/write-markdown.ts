import type { Block, Inline, Note, Paragraph, Table, TextRun } from "./document.ts";
import { textOf } from "./document.ts";

export interface MarkdownWriting {
  /** What stands in a picture's place: an address, or null for its description alone. */
  readonly picture: (name: string) => string | null;
  /** How tracked changes are shown; `accept` leaves deletions out and insertions unmarked. */
  readonly changes: "accept" | "show";
}

/** Blocks as Markdown; tables with merged cells repeat nothing, covered cells are empty. */
export function writeMarkdown(
  blocks: readonly Block[],
  notes: readonly Note[],
  options: MarkdownWriting,
): string {
  const parts: string[] = [];
  let before: Block | null = null;
  for (const block of blocks) {
    const text = blockText(block, options);
    if (text.trim() === "") continue;
    const tight = before !== null && isItem(before) && isItem(block) && isSameList(before, block);
    parts.push(parts.length === 0 ? text : tight ? `\n${text}` : `\n\n${text}`);
    before = block;
  }
  const used = notes.map((note) => `\n[^${note.id}]: ${flat(note.blocks, options)}`);
  return `${parts.join("")}${used.length > 0 ? "\n" : ""}${used.join("")}\n`;
}

const isItem = (block: Block): boolean => block.kind === "paragraph" && block.list !== undefined;

/** At the outer level a list of another sort begins anew. */
function isSameList(before: Block, block: Block): boolean {
  if (before.kind !== "paragraph" || block.kind !== "paragraph") return false;
  const [a, b] = [before.list, block.list];
  return b !== undefined && a !== undefined && (b.level > 0 || a.level > 0 || a.ordered === b.ordered);
}

/** Emphasis that a heading, quote or header cell has by its nature says nothing. */
function plainer(inlines: readonly Inline[], what: "bold" | "italic"): readonly Inline[] {
  const texts = inlines.filter((one): one is TextRun => one.kind === "text" && one.text.trim() !== "");
  if (!texts.every((one) => one[what])) return inlines;
  return inlines.map((one) => (one.kind === "text" ? { ...one, [what]: false } : one));
}

function flat(blocks: readonly Block[], options: MarkdownWriting): string {
  return blocks
    .map((block) => blockText(block, options))
    .join(" ")
    .replace(/\s*\n\s*/g, " ")
    .trim();
}

function blockText(block: Block, options: MarkdownWriting): string {
  switch (block.kind) {
    case "paragraph":
      return paragraphText(block, options);
    case "table":
      return tableText(block, options);
    case "code": {
      const fence = "`".repeat(
        Math.max(3, ...[...block.text.matchAll(/`+/g)].map(([run]) => run.length + 1)),
      );
      return `${fence}${block.language}\n${block.text}\n${fence}`;
    }
    case "rule":
      return "---";
    case "page":
      return "<!-- pagebreak -->";
  }
}

function paragraphText(paragraph: Paragraph, options: MarkdownWriting): string {
  const inlines =
    paragraph.heading !== undefined
      ? plainer(paragraph.inlines, "bold")
      : paragraph.quote
        ? plainer(paragraph.inlines, "italic")
        : paragraph.inlines;
  const text = inlineText(inlines, options).trim();
  if (text === "") return "";
  if (paragraph.heading !== undefined)
    return `${"#".repeat(Math.min(6, paragraph.heading))} ${text.replace(/\s*\n\s*/g, " ")}`;
  const { list } = paragraph;
  if (list !== undefined) {
    const box = list.checked === undefined ? "" : list.checked ? "[x] " : "[ ] ";
    const mark = list.ordered ? (/^\d+[.)]$/.test(list.label) ? list.label : "1.") : "-";
    const indent = "   ".repeat(list.level);
    return `${indent}${mark} ${box}${text.replaceAll("\n", `\n${indent}  `)}`;
  }
  if (paragraph.quote) return text.replace(/^/gm, "> ");
  return escapeLineStart(text);
}

/** Keeps text that looks like a list or heading from becoming one. */
const escapeLineStart = (text: string): string => text.replace(/^(#{1,6} |[-+] |\d+[.)] |>)/gm, "\\$1");

function tableText(table: Table, options: MarkdownWriting): string {
  const rows: string[][] = [];
  const covered = new Map<string, true>();
  table.rows.forEach((row, at) => {
    const line: string[] = [];
    let column = 0;
    for (const cell of row.cells) {
      while (covered.has(`${at}:${column}`)) line[column++] = "";
      const blocks = row.header
        ? cell.blocks.map((block) =>
            block.kind === "paragraph" ? { ...block, inlines: plainer(block.inlines, "bold") } : block,
          )
        : cell.blocks;
      line[column] = flat(blocks, options).replaceAll("|", "\\|");
      for (let right = 1; right < cell.columns; right += 1) line[column + right] = "";
      for (let down = 1; down < cell.rows; down += 1)
        for (let right = 0; right < cell.columns; right += 1)
          covered.set(`${at + down}:${column + right}`, true);
      column += cell.columns;
    }
    while (covered.has(`${at}:${column}`)) line[column++] = "";
    rows.push(line);
  });
  const width = Math.max(1, ...rows.map((row) => row.length));
  const line = (row: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, at) => row[at] ?? "").join(" | ")} |`;
  const [head = [], ...body] = rows;
  return [line(head), `|${" --- |".repeat(width)}`, ...body.map(line)].join("\n");
}

function inlineText(inlines: readonly Inline[], options: MarkdownWriting): string {
  const merged: Inline[] = [];
  for (const inline of inlines) {
    const last = merged.at(-1);
    if (inline.kind === "text" && inline.text === "") continue;
    if (inline.kind === "text" && last?.kind === "text" && marks(last) === marks(inline))
      merged[merged.length - 1] = { ...last, text: last.text + inline.text };
    else merged.push(inline);
  }
  return merged.map((inline) => oneInline(inline, options)).join("");
}

function oneInline(inline: Inline, options: MarkdownWriting): string {
  switch (inline.kind) {
    case "text":
      return runText(inline, options);
    case "picture": {
      const address = options.picture(inline.name);
      const alt = inline.alt.replace(/[[\]\n]/g, " ");
      return address === null
        ? `[picture: ${alt || inline.name}]`
        : `![${alt}](${address.replaceAll(" ", "%20")})`;
    }
    case "break":
      return "  \n";
    case "tab":
      return "\t";
    case "field":
      return "";
    case "note":
      return `[^${inline.id}]`;
  }
}

const marks = (run: TextRun): string =>
  [run.bold, run.italic, run.strike, run.code, run.link, run.change?.kind, run.change?.author].join("|");

function runText(run: TextRun, options: MarkdownWriting): string {
  if (run.change?.kind === "deleted" && options.changes === "accept") return "";
  const [, before = "", inner = "", after = ""] = /^(\s*)([\s\S]*?)(\s*)$/.exec(run.text) ?? [];
  if (inner === "") return run.text;
  let text = run.code
    ? codeSpan(inner)
    : inner.replace(/([\\`*_[\]])/g, "\\$1").replace(/<(?=[a-z/!])/gi, "\\<");
  if (run.strike) text = `~~${text}~~`;
  if (run.italic) text = `*${text}*`;
  if (run.bold) text = `**${text}**`;
  if (run.link) text = `[${text}](${run.link.replace(/[()\s]/g, encodeURIComponent)})`;
  if (run.change && options.changes === "show")
    text = run.change.kind === "inserted" ? `{++${text}++}` : `{--${text}--}`;
  return `${before}${text}${after}`;
}

function codeSpan(text: string): string {
  const fence = "`".repeat(1 + Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)));
  const pad = /^`|`$/.test(text) ? " " : "";
  return `${fence}${pad}${text}${pad}${fence}`;
}

/** Blocks as plain text, table cells apart by tabs. */
export function writePlainText(blocks: readonly Block[]): string {
  const lines = blocks.map((block): string => {
    if (block.kind === "paragraph")
      return (
        (block.list ? `${"  ".repeat(block.list.level)}${block.list.label} ` : "") + textOf(block.inlines)
      );
    if (block.kind === "code") return block.text;
    if (block.kind === "table")
      return block.rows
        .map((row) =>
          row.cells.map((cell) => writePlainText(cell.blocks).trim().replaceAll("\n", " ")).join("\t"),
        )
        .join("\n");
    return "";
  });
  return `${lines.join("\n")}\n`;
}
