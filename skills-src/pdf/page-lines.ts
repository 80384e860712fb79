import type { PdfPage, PdfText } from "./read-pdf.ts";

/** A stretch of text between gaps. */
export interface Segment {
  readonly text: string;
  readonly x: number;
  readonly right: number;
  readonly bold: boolean;
}

export interface TextLine {
  readonly segments: readonly Segment[];
  readonly x: number;
  readonly right: number;
  readonly y: number;
  readonly size: number;
  readonly bold: boolean;
}

/** Lines of a page from top to bottom, in columns where the page has two. */
export function linesOf(page: PdfPage): readonly TextLine[] {
  const shown = page.texts.filter(({ text }) => text.trim() !== "");
  const split = columnGap(page, shown);
  if (split === null) return linesIn(shown);
  const { gap, top, bottom } = split;
  const inside = (one: PdfText): boolean => one.y > top && one.y < bottom;
  const left = shown.filter((one) => inside(one) && one.x < gap);
  const right = shown.filter((one) => inside(one) && one.x >= gap);
  return [
    ...linesIn(shown.filter((one) => one.y <= top)),
    ...linesIn(left),
    ...linesIn(right),
    ...linesIn(shown.filter((one) => one.y >= bottom)),
  ];
}

function linesIn(texts: readonly PdfText[]): readonly TextLine[] {
  const sorted = [...texts].sort((a, b) => a.y - b.y || a.x - b.x);
  const rows: { readonly texts: PdfText[]; largest: PdfText }[] = [];
  for (const one of sorted) {
    const last = rows.at(-1);
    if (last !== undefined && shares(last.largest, one)) {
      last.texts.push(one);
      if (one.size > last.largest.size) last.largest = one;
    } else rows.push({ texts: [one], largest: one });
  }
  return rows.map(({ texts: row, largest }) => lineOf(row, largest.y));
}

/** On one line: their heights overlap by more than half of the smaller one, so raised signs belong to their line. */
function shares(a: PdfText, b: PdfText): boolean {
  const overlap = Math.min(a.y, b.y) - Math.max(a.y - a.size * 0.8, b.y - b.size * 0.8);
  return overlap > Math.min(a.size, b.size) * 0.8 * 0.5;
}

function lineOf(row: readonly PdfText[], y: number): TextLine {
  const parts = [...row].sort((a, b) => a.x - b.x);
  const size = Math.max(...parts.map((one) => one.size));
  const segments: { text: string; x: number; right: number; bold: boolean }[] = [];
  for (const part of parts) {
    const last = segments.at(-1);
    const gap = last === undefined ? 0 : part.x - last.right;
    if (last === undefined || gap > Math.max(6, size * 0.85))
      segments.push({ text: part.text, x: part.x, right: part.x + part.width, bold: part.bold });
    else {
      const space =
        gap > size * 0.18 &&
        !/\s$/.test(last.text) &&
        !/^\s/.test(part.text) &&
        !(isWide(last.text.at(-1)) && isWide(part.text[0]));
      last.text += (space ? " " : "") + part.text;
      last.right = Math.max(last.right, part.x + part.width);
    }
  }
  const weight = parts.filter((one) => one.bold).reduce((sum, one) => sum + one.text.length, 0);
  const total = parts.reduce((sum, one) => sum + one.text.length, 0);
  return {
    segments: segments
      .map((one) => ({ ...one, text: one.text.replace(/\s+/g, " ").trim() }))
      .filter(({ text }) => text !== ""),
    x: parts[0]?.x ?? 0,
    right: Math.max(...parts.map((one) => one.x + one.width)),
    y,
    size,
    bold: weight > total / 2,
  };
}

export const isWide = (character: string | undefined): boolean =>
  character !== undefined && /[\u2E80-\u9FFF\uF900-\uFAFF\uFF00-\uFFEF]/.test(character);

/** An upright gap in the middle that long text on both sides keeps free. */
function columnGap(
  page: PdfPage,
  texts: readonly PdfText[],
): { readonly gap: number; readonly top: number; readonly bottom: number } | null {
  const middle = page.width / 2;
  const crossing = texts.filter((one) => one.x < middle - 4 && one.x + one.width > middle + 4);
  const sides = (from: number, to: number): readonly [PdfText[], PdfText[]] => {
    const inside = texts.filter((one) => one.y > from && one.y < to);
    return [
      inside.filter((one) => one.x + one.width <= middle + 4),
      inside.filter((one) => one.x >= middle - 4),
    ];
  };
  const stops = [0, ...crossing.map((one) => one.y), page.height].sort((a, b) => a - b);
  let best: { gap: number; top: number; bottom: number; height: number } | null = null;
  for (let at = 1; at < stops.length; at += 1) {
    const [top = 0, bottom = 0] = [stops[at - 1], stops[at]];
    const [left, right] = sides(top, bottom);
    const dense = (side: readonly PdfText[]): boolean => {
      const rows = new Set(side.map((one) => Math.round(one.y / 4))).size;
      const length = side.reduce((sum, one) => sum + one.text.length, 0);
      return rows >= 8 && length / rows > 22;
    };
    if (dense(left) && dense(right) && bottom - top > (best?.height ?? page.height * 0.25))
      best = { gap: middle - 4, top, bottom, height: bottom - top };
  }
  return best;
}

/** The page as text whose spaces and empty lines follow its layout. */
export function layoutText(page: PdfPage): string {
  const lines = linesIn(page.texts.filter(({ text }) => text.trim() !== ""));
  if (lines.length === 0) return "";
  const left = Math.min(...lines.map((line) => line.x));
  const sizes = lines.map((line) => line.size).sort((a, b) => a - b);
  const unit = Math.max(3, (sizes[Math.floor(sizes.length / 2)] ?? 10) * 0.5);
  let before = lines[0]?.y ?? 0;
  return lines
    .map((line) => {
      let text = "";
      let width = 0;
      for (const segment of line.segments) {
        const column = Math.min(300, Math.round((segment.x - left) / unit));
        const pad = Math.max(text === "" ? 0 : 2, column - width);
        text += " ".repeat(Math.max(0, pad)) + segment.text;
        width += Math.max(0, pad) + [...segment.text].reduce((sum, one) => sum + (isWide(one) ? 2 : 1), 0);
      }
      const empty = Math.min(3, Math.max(0, Math.round((line.y - before) / (line.size * 1.6)) - 1));
      before = line.y;
      return "\n".repeat(empty) + text;
    })
    .join("\n");
}
