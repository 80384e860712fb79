import type { Inline, Picture, TextStyle } from "./document.ts";
import type { FontSet, FontStyle, Run } from "./fonts.ts";

/** A piece that is never broken, with its place in the line once it has one. */
export interface Atom {
  readonly runs: readonly Run[];
  readonly picture: { readonly picture: Picture; readonly width: number; readonly height: number } | null;
  readonly style: TextStyle;
  readonly size: number;
  readonly width: number;
  /** A space that vanishes at a line's end. */
  readonly space: boolean;
}

export interface Line {
  readonly atoms: readonly { readonly atom: Atom; readonly x: number }[];
  readonly width: number;
  readonly height: number;
  readonly baseline: number;
}

export interface TextDefaults {
  readonly fonts: FontSet;
  readonly size: number;
  readonly font: string;
  readonly bold?: boolean;
  readonly color?: string;
  /** Size of a picture that must fit in. */
  readonly fit: (picture: Picture) => { readonly width: number; readonly height: number } | null;
  readonly number?: { readonly page: number; readonly pages: number };
}

const noLineStart =
  /^[、。，．：；！？）」』】〕〉》”’…—·％℃〞～!%),.:;?\]}ー々ぁぃぅぇぉっゃゅょァィゥェォッャュョ]/u;
