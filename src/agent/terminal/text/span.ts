import measure from "fast-string-truncated-width";
import { createColors } from "picocolors";
import { printable } from "../../../core/text/printable.ts";

export type Color = "red" | "green" | "yellow" | "cyan" | "magenta" | "blue" | "gray";

/** A run of text with one look. */
export interface Span {
  readonly text: string;
  readonly color?: Color;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
}

/** One row of the screen. */
export type Line = readonly Span[];

export const blank: Line = [];

/** A row of one look; foreign text is made safe. */
export function line(text: string, look: Omit<Span, "text"> = {}): Line {
  return [{ text: safe(text), ...look }];
}

/** A run of text; foreign text is made safe. */
export function span(text: string, look: Omit<Span, "text"> = {}): Span {
  return { text: safe(text), ...look };
}

/** Foreign text without anything that could move, colour or fool a terminal; tabs become blanks. */
export function safe(text: string): string {
  return printable(text.replaceAll("\t", "    "));
}

const plain = /^[ -~]*$/;

/** Columns that a text takes. */
export function width(text: string): number {
  return plain.test(text) ? text.length : measure(text).width;
}

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + width(text), 0);
}

/** The longest beginning of a text that fits, never half a pair; "" where not even one character does. */
export function beginning(text: string, columns: number): string {
  if (columns <= 0) return "";
  if (plain.test(text)) return text.slice(0, columns);
  let used = 0;
  let end = 0;
  for (const { segment } of graphemes(text)) {
    const more = width(segment);
    if (used + more > columns) break;
    used += more;
    end += segment.length;
  }
  return text.slice(0, end);
}

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What a person takes for one character each. */
export function graphemes(text: string): Iterable<{ readonly segment: string; readonly index: number }> {
  return segmenter.segment(text);
}

/** Cuts a row to so many columns, with `…` at its end when something was cut. */
export function truncateLine(spans: Line, columns: number): Line {
  if (lineWidth(spans) <= columns) return spans;
  const kept: Span[] = [];
  let left = columns - 1;
  for (const one of spans) {
    const text = beginning(one.text, left);
    left -= width(text);
    if (text !== "") kept.push({ ...one, text });
    if (text.length < one.text.length) break;
  }
  return [...kept, { text: "…", dim: true }];
}

/** Turns rows into text for a terminal. */
export type Painter = (spans: Line) => string;

/** `colored` false: the text alone. */
export function painter(colored: boolean): Painter {
  const colors = createColors(colored);
  return (spans) =>
    spans
      .map(({ text, color, bold, dim, italic, underline }) => {
        let shown = text;
        if (color !== undefined) shown = colors[color](shown);
        if (bold === true) shown = colors.bold(shown);
        if (dim === true) shown = colors.dim(shown);
        if (italic === true) shown = colors.italic(shown);
        if (underline === true) shown = colors.underline(shown);
        return shown;
      })
      .join("");
}
