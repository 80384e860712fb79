import { answerBlock, diffLines, todoLines } from "../chat/event-blocks.ts";
import { questionChoices } from "../chat/question-key.ts";
import type { ChatState, Completion, Status } from "../chat/state.ts";
import { type Line, lineWidth, type Span, span, truncateLine, width } from "../text/span.ts";
import { wrapLine } from "../text/wrap-line.ts";
import { editorView } from "./editor-view.ts";
import { panelView, rule } from "./panel-view.ts";

export interface Screen {
  readonly columns: number;
  readonly rows: number;
  /** Milliseconds, for the time that a turn takes. */
  readonly now: number;
}

export interface ChatView {
  readonly lines: readonly Line[];
  /** Null: nothing is typed. */
  readonly cursor: { readonly x: number; readonly y: number } | null;
}

/**
 * The moving part of the screen: what arrives, what runs, a question or a panel, the text being typed, the status. Never
 * higher than the terminal, so that nothing that was printed is drawn over.
 */
export function chatView(state: ChatState, screen: Screen): ChatView {
  const columns = Math.max(20, screen.columns);
  const height = Math.max(8, screen.rows - 1);
  const status = statusLine(state.status, columns);
  if (state.over) return { lines: [], cursor: null };
  const upper = upperLines(state, { ...screen, columns });
  if (state.question !== null) {
    const asked = questionView(state, { columns, rows: Math.max(8, height - 3) });
    const room = Math.max(0, height - asked.lines.length - 1);
    const above = room === 0 ? [] : upper.slice(-room);
    return {
      lines: [...above, ...asked.lines, status],
      cursor: asked.cursor === null ? null : { x: asked.cursor.x, y: asked.cursor.y + above.length },
    };
  }
  if (state.panel !== null) {
    const panel = panelView(state.panel, { columns, rows: Math.min(height - 2, 18) });
    const room = Math.max(0, height - panel.length - 1);
    return { lines: [...(room === 0 ? [] : upper.slice(-room)), ...panel, status], cursor: null };
  }
  const completion = state.completion === null ? [] : completionLines(state.completion, columns);
  const editor = editorView(state.editor, {
    columns,
    rows: Math.max(3, Math.min(10, height - completion.length - 6)),
    prompt: { text: "› ", color: "cyan" },
    placeholder:
      state.activity === null
        ? "Message, / for skills and commands, @ for files"
        : "Type ahead; esc stops the agent",
  });
  const lower: readonly Line[] = [
    rule(state.status.agent, columns),
    ...editor.lines,
    ...completion,
    state.leaving ? [{ text: "Press ctrl-c once more to leave.", color: "yellow" }] : status,
  ];
  const room = Math.max(0, height - lower.length);
  const above = room === 0 ? [] : upper.slice(-room);
  return {
    lines: [...above, ...lower],
    cursor: { x: editor.cursor.x, y: above.length + 1 + editor.cursor.y },
  };
}

function upperLines(state: ChatState, screen: Screen): readonly Line[] {
  const { columns } = screen;
  const lines: Line[] = [];
  if (state.live.trim() !== "") lines.push(...answerBlock(state.live, !state.answering)(columns));
  const open = state.todo.filter(({ status }) => status !== "done");
  if (state.activity !== null && open.length > 0)
    lines.push([], ...todoLines(state.todo.slice(0, 8), columns));
  if (state.activity !== null) {
    const seconds = Math.max(0, Math.floor((screen.now - state.activity.since) / 1000));
    const running = state.running;
    const label =
      running === null ? state.activity.label : `${running.name} ${running.about.split("\n")[0] ?? ""}`;
    const end = ` · ${seconds} s · esc stops`;
    lines.push(
      [],
      [
        { text: `${seconds % 2 === 0 ? "◐" : "◑"} `, color: "cyan" },
        ...truncateLine([span(label)], Math.max(8, columns - 2 - width(end))),
        { text: end, dim: true },
      ],
    );
    const tail =
      running?.tail
        .split(/\r?\n|\r/)
        .filter((row) => row.trim() !== "")
        .slice(-3) ?? [];
    lines.push(...tail.map((row) => truncateLine([{ text: "  " }, span(row, { dim: true })], columns)));
  }
  for (const text of state.queue)
    lines.push(
      truncateLine(
        [{ text: "  next: ", dim: true }, span(text.split("\n")[0] ?? "", { dim: true })],
        columns,
      ),
    );
  return lines;
}

