import { Failure } from "../common/failure.ts";
import { escapeXml } from "../common/xml.ts";
import { type CellPlace, cellName, parseRange } from "./cells.ts";
import { shiftFormula } from "./read-workbook.ts";
import { cellsOf, rowNumbers, type SheetText, unescapeXml } from "./sheet-text.ts";

/**
 * Lets cells be set without loss to others: formulas that other cells share with one of them are written out there. A
 * part of an array formula alone cannot be set, as in Excel.
 */
export function freeFormulas(text: SheetText, places: readonly CellPlace[]): void {
  const { prefix } = text;
  const edited = new Set(places.map(cellName));
  const formula = new RegExp(`<${prefix}f\\b([^>]*?)(?:/>|>([\\s\\S]*?)</${prefix}f>)`);
  const value = (attributes: string, name: string): string =>
    new RegExp(`\\s${name}="([^"]*)"`).exec(attributes)?.[1] ?? "";
  const masters = new Map<
    string,
    { readonly text: string; readonly place: CellPlace; readonly goes: boolean }
  >();
  const numbers = rowNumbers(text.rows);
  text.rows = text.rows.map((row, at) => {
    if (!/\st="(?:shared|array|dataTable)"/.test(row)) return row;
    let made = row;
    for (const { column, xml } of cellsOf(row, prefix)) {
      const found = formula.exec(xml);
      if (found === null) continue;
      const [all, attributes = "", content = ""] = found;
      const place = { row: numbers[at] ?? 0, column };
      const kind = value(attributes, "t");
      if (kind === "array" || kind === "dataTable") checkArray(value(attributes, "ref"), places);
      if (kind !== "shared") continue;
      const group = value(attributes, "si");
      const master = masters.get(group);
      if (content !== "") masters.set(group, { text: content, place, goes: edited.has(cellName(place)) });
      else if (master?.goes && !edited.has(cellName(place))) {
        const by = { rows: place.row - master.place.row, columns: place.column - master.place.column };
        const own = escapeXml(shiftFormula(unescapeXml(master.text), by));
        made = made.replace(xml, () => xml.replace(all, () => `<${prefix}f>${own}</${prefix}f>`));
      }
    }
    return made;
  });
}

function checkArray(reference: string, places: readonly CellPlace[]): void {
  const range = reference === "" ? null : parseRange(reference);
  if (range === null) return;
  const { from, to } = range;
  const inside = new Set(
    places
      .filter(
        ({ row, column }) => row >= from.row && row <= to.row && column >= from.column && column <= to.column,
      )
      .map(cellName),
  );
  if (inside.size === 0 || inside.size === (to.row - from.row + 1) * (to.column - from.column + 1)) return;
  throw new Failure(`${[...inside][0]} is part of the array formula in ${reference}`, {
    hint: "set all of its cells at once",
  });
}
