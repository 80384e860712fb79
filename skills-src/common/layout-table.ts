import type { Table, TableCell } from "./document.ts";
import { textOf } from "./document.ts";
import { type LayoutContext, layoutBlocks } from "./layout-blocks.ts";
import { drawStack, heightOf, type Piece } from "./piece.ts";

const padding = 4;
const mostColumns = 200;

interface LaidCell {
  readonly cell: TableCell;
  readonly column: number;
  readonly row: number;
  readonly x: number;
  readonly width: number;
  readonly pieces: readonly Piece[];
}

/** A table as one piece a row; rows that merged cells join stay together. */
export function layoutTable(table: Table, width: number, context: LayoutContext): readonly Piece[] {
  const places = placeCells(table);
  const columns = Math.min(
    mostColumns,
    Math.max(1, ...places.map(({ column, cell }) => column + cell.columns)),
  );
  const shown = places.filter(({ column }) => column < columns);
  const widths = columnWidths(table, { places: shown, columns, width, context });
  const starts = widths.map((_, at) => widths.slice(0, at).reduce((sum, one) => sum + one, 0));
  const inner: LayoutContext = { ...context, compact: true };
  const cells = shown.map(({ cell, column, row }): LaidCell => {
    const span = widths.slice(column, column + cell.columns).reduce((sum, one) => sum + one, 0);
    return {
      cell,
      column,
      row,
      x: starts[column] ?? 0,
      width: span,
      pieces: layoutBlocks(cell.blocks, Math.max(8, span - 2 * padding), inner),
    };
  });
  const header = headerPiece(table, cells, context);
  const groups = groupRows(table.rows.length, cells);
  return groups.map(([from, to]): Piece => {
    const piece = groupPiece(
      cells.filter(({ row }) => row >= from && row < to),
      { from, to, borders: table.borders },
    );
    const isHeader = table.rows[from]?.header === true;
    return {
      ...piece,
      ...(from === 0 ? { before: context.size * 0.6 } : {}),
      ...(isHeader ? { keep: true } : header ? { repeat: header } : {}),
    };
  });
}

interface CellPlace {
  readonly cell: TableCell;
  readonly column: number;
  readonly row: number;
}

function placeCells(table: Table): readonly CellPlace[] {
  const taken = new Set<string>();
  const places: CellPlace[] = [];
  table.rows.forEach(({ cells }, row) => {
    let column = 0;
    for (const cell of cells) {
      while (taken.has(`${row}:${column}`)) column += 1;
      const rows = Math.min(cell.rows, table.rows.length - row);
      const columns = Math.min(cell.columns, mostColumns);
      places.push({ cell: { ...cell, rows, columns }, column, row });
      for (let down = 1; down < rows; down += 1)
        for (let right = 0; right < columns; right += 1) taken.add(`${row + down}:${column + right}`);
      column += columns;
    }
  });
  return places;
}

interface Sizing {
  readonly places: readonly CellPlace[];
  readonly columns: number;
  readonly width: number;
  readonly context: LayoutContext;
}

/** Given shares, else by content: no column below its longest word where that is possible. */
function columnWidths(table: Table, { places, columns, width, context }: Sizing): readonly number[] {
  const given = table.widths.slice(0, columns);
  const total = given.reduce((sum, one) => sum + one, 0);
  if (given.length === columns && total > 0) return given.map((share) => (share / total) * width);
  const [least, wanted] = [new Array<number>(columns).fill(12), new Array<number>(columns).fill(12)];
  const style = { bold: false, italic: false, family: "sans" } as const;
  for (const { cell, column } of places.slice(0, 3000)) {
    if (cell.columns !== 1) continue;
    const text = cell.blocks
      .map((block) => (block.kind === "paragraph" ? textOf(block.inlines) : ""))
      .join("\n");
    const measure = (part: string): number =>
      (context.fonts.width(part, style) * context.size) / 1000 + 2 * padding + 2;
    const lines = text.slice(0, 400).split("\n").map(measure);
    const words = text
      .slice(0, 400)
      .split(/[\s\u2E80-\uFFEF]+/)
      .map((word) => measure(word.slice(0, 24)));
    wanted[column] = Math.max(wanted[column] ?? 0, ...lines);
    least[column] = Math.max(least[column] ?? 0, ...words);
  }
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
  if (sum(wanted) <= width) return wanted.map((one) => one + ((width - sum(wanted)) * one) / sum(wanted));
  if (sum(least) >= width) return least.map((one) => (one / sum(least)) * width);
  const spare = width - sum(least);
  const wish = wanted.map((one, at) => Math.max(0, one - (least[at] ?? 0)));
  return least.map((one, at) => one + (spare * (wish[at] ?? 0)) / Math.max(1, sum(wish)));
}

