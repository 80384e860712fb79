import { atomsOf, breakLines, type Line, type TextDefaults } from "./break-lines.ts";
import type { Page } from "./canvas.ts";
import { type Block, type Paragraph, type Picture, textOf } from "./document.ts";
import type { FontSet } from "./fonts.ts";
import { layoutTable } from "./layout-table.ts";
import { pictureInfo } from "./pictures.ts";
import type { Piece } from "./piece.ts";

export interface LayoutContext {
  readonly fonts: FontSet;
  /** Body size in points. */
  readonly size: number;
  readonly font: string;
  readonly bold?: boolean;
  readonly color?: string;
  /** Height of a page's text, which no picture exceeds. */
  readonly pageHeight: number;
  /** Pictures of kinds that cannot be drawn. */
  readonly leftOut: Set<string>;
  /** Page number and count, for fields of headers and footers. */
  readonly number?: { readonly page: number; readonly pages: number };
  readonly compact?: boolean;
}

const headingSizes = [1.9, 1.5, 1.25, 1.1, 1, 1];

/** Blocks as pieces of the given width. */
export function layoutBlocks(
  blocks: readonly Block[],
  width: number,
  context: LayoutContext,
): readonly Piece[] {
  let startsPage = false;
  return blocks.flatMap((block): readonly Piece[] => {
    if (block.kind === "page") {
      startsPage = true;
      return [];
    }
    let pieces = layoutBlock(block, width, context);
    const [first] = pieces;
    if (startsPage && first !== undefined) {
      pieces = [{ ...first, startsPage: true }, ...pieces.slice(1)];
      startsPage = false;
    }
    return pieces;
  });
}

function layoutBlock(
  block: Exclude<Block, { kind: "page" }>,
  width: number,
  context: LayoutContext,
): readonly Piece[] {
  switch (block.kind) {
    case "paragraph":
      return layoutParagraph(block, width, context);
    case "table":
      return layoutTable(block, width, context);
    case "code":
      return layoutCode(block.text, width, context);
    case "rule":
      return [
        {
          height: 1,
          before: context.size * 0.8,
          draw: (page, x, y) => page.line([x, y], [x + width, y], { color: "bbbbbb", width: 0.7 }),
        },
      ];
  }
}

/** Size at which a picture fits, or null when it cannot be drawn. */
function fitPicture(
  picture: Picture,
  width: number,
  context: LayoutContext,
): { width: number; height: number } | null {
  if (picture.bytes === null) return null;
  const { kind, width: pixelsWide, height: pixelsHigh } = pictureInfo(picture.bytes);
  if (kind !== "png" && kind !== "jpeg") {
    context.leftOut.add(picture.name);
    return null;
  }
  const wide = picture.width ?? pixelsWide * 0.75;
  const high =
    picture.height ??
    (picture.width === null ? pixelsHigh * 0.75 : (picture.width * pixelsHigh) / pixelsWide);
  const scale = Math.min(1, width / wide, (context.pageHeight * 0.9) / high);
  return { width: wide * scale, height: high * scale };
}

function layoutParagraph(paragraph: Paragraph, width: number, context: LayoutContext): readonly Piece[] {
  const { heading, list } = paragraph;
  const factor = heading === undefined ? 1 : (headingSizes[heading - 1] ?? 1);
  const size = context.size * factor;
  const left = paragraph.left ?? (list ? 18 * (list.level + 1) : paragraph.quote ? 14 : 0);
  const inner = Math.max(20, width - left - (paragraph.right ?? 0));
  const bold = heading !== undefined || context.bold === true;
  const color = paragraph.quote ? "555555" : context.color;
  const defaults: TextDefaults = {
    fonts: context.fonts,
    size,
    font: context.font,
    ...(bold ? { bold } : {}),
    ...(color ? { color } : {}),
    ...(context.number ? { number: context.number } : {}),
    fit: (picture) => fitPicture(picture, inner, context),
  };
  const lines = breakLines(atomsOf(paragraph.inlines, defaults), {
    width: inner,
    firstLine: list ? 0 : (paragraph.firstLine ?? 0),
    align: paragraph.align ?? "left",
    lineHeight: paragraph.lineHeight ?? 1,
    ...(paragraph.lineExact === undefined ? {} : { lineExact: paragraph.lineExact }),
    size,
  });
  const label = list ? labelOf(list.label, defaults) : null;
  const tight = context.compact || list !== undefined;
  const before =
    paragraph.before ?? (heading ? size * (context.compact ? 0.2 : 0.7) : tight ? 2 : context.size * 0.5);
  const after = paragraph.after ?? 0;
  const title = heading === undefined ? "" : textOf(paragraph.inlines).replace(/\s+/g, " ").trim();
  return lines.map((line, at): Piece => {
    const last = at === lines.length - 1;
    const height = line.height + (last ? after : 0);
    return {
      height,
      ...(at === 0 ? { before } : {}),
      ...(at === 0 && paragraph.pageBreakBefore ? { startsPage: true } : {}),
      ...(heading !== undefined || paragraph.keepWithNext || (at === 0 && lines.length > 1)
        ? { keep: true }
        : {}),
      ...(at === 0 && title !== "" && heading !== undefined ? { mark: { title, level: heading } } : {}),
      draw: (page, x, y) => {
        if (paragraph.shade)
          page.box(x + left - 3, y, { width: inner + 6, height: line.height, fill: paragraph.shade });
        if (paragraph.quote) page.box(x + left - 10, y, { width: 2.5, height: line.height, fill: "cccccc" });
        if (at === 0 && label)
          drawLabel(page, label, { x: x + left - Math.max(14, label.width + 4), y: y + line.baseline, size });
        drawLine(page, line, { x: x + left, y, context });
      },
    };
  });
}

