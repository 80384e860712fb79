import type { Editor } from "../input/editor.ts";
import { graphemes, type Line, type Span, safe, width } from "../text/span.ts";

export interface EditorView {
  readonly lines: readonly Line[];
  /** Where the cursor stands, from the top left of the lines. */
  readonly cursor: { readonly x: number; readonly y: number };
}

/** The text being typed, broken at the width, with the part around the cursor when it is higher than `rows`. */
export function editorView(
  { text, cursor }: Pick<Editor, "text" | "cursor">,
  options: {
    readonly columns: number;
    readonly rows: number;
    readonly prompt: Span;
    readonly placeholder: string;
  },
): EditorView {
  const { prompt, columns } = options;
  const indent = width(prompt.text);
  const room = Math.max(4, columns - indent - 1);
  if (text === "")
    return {
      lines: [[prompt, { text: options.placeholder.slice(0, room), dim: true }]],
      cursor: { x: indent, y: 0 },
    };
  const rows: string[] = [""];
  let used = 0;
  let at = { x: 0, y: 0 };
  let offset = 0;
  for (const { segment } of graphemes(text)) {
    if (offset === cursor) at = { x: used, y: rows.length - 1 };
    if (segment === "\n" || segment === "\r\n") {
      rows.push("");
      used = 0;
    } else {
      const shown = safe(segment);
      const wide = width(shown);
      if (used + wide > room) {
        rows.push("");
        used = 0;
        if (offset === cursor) at = { x: 0, y: rows.length - 1 };
      }
      rows[rows.length - 1] += shown;
      used += wide;
    }
    offset += segment.length;
  }
  if (cursor >= offset) at = { x: used, y: rows.length - 1 };
  const first = Math.max(0, Math.min(at.y - Math.floor(options.rows / 2), rows.length - options.rows));
  const shown = rows.slice(first, first + options.rows);
  const lines = shown.map(
    (row, index): Line => [first + index === 0 ? prompt : { text: " ".repeat(indent) }, { text: row }],
  );
  return { lines, cursor: { x: at.x + indent, y: at.y - first } };
}
