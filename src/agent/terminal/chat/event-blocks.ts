import type { AgentEvent } from "../../loop/events.ts";
import type { DiffLine, TodoItem, ToolOutcome } from "../../tools/tool.ts";
import { markdownLines } from "../text/markdown-lines.ts";
import { type Line, line, type Span, span, truncateLine } from "../text/span.ts";
import { wrapLine } from "../text/wrap-line.ts";

type Rows = (columns: number) => readonly Line[];

/** Rows of a message that are shown; what was pasted may be long. */
const messageRows = 12;

/** A typed message as it stays on the screen. */
export function userBlock(text: string, files: readonly string[]): Rows {
  const all = text.split("\n");
  const hidden = all.length > messageRows ? all.length - messageRows + 2 : 0;
  const rows =
    hidden === 0 ? all : [...all.slice(0, messageRows - 3), `… ${hidden} more lines …`, ...all.slice(-1)];
  return (columns) => [
    [],
    ...rows.flatMap((row, index) =>
      wrapLine(
        [span(index === 0 ? "› " : "  ", { color: "cyan", bold: true }), span(row, { bold: true })],
        columns,
        [{ text: "  " }],
      ),
    ),
    ...files.map((file): Line => [{ text: "  + ", dim: true }, span(file, { dim: true })]),
  ];
}

/** A part of an answer; the first one carries the mark. */
export function answerBlock(text: string, first: boolean): Rows {
  return (columns) => {
    const rows = markdownLines(text, columns - 2);
    const marked = rows.map(
      (row, index): Line => [first && index === 0 ? { text: "● ", color: "green" } : { text: "  " }, ...row],
    );
    return [[], ...marked];
  };
}

export function noticeBlock(text: string, tone: "info" | "warning" | "error"): Rows {
  const mark: Span =
    tone === "info" ? { text: "· ", dim: true } : { text: "! ", color: tone === "error" ? "red" : "yellow" };
  const look = tone === "info" ? { dim: true } : tone === "error" ? ({ color: "red" } as const) : {};
  return (columns) =>
    text.split("\n").flatMap((row) => wrapLine([mark, span(row, look)], columns, [{ text: "  " }]));
}

const bringers: Readonly<Record<Extract<AgentEvent, { type: "skill-loaded" }>["by"], string>> = {
  model: "by the model",
  user: "by you",
  attachment: "for a file",
  preload: "at the start",
  search: "by the search",
  compaction: "again",
};

/** The line that says that a skill is in the conversation now, by whom and why. */
export function skillBlock({ name, by, why }: Extract<AgentEvent, { type: "skill-loaded" }>): Rows {
  return (columns) =>
    wrapLine(
      [
        { text: "✦ ", color: "magenta" },
        { text: "skill " },
        span(name, { bold: true, color: "magenta" }),
        { text: ` loaded ${bringers[by]}: ` },
        span(why.replaceAll("`", ""), { dim: true }),
      ],
      columns,
      [{ text: "  " }],
    );
}

/** Rows of a folded output. */
const folded = 3;
const diffRows = 14;

/** A call and what came of it, folded. `full`: all of it, as far as it is sensible. */
export function toolBlock(
  call: { readonly name: string; readonly about: string; readonly outcome: ToolOutcome },
  full = false,
): Rows {
  const { name, about, outcome } = call;
  return (columns) => {
    const [head = ""] = about.split("\n");
    const more = about.includes("\n") ? " …" : "";
    const title: Line = [
      outcome.failed ? { text: "✗ ", color: "red" } : { text: "✓ ", color: "green" },
      span(name, { bold: true }),
      { text: " " },
      span(head + more),
    ];
    const summary = ` · ${outcome.summary}`;
    const rows: Line[] = [
      [...truncateLine(title, Math.max(20, columns - summary.length)), span(summary, { dim: true })],
    ];
    if (outcome.view?.kind === "diff")
      rows.push(...diffLines(outcome.view.lines, columns, full ? 200 : diffRows));
    else if (outcome.view?.kind === "todo") rows.push(...todoLines(outcome.view.items, columns));
    else if (name === "bash" || full || outcome.failed)
      rows.push(...outputLines(outcome.output, columns, full ? 400 : folded));
    return rows.map((row) => truncateLine(row, columns));
  };
}

function outputLines(output: string, columns: number, most: number): readonly Line[] {
  const rows = output.split(/\r?\n/).filter((row) => row.trim() !== "");
  const shown = rows
    .slice(-most)
    .map((row): Line => truncateLine([{ text: "  ", dim: true }, span(row, { dim: true })], columns));
  const hidden = rows.length - shown.length;
  return hidden > 0 ? [[{ text: `  … ${moreLines(hidden)} (ctrl-o)`, dim: true }], ...shown] : shown;
}

function moreLines(count: number): string {
  return count === 1 ? "1 more line" : `${count} more lines`;
}

export function diffLines(lines: readonly DiffLine[], columns: number, most: number): readonly Line[] {
  const rows = lines.slice(0, most).map((row): Line => {
    const number = row.line === null ? "     " : String(row.line).padStart(5);
    const sign = row.kind === "added" ? "+" : row.kind === "removed" ? "-" : " ";
    const look =
      row.kind === "added"
        ? ({ color: "green" } as const)
        : row.kind === "removed"
          ? ({ color: "red" } as const)
          : { dim: true };
    return truncateLine([{ text: `${number} `, dim: true }, span(`${sign} ${row.text}`, look)], columns);
  });
  const hidden = lines.length - rows.length;
  return hidden > 0 ? [...rows, [{ text: `      … ${moreLines(hidden)} (ctrl-o)`, dim: true }]] : rows;
}

export function todoLines(items: readonly TodoItem[], columns: number): readonly Line[] {
  return items.map(
    ({ text, status }): Line =>
      truncateLine(
        [
          {
            text: status === "done" ? "  ✓ " : status === "active" ? "  ▸ " : "  ☐ ",
            color: status === "done" ? "green" : "cyan",
          },
          span(text, status === "done" ? { dim: true } : status === "active" ? { bold: true } : {}),
        ],
        columns,
      ),
  );
}

/** Several rows of plain text under a heading. */
export function textBlock(title: string, rows: readonly string[]): Rows {
  return (columns) => [
    [],
    line(title, { bold: true }),
    ...rows.flatMap((row) => wrapLine([{ text: "  " }, span(row)], columns, [{ text: "    " }])),
  ];
}
