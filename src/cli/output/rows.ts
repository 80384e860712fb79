import type { Painter } from "./paint.ts";
import { padEnd, textWidth, truncate } from "./text-width.ts";

/** A safe, unpainted text and how to colour it once it is laid out. */
export interface Cell {
  readonly text: string;
  readonly paint?: (text: string) => string;
}

export interface RowOptions {
  /** Blanks before every row; default 2. */
  readonly indent?: number;
  /** Least columns worth giving to the last cell; below that it is left out. Default 14. */
  readonly least?: number;
  /** False: the first column is never cut (a command to be copied), the terminal may break the line. Default true. */
  readonly shrink?: boolean;
}

/**
 * Lays cells out in aligned columns, one row a line, never wider than the terminal: the last column is cut to what is
 * left, and left out where almost nothing is left.
 */
export function rows(
  table: readonly (readonly Cell[])[],
  paint: Painter,
  options: RowOptions = {},
): readonly string[] {
  const indent = options.indent ?? 2;
  const least = options.least ?? 14;
  const widths = columnWidths(table, paint.width - indent, { least, shrink: options.shrink !== false });
  return table.map((row) => {
    let line = " ".repeat(indent);
    let left = paint.width - indent;
    for (const [column, cell] of row.entries()) {
      const last = column === row.length - 1;
      if (last && column > 0 && left < least && textWidth(cell.text) > left) break;
      const whole = options.shrink === false && column === 0;
      const room = last ? left : Math.min(widths[column] ?? left, left);
      const text = whole ? cell.text : truncate(cell.text, room, paint.symbols.ellipsis);
      const color = cell.paint ?? ((value: string) => value);
      line += color(text);
      const width = last ? textWidth(text) : (widths[column] ?? 0);
      if (!last) line += `${padEnd(text, width).slice(text.length)}  `;
      left -= width + 2;
      if (left <= 0) break;
    }
    return line.replace(/ +$/, "");
  });
}

/** Natural widths of all columns but the last; cut to six tenths where that leaves room for the last one. */
function columnWidths(
  table: readonly (readonly Cell[])[],
  width: number,
  { least, shrink }: { readonly least: number; readonly shrink: boolean },
): readonly number[] {
  const columns = Math.max(0, ...table.map((row) => row.length)) - 1;
  const natural = [...Array(Math.max(0, columns)).keys()].map((column) =>
    Math.max(0, ...table.map((row) => breadth(row[column]))),
  );
  const capped = natural.map((one) => Math.min(one, Math.floor(width * 0.6)));
  const left = capped.reduce((rest, one) => rest - one - 2, width);
  return shrink && left >= least ? capped : natural;
}

function breadth(cell: Cell | undefined): number {
  return cell === undefined ? 0 : textWidth(cell.text);
}
