/** Part of a text by lines. */
export type TextPage =
  | {
      readonly kind: "page";
      readonly text: string;
      /** Counted from 1. */
      readonly first: number;
      readonly last: number;
      /** Of the whole text. */
      readonly lines: number;
    }
  | { readonly kind: "behind-end"; readonly first: number; readonly lines: number };

/** A page is never longer than this, but for a single long line that is cut with a mark. */
const pageLimits = { lines: 2_000, units: 60_000 } as const;

/** Whole lines from `first` on, as many as one answer takes. A line that is longer than a page is cut and says so. */
export function textPage(text: string, first: number): TextPage {
  const all = text.split("\n");
  // A last line feed ends the last line; it begins no new one.
  const lines = all.at(-1) === "" && all.length > 1 ? all.length - 1 : all.length;
  if (first > lines) return { kind: "behind-end", first, lines };
  const taken: string[] = [];
  let units = 0;
  for (let at = first - 1; at < lines && taken.length < pageLimits.lines; at += 1) {
    const line = all[at] ?? "";
    if (taken.length > 0 && units + line.length + 1 > pageLimits.units) break;
    taken.push(line.length > pageLimits.units ? cutLine(line) : line);
    units += line.length + 1;
  }
  const last = first - 1 + taken.length;
  const ends = last === lines && all.length > lines ? "\n" : "";
  return { kind: "page", text: taken.join("\n") + ends, first, last, lines };
}

function cutLine(line: string): string {
  const end = /[\ud800-\udbff]/.test(line[pageLimits.units - 1] ?? "")
    ? pageLimits.units - 1
    : pageLimits.units;
  return `${line.slice(0, end)}… [this line has ${line.length} characters; ${line.length - end} are not shown]`;
}