const noLineEnd = /^[（「『【〔〈《“‘([{¥$￥]/u;
const wide = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFFEF]|[\u{1F000}-\u{3FFFF}]/u;

/** Text, pictures and breaks as atoms; null stands for a line break. */
export function atomsOf(inlines: readonly Inline[], defaults: TextDefaults): readonly (Atom | null)[] {
  const atoms: (Atom | null)[] = [];
  for (const inline of inlines) {
    if (inline.kind === "break") atoms.push(null);
    else if (inline.kind === "tab") pushText(atoms, "    ", {}, defaults);
    else if (inline.kind === "note") pushText(atoms, inline.label, { script: "super" }, defaults);
    else if (inline.kind === "field") {
      atoms.push(textAtom(String(defaults.number?.[inline.field] ?? ""), {}, defaults));
    } else if (inline.kind === "picture") {
      const size = defaults.fit(inline);
      if (size === null)
        pushText(atoms, `[${inline.alt || inline.name}]`, { italic: true, color: "808080" }, defaults);
      else
        atoms.push({
          runs: [],
          picture: { picture: inline, ...size },
          style: {},
          size: size.height,
          width: size.width,
          space: false,
        });
    } else pushText(atoms, inline.text, inline, defaults);
  }
  return atoms;
}

function pushText(atoms: (Atom | null)[], text: string, style: TextStyle, defaults: TextDefaults): void {
  if (style.change?.kind === "deleted") return;
  text.split("\n").forEach((line, index) => {
    if (index > 0) atoms.push(null);
    for (const word of splitWords(line.replaceAll("\t", "    "))) atoms.push(textAtom(word, style, defaults));
  });
}

/** Where a line may be broken: at spaces, around wide characters but for the rules on punctuation. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  let word = "";
  const flush = (): void => {
    if (word !== "") words.push(word);
    word = "";
  };
  for (const { segment } of new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)) {
    if (segment === " ") {
      flush();
      words.push(" ");
    } else if (noLineStart.test(segment) && word !== "") word += segment;
    else if (noLineStart.test(segment) && words.length > 0 && words.at(-1) !== " ")
      words.push(`${words.pop()}${segment}`);
    else if (wide.test(segment)) {
      if (!noLineEnd.test(word)) flush();
      word += segment;
      if (!noLineEnd.test(segment)) flush();
    } else if (noLineEnd.test(segment) && word !== "" && wide.test(word)) {
      flush();
      word = segment;
    } else {
      word += segment;
      if (segment === "-" && word.length > 2) flush();
    }
  }
  flush();
  return words;
}

function textAtom(text: string, style: TextStyle, defaults: TextDefaults): Atom {
  const base = style.size ?? defaults.size;
  const size = style.script ? base * 0.65 : style.code && style.size === undefined ? base * 0.92 : base;
  const runs = defaults.fonts.split(text, fontStyle(style, defaults));
  const width = (runs.reduce((sum, run) => sum + run.width, 0) * size) / 1000;
  return {
    runs,
    picture: null,
    style: { ...(defaults.color ? { color: defaults.color } : {}), ...style },
    size,
    width,
    space: text === " ",
  };
}

export function fontStyle(
  style: TextStyle,
  defaults: { readonly font: string; readonly bold?: boolean },
): FontStyle {
  const family = style.code ? "mono" : familyOf(style.font ?? defaults.font);
  return { bold: style.bold ?? defaults.bold ?? false, italic: style.italic ?? false, family };
}

/** Serif, sans or mono, by a font's name. */
export function familyOf(font: string): FontStyle["family"] {
  if (/courier|consol|mono|menlo|等宽|fixed/i.test(font)) return "mono";
  if (/sans|arial|helvet|calibri|黑体|yahei|雅黑|gothic/i.test(font)) return "sans";
  if (
    /serif|times|roman|georgia|cambria|garamond|palatino|book|simsun|宋|mincho|ming|明|fangsong|仿宋|kai|楷/i.test(
      font,
    )
  )
    return "serif";
  return "sans";
}

export interface Breaking {
  readonly width: number;
  readonly firstLine: number;
  readonly align: "left" | "center" | "right" | "justify";
  readonly lineHeight: number;
  readonly lineExact?: number;
  readonly size: number;
}

/** Atoms in lines of the width. An atom that is wider than a line is broken anywhere. */
export function breakLines(atoms: readonly (Atom | null)[], options: Breaking): readonly Line[] {
  const lines: Line[] = [];
  let current: Atom[] = [];
  let used = 0;
  const room = (): number => Math.max(8, options.width - (lines.length === 0 ? options.firstLine : 0));
  const flush = (last: boolean): void => {
    lines.push(
      placeLine(current, {
        ...options,
        width: room(),
        indent: lines.length === 0 ? options.firstLine : 0,
        last,
      }),
    );
    current = [];
    used = 0;
  };
  const queue = [...atoms].reverse();
  while (queue.length > 0) {
    const atom = queue.pop();
    if (atom === undefined) break;
    if (atom === null) {
      flush(true);
      continue;
    }
    if (used + atom.width <= room() + 0.01 || (atom.space && used > 0)) {
      if (atom.space && current.length === 0 && lines.length > 0) continue;
      current.push(atom);
      used += atom.width;
    } else if (atom.width > room() && atom.picture === null && countOf(atom) > 1) {
      const [head, tail] = cutAtom(atom, room() - used);
      if (head !== null) current.push(head);
      queue.push(tail);
      if (current.length > 0) flush(false);
    } else {
      if (current.length > 0) flush(false);
      else {
        current.push(atom);
        flush(false);
        continue;
      }
      queue.push(atom);
    }
  }
  if (current.length > 0 || lines.length === 0) flush(true);
  return lines;
}

const countOf = (atom: Atom): number => atom.runs.reduce((sum, run) => sum + [...run.text].length, 0);

/** The part of a long word that fits, and the rest. At least one character is taken when the line is empty. */
function cutAtom(atom: Atom, room: number): readonly [Atom | null, Atom] {
  const characters = atom.runs.flatMap((run) =>
    [...run.text].map((text) => ({ run, text, ...run.font.encode(text) })),
  );
  let width = 0;
  let count = 0;
  for (const { width: one } of characters) {
    if (width + (one * atom.size) / 1000 > room) break;
    width += (one * atom.size) / 1000;
    count += 1;
  }
  if (count === 0) {
    if (room > atom.size) count = 1;
    else return [null, atom];
  }
  if (count >= characters.length) count = characters.length - 1;
  const make = (part: typeof characters): Atom => ({
    ...atom,
    runs: part.map(({ run, text, codes, width: one }) => ({ ...run, text, codes, width: one })),
    width: part.reduce((sum, { width: one }) => sum + (one * atom.size) / 1000, 0),
  });
  return [make(characters.slice(0, count)), make(characters.slice(count))];
}

function placeLine(
  atoms: readonly Atom[],
  options: Breaking & { readonly indent: number; readonly last: boolean },
): Line {
  const shown = [...atoms];
  while (shown.at(-1)?.space) shown.pop();
  const width = shown.reduce((sum, atom) => sum + atom.width, 0);
  const left = options.width - width;
  const gaps = shown.slice(0, -1).filter((atom) => atom.space || wide.test(atom.runs[0]?.text ?? "")).length;
  const stretch =
    options.align === "justify" && !options.last && gaps > 0 && left < options.width * 0.3 ? left / gaps : 0;
  let x = options.indent + (options.align === "center" ? left / 2 : options.align === "right" ? left : 0);
  const placed = shown.map((atom, at) => {
    const here = x;
    x += atom.width;
    if (at < shown.length - 1 && (atom.space || wide.test(atom.runs[0]?.text ?? ""))) x += stretch;
    return { atom, x: here };
  });
  const size =
    shown.reduce(
      (most, atom) =>
        atom.picture ? most : Math.max(most, atom.style.script ? atom.size / 0.65 : atom.size),
      0,
    ) || options.size;
  const tallest = shown.reduce((most, atom) => Math.max(most, atom.picture?.height ?? 0), 0);
  const height =
    options.lineExact ?? Math.max(size * 1.28 * options.lineHeight, tallest + (tallest > 0 ? size * 0.3 : 0));
  const baseline = tallest > size ? height - size * 0.28 : (height - size * 1.28) / 2 + size;
  return { atoms: placed, width, height, baseline };
}
