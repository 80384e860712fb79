import { filteredRows } from "../chat/panels.ts";
import type { Panel } from "../chat/state.ts";
import { type Line, span, truncateLine, width } from "../text/span.ts";
import { wrapLine } from "../text/wrap-line.ts";

/** An open panel in at most `rows` rows. */
export function panelView(
  panel: Panel,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): readonly Line[] {
  const body = Math.max(3, rows - 3);
  if (panel.detail !== null) {
    const all = panel.detail.lines.flatMap((row) => wrapLine(row, columns, [{ text: "    " }]));
    const from = Math.min(panel.scroll, Math.max(0, all.length - body));
    return [
      rule(panel.detail.title, columns),
      ...all.slice(from, from + body),
      keysLine(
        all.length > body
          ? `↑↓ scroll (${from + 1}–${Math.min(all.length, from + body)} of ${all.length}) · esc back`
          : "esc back",
        columns,
      ),
    ];
  }
  const found = filteredRows(panel);
  const selected = Math.min(panel.selected, Math.max(0, found.length - 1));
  const label = Math.min(Math.max(8, ...found.map((row) => width(row.label))), Math.floor(columns / 2));
  const lines: { readonly line: Line; readonly row: number }[] = [];
  let group: string | null = null;
  for (const [index, row] of found.entries()) {
    if (row.group !== null && row.group !== group) {
      const count = found.filter((one) => one.group === row.group).length;
      lines.push({ line: [span(`${row.group} · ${count}`, { bold: true })], row: index });
      group = row.group;
    }
    const here = index === selected;
    const name = truncateLine([span(row.label, here ? { bold: true, color: "cyan" } : {})], label);
    const fill = " ".repeat(Math.max(0, label - name.reduce((sum, { text }) => sum + width(text), 0)));
    lines.push({
      row: index,
      line: truncateLine(
        [
          here ? { text: "› ", color: "cyan" } : { text: "  " },
          ...name,
          { text: `${fill}  ` },
          span(row.value, row.value.startsWith("●") ? { color: "green" } : { dim: true }),
          ...(row.description === "" ? [] : [span(`  ${row.description}`, { dim: true })]),
        ],
        columns,
      ),
    });
  }
  const at = Math.max(
    0,
    lines.findLastIndex(({ row, line }) => row === selected && line.length > 1),
  );
  const from = Math.max(0, Math.min(at - Math.floor(body / 2), lines.length - body));
  const title =
    panel.filter === "" ? panel.title : `${panel.title} · matching “${panel.filter}”: ${found.length}`;
  return [
    rule(title, columns),
    ...(found.length === 0
      ? [[{ text: "  No matches", dim: true }]]
      : lines.slice(from, from + body).map(({ line }) => line)),
    keysLine(panel.keys, columns),
  ];
}

export function rule(title: string, columns: number): Line {
  const head = truncateLine(
    [{ text: "── " }, span(title, { bold: true }), { text: " " }],
    Math.max(4, columns - 1),
  );
  const used = head.reduce((sum, { text }) => sum + width(text), 0);
  return [
    ...head.map((one) => (one.bold === true ? one : { ...one, dim: true })),
    { text: "─".repeat(Math.max(0, columns - used)), dim: true },
  ];
}

function keysLine(keys: string, columns: number): Line {
  return truncateLine([span(keys, { dim: true })], columns);
}