function questionView(
  state: ChatState,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): { readonly lines: readonly Line[]; readonly cursor: ChatView["cursor"] } {
  const open = state.question;
  if (open === null) return { lines: [], cursor: null };
  const { request, judgement } = open.question;
  const choices = questionChoices(open.question);
  const title = span(request.title.replace(/\s*\n\s*/g, " ⏎ "), { bold: true, color: "yellow" });
  const asked = wrapLine([{ text: "The agent wants to ", bold: true }, title], columns);
  const most = Math.max(4, rows - choices.length - 4);
  // Nothing is allowed unseen: what does not fit is said, and can be printed.
  const wanted: readonly Line[] =
    asked.length <= most
      ? asked
      : [
          ...asked.slice(0, most - 1),
          [{ text: `… ${asked.length - most + 1} more rows: ctrl-o prints all of it`, color: "red" }],
        ];
  const why =
    judgement.reason === null
      ? []
      : wrapLine(
          [
            { text: judgement.always.length === 0 ? "Asked every time: " : "Asked since ", color: "yellow" },
            span(judgement.reason),
          ],
          columns,
        );
  const foot: readonly Line[] =
    open.word === null
      ? choices.map(
          ({ key, label }, index): Line =>
            truncateLine(
              [
                index === open.selected ? { text: "› ", color: "cyan" } : { text: "  " },
                { text: `${key} `, bold: true },
                span(label, index === open.selected ? { color: "cyan" } : {}),
              ],
              columns,
            ),
        )
      : [];
  const ahead: readonly Line[] =
    state.editor.text === "" || open.word !== null
      ? []
      : [
          truncateLine(
            [
              { text: "  typed for later: ", dim: true },
              span(state.editor.text.replaceAll("\n", " ⏎ "), { dim: true }),
            ],
            columns,
          ),
        ];
  const head: readonly Line[] = [rule("May it?", columns), ...ahead, ...wanted, ...why];
  const room = Math.max(0, rows - head.length - foot.length - 2);
  const view = request.view?.kind === "diff" ? diffLines(request.view.lines, columns, room) : [];
  if (open.word === null) return { lines: [...head, ...view.slice(0, room), ...foot], cursor: null };
  const editor = editorView(open.word, {
    columns,
    rows: 3,
    prompt: { text: "instead: ", color: "cyan" },
    placeholder: "what should it do instead? (esc back)",
  });
  const above = [...head, ...view.slice(0, room)];
  return {
    lines: [...above, ...editor.lines],
    cursor: { x: editor.cursor.x, y: editor.cursor.y + above.length },
  };
}

/** Entries of a list that are shown at once. */
const completionRows = 8;

function completionLines({ items, selected }: Completion, columns: number): readonly Line[] {
  const label = Math.min(
    Math.max(...items.map((item) => width(item.label))),
    Math.max(12, Math.floor(columns * 0.45)),
  );
  const first = Math.max(
    0,
    Math.min(selected - Math.floor(completionRows / 2), items.length - completionRows),
  );
  const below = items.length - first - completionRows;
  const rows = items.slice(first, first + completionRows).map((item, at): Line => {
    const here = first + at === selected;
    const name = truncateLine([span(item.label, here ? { color: "cyan", bold: true } : {})], label);
    const fill = " ".repeat(Math.max(0, label - lineWidth(name)));
    const tag: readonly Span[] = item.tag === "" ? [] : [{ text: `${item.tag} `, color: "magenta" }];
    return truncateLine(
      [
        here ? { text: "› ", color: "cyan" } : { text: "  " },
        ...name,
        { text: `${fill}  ` },
        ...tag,
        span(item.description, { dim: true }),
      ],
      columns,
    );
  });
  return below > 0 ? [...rows, [{ text: `  ↓ ${below} more`, dim: true }]] : rows;
}

/** Model, how full the context is, which skills are in it. */
export function statusLine({ model, contextTokens, window, skills }: Status, columns: number): Line {
  const share = window === null || contextTokens === 0 ? null : Math.round((contextTokens / window) * 100);
  const used = window === null ? `${short(contextTokens)} tokens` : `${share ?? 0}% of ${short(window)}`;
  const named = skills.length === 0 ? "no skills" : `skills: ${skills.join(", ")}`;
  return truncateLine(
    [
      span(model, { dim: true }),
      { text: " · ", dim: true },
      {
        text: used,
        dim: share === null || share < 70,
        ...(share !== null && share >= 70 ? { color: "yellow" as const } : {}),
      },
      { text: " · ", dim: true },
      span(named, skills.length === 0 ? { dim: true } : { color: "magenta" }),
    ],
    columns,
  );
}

function short(tokens: number): string {
  return tokens >= 1_000_000
    ? `${tokens / 1_000_000}M`
    : tokens >= 1000
      ? `${Math.round(tokens / 1000)}k`
      : String(tokens);
}