/** Stretches of rows that no merged cell reaches over. */
function groupRows(count: number, cells: readonly LaidCell[]): readonly (readonly [number, number])[] {
  const groups: [number, number][] = [];
  let from = 0;
  let end = 0;
  const reach = new Map<number, number>();
  for (const { cell, row } of cells) reach.set(row, Math.max(reach.get(row) ?? 0, row + cell.rows));
  for (let row = 0; row < count; row += 1) {
    end = Math.max(end, reach.get(row) ?? row + 1, row + 1);
    if (row + 1 < end) continue;
    groups.push([from, row + 1]);
    from = row + 1;
  }
  return groups;
}

function headerPiece(table: Table, cells: readonly LaidCell[], context: LayoutContext): Piece | null {
  if (table.rows[0]?.header !== true) return null;
  const first = cells.filter(({ row }) => row === 0);
  if (first.some(({ cell }) => cell.rows > 1)) return null;
  const piece = groupPiece(first, { from: 0, to: 1, borders: table.borders });
  return piece.height < context.pageHeight / 3 ? piece : null;
}

interface Group {
  readonly from: number;
  readonly to: number;
  readonly borders: boolean;
}

function groupPiece(cells: readonly LaidCell[], group: Group): Piece {
  const heights = rowHeights(cells, group);
  const tops = heights.map((_, at) => heights.slice(0, at).reduce((sum, one) => sum + one, 0));
  const height = heights.reduce((sum, one) => sum + one, 0);
  return {
    height,
    draw: (page, x, y) => {
      for (const one of cells) {
        const at = one.row - group.from;
        const top = y + (tops[at] ?? 0);
        const high = heights.slice(at, at + one.cell.rows).reduce((sum, part) => sum + part, 0);
        const box = { width: one.width, height: high, ...(one.cell.shade ? { fill: one.cell.shade } : {}) };
        if (one.cell.shade || group.borders)
          page.box(x + one.x, top, group.borders ? { ...box, stroke: "b0b0b0", line: 0.5 } : box);
        const spare = high - heightOf(one.pieces) - 2 * padding;
        const shift = one.cell.vertical === "middle" ? spare / 2 : one.cell.vertical === "bottom" ? spare : 0;
        drawStack(one.pieces, page, { x: x + one.x + padding, y: top + padding + Math.max(0, shift) });
      }
    },
    ...(cells.every(({ cell }) => cell.rows === 1) && group.to - group.from === 1
      ? { split: (available: number) => splitRow(cells, group, available) }
      : {}),
  };
}

function rowHeights(cells: readonly LaidCell[], { from, to }: Group): readonly number[] {
  const heights = new Array<number>(to - from).fill(8);
  const needed = (one: LaidCell): number => heightOf(one.pieces) + 2 * padding;
  for (const one of cells)
    if (one.cell.rows === 1) heights[one.row - from] = Math.max(heights[one.row - from] ?? 0, needed(one));
  for (const one of cells) {
    if (one.cell.rows === 1) continue;
    const at = one.row - from;
    const now = heights.slice(at, at + one.cell.rows).reduce((sum, part) => sum + part, 0);
    const last = at + one.cell.rows - 1;
    if (needed(one) > now) heights[last] = (heights[last] ?? 0) + needed(one) - now;
  }
  return heights;
}

/** Cuts a row that is higher than a page between the lines of its cells. */
function splitRow(
  cells: readonly LaidCell[],
  group: Group,
  available: number,
): readonly [Piece, Piece] | null {
  const room = available - 2 * padding;
  const halves = cells.map((one) => {
    let used = 0;
    let count = 0;
    for (const piece of one.pieces) {
      const height = piece.height + (count > 0 ? (piece.before ?? 0) : 0);
      if (used + height > room) break;
      used += height;
      count += 1;
    }
    return [
      { ...one, pieces: one.pieces.slice(0, count) },
      { ...one, pieces: one.pieces.slice(count) },
    ] as const;
  });
  if (halves.every(([first]) => first.pieces.length === 0)) return null;
  return [
    groupPiece(
      halves.map(([first]) => first),
      group,
    ),
    groupPiece(
      halves.map(([, rest]) => rest),
      group,
    ),
  ];
}