interface Label {
  readonly runs: ReturnType<FontSet["split"]>;
  readonly width: number;
}

function labelOf(label: string, defaults: TextDefaults): Label {
  const plain = ({ "◦": "–", "▪": "·" } as Record<string, string>)[label] ?? label;
  const boxes: Readonly<Record<string, string>> = { "☐": "[ ]", "☑": "[x]" };
  const shown = boxes[plain] && !defaults.fonts.has(plain) ? boxes[plain] : plain;
  const runs = defaults.fonts.split(shown, { bold: false, italic: false, family: "sans" });
  return { runs, width: (runs.reduce((sum, run) => sum + run.width, 0) * defaults.size) / 1000 };
}

function drawLabel(page: Page, label: Label, place: { x: number; y: number; size: number }): void {
  let { x } = place;
  for (const run of label.runs) {
    page.text(run, { x, y: place.y, size: place.size });
    x += (run.width * place.size) / 1000;
  }
}

/** Draws a line; decorations follow the text's own size. */
export function drawLine(
  page: Page,
  line: Line,
  place: { readonly x: number; readonly y: number; readonly context: LayoutContext },
): void {
  const baseline = place.y + line.baseline;
  for (const { atom, x: offset } of line.atoms) {
    const x = place.x + offset;
    if (atom.picture) {
      const { picture, width, height } = atom.picture;
      if (picture.bytes) page.picture(picture.bytes, { x, y: baseline - height, width, height });
      continue;
    }
    const { style, size } = atom;
    const color =
      style.color ?? (style.link ? "0b57d0" : style.change?.kind === "inserted" ? "b00020" : "000000");
    const shift = style.script === "super" ? -size * 0.5 : style.script === "sub" ? size * 0.2 : 0;
    if (style.highlight)
      page.box(x, baseline - size * 0.95, { width: atom.width, height: size * 1.25, fill: style.highlight });
    if (style.code && !style.highlight)
      page.box(x - 0.5, baseline - size * 0.9, { width: atom.width + 1, height: size * 1.2, fill: "f0f0f0" });
    let at = x;
    for (const run of atom.runs) {
      page.text(run, { x: at, y: baseline + shift, size, color });
      at += (run.width * size) / 1000;
    }
    const under = style.underline || style.link || style.change?.kind === "inserted";
    if (under)
      page.line([x, baseline + size * 0.12], [x + atom.width, baseline + size * 0.12], {
        color,
        width: size / 18,
      });
    if (style.strike)
      page.line([x, baseline - size * 0.3], [x + atom.width, baseline - size * 0.3], {
        color,
        width: size / 18,
      });
    if (style.link && !style.link.startsWith("#"))
      page.link({ x, y: baseline - size, width: atom.width, height: size * 1.25 }, style.link);
  }
}

function layoutCode(text: string, width: number, context: LayoutContext): readonly Piece[] {
  const size = context.size * 0.86;
  const defaults: TextDefaults = { fonts: context.fonts, size, font: "mono", fit: () => null };
  const source = text.replaceAll("\t", "    ").split("\n");
  const pieces = source.flatMap((line) => {
    const atoms = atomsOf([{ kind: "text", text: line, font: "mono" }], defaults);
    return breakLines(atoms, { width: width - 16, firstLine: 0, align: "left", lineHeight: 1.02, size });
  });
  return pieces.map((line, at): Piece => {
    const [top, bottom] = [at === 0 ? 5 : 0, at === pieces.length - 1 ? 5 : 0];
    return {
      height: line.height + top + bottom,
      ...(at === 0 ? { before: context.size * 0.6 } : {}),
      draw: (page, x, y) => {
        page.box(x, y, { width, height: line.height + top + bottom + (bottom ? 0 : 0.3), fill: "f4f4f4" });
        drawLine(page, line, { x: x + 8, y: y + top, context });
      },
    };
  });
}
