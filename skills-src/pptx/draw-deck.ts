import { atomsOf, breakLines, type TextDefaults } from "../common/break-lines.ts";
import { finishPages, type Mark, Page } from "../common/canvas.ts";
import type { Block, Inline } from "../common/document.ts";
import { FontSet } from "../common/fonts.ts";
import { drawLine, type LayoutContext, layoutBlocks } from "../common/layout-blocks.ts";
import { type DrawnPdf, fontWarnings } from "../common/layout-document.ts";
import type { OfficePackage } from "../common/office-package.ts";
import { pictureInfo } from "../common/pictures.ts";
import { drawStack, heightOf } from "../common/piece.ts";
import type { Box, Deck, Shape, Slide, SlideParagraph } from "./read-pptx.ts";

/** One page for each slide: backgrounds, shapes, text, tables and pictures at their places; charts as their numbers. */
export function drawDeck(
  deck: Deck,
  {
    pack,
    ...options
  }: {
    readonly pack: OfficePackage;
    readonly fontFiles?: readonly string[];
    readonly systemFonts?: boolean;
    readonly title: string;
  },
): DrawnPdf {
  const fonts = new FontSet({
    ...(options.fontFiles ? { files: options.fontFiles } : {}),
    ...(options.systemFonts === undefined ? {} : { system: options.systemFonts }),
  });
  const leftOut = new Set<string>();
  const marks: Mark[] = [];
  const pages = deck.slides.map((slide, at) => {
    const page = new Page(deck.width, deck.height);
    if (slide.background) page.box(0, 0, { width: deck.width, height: deck.height, fill: slide.background });
    const context: LayoutContext = {
      fonts,
      size: 18,
      font: "sans",
      pageHeight: deck.height,
      leftOut,
      compact: true,
    };
    for (const shape of [...slide.behind, ...slide.shapes]) drawShape(page, shape, { context, pack, slide });
    if (slide.title) marks.push({ title: slide.title, level: 1, page: at, y: 0 });
    return page;
  });
  const bytes = finishPages(pages, { title: options.title, author: "", fonts, marks });
  const warnings = [
    ...fontWarnings(fonts),
    ...(leftOut.size > 0 ? [`not drawn: ${[...leftOut].slice(0, 20).join(", ")}`] : []),
  ];
  return { bytes, pages: pages.length, warnings };
}

interface Drawing {
  readonly context: LayoutContext;
  readonly pack: OfficePackage;
  readonly slide: Slide;
}

function drawShape(page: Page, shape: Shape, drawing: Drawing): void {
  const { box } = shape;
  if (box === null) return;
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
  const draw = (): void => {
    const outline = {
      width: box.width,
      height: box.height,
      ...(shape.fill ? { fill: shape.fill } : {}),
      ...(shape.line ? { stroke: shape.line, line: 1 } : {}),
    };
    if (shape.fill || shape.line) {
      if (box.width < 0.5 || box.height < 0.5)
        page.line([box.x, box.y], [box.x + box.width, box.y + box.height], {
          color: shape.line ?? shape.fill ?? "000000",
          width: 1,
        });
      else if (shape.round) page.ellipse(box.x, box.y, outline);
      else page.box(box.x, box.y, outline);
    }
    if (shape.kind === "picture") drawPicture(page, shape, { ...drawing, box });
    else if (shape.kind === "table") drawTable(page, shape, { ...drawing, box });
    else if (shape.kind === "chart") drawChart(page, shape, { ...drawing, box });
    else if (shape.kind === "other") drawing.context.leftOut.add(shape.name || "an object");
    else drawText(page, shape, { ...drawing, box });
  };
  if (shape.turn % 360 === 0) draw();
  else page.within({ turn: shape.turn, around: middle }, draw);
}

function drawPicture(
  page: Page,
  shape: Shape,
  { pack, box, context }: Drawing & { readonly box: Box },
): void {
  const bytes = shape.picture ? pack.bytes(shape.picture.part) : null;
  const kind = bytes ? pictureInfo(bytes).kind : "other";
  if (bytes !== null && (kind === "png" || kind === "jpeg")) page.picture(bytes, box);
  else {
    context.leftOut.add(shape.picture?.part ?? shape.name);
    page.box(box.x, box.y, { width: box.width, height: box.height, stroke: "bbbbbb" });
  }
}

function inlinesOf(
  paragraph: SlideParagraph,
  { scale, slide }: { readonly scale: number; readonly slide: Slide },
): Inline[] {
  return paragraph.runs.flatMap((run): Inline[] =>
    run.text === "\n"
      ? [{ kind: "break" }]
      : [
          {
            kind: "text",
            ...run,
            text: run.text.replace(/‹#›|<#>/g, String(slide.number)),
            size: (run.size ?? 18) * scale,
          },
        ],
  );
}

function drawText(page: Page, shape: Shape, { context, box, slide }: Drawing & { readonly box: Box }): void {
  if (shape.paragraphs.every(({ runs }) => runs.length === 0)) return;
  const width = Math.max(10, box.width - 14);
  const layout = (scale: number) =>
    shape.paragraphs.map((paragraph, at) => {
      const size = (paragraph.runs[0]?.size ?? 18) * scale;
      const indent = paragraph.level * 20 + (paragraph.bullet ? size * 1.1 : 0);
      const defaults: TextDefaults = { fonts: context.fonts, size, font: "sans", fit: () => null };
      const lines = breakLines(atomsOf(inlinesOf(paragraph, { scale, slide }), defaults), {
        width: Math.max(10, width - indent),
        firstLine: 0,
        align: paragraph.align,
        lineHeight: 0.94,
        size,
      });
      return { paragraph, size, indent, lines, before: at === 0 ? 0 : size * 0.25 };
    });
  let scale = shape.scale;
  let parts = layout(scale);
  const total = (): number =>
    parts.reduce(
      (sum, part) => sum + part.before + part.lines.reduce((all, line) => all + line.height, 0),
      0,
    );
  // Text that would leave its box shrinks, as a presentation program does.
  while (total() > box.height - 4 && scale > 0.4 && shape.placeholder !== null) {
    scale *= 0.92;
    parts = layout(scale);
  }
  const spare = box.height - 7 - total();
  let y = box.y + 3.6 + (shape.anchor === "middle" ? spare / 2 : shape.anchor === "bottom" ? spare : 0);
  if (shape.anchor !== "top") y = Math.max(y, box.y - 2);
  for (const { paragraph, size, indent, lines, before } of parts) {
    y += before;
    lines.forEach((line, at) => {
      const x = box.x + 7 + indent;
      if (at === 0 && paragraph.bullet && paragraph.runs.some(({ text }) => text.trim() !== "")) {
        const color = paragraph.runs[0]?.color;
        const [run] = context.fonts.split(paragraph.bullet, { bold: false, italic: false, family: "sans" });
        if (run)
          page.text(run, { x: x - size * 1.1, y: y + line.baseline, size, ...(color ? { color } : {}) });
      }
      drawLine(page, line, { x, y, context });
      y += line.height;
    });
  }
}

function drawTable(page: Page, shape: Shape, { context, box, slide }: Drawing & { readonly box: Box }): void {
  const rows = shape.rows ?? [];
  if (rows.length === 0) return;
  const block = (scale: number): Block => ({
    kind: "table",
    borders: true,
    widths: shape.widths ?? [],
    rows: rows.map((row) => ({
      header: false,
      cells: row.map((cell) => ({
        blocks: cell.paragraphs.map((paragraph) => ({
          kind: "paragraph" as const,
          inlines: inlinesOf(paragraph, { scale, slide }),
          align: paragraph.align,
        })),
        columns: cell.columns,
        rows: cell.rows,
        ...(cell.fill ? { shade: cell.fill } : {}),
      })),
    })),
  });
  let scale = 1;
  let pieces = layoutBlocks([block(scale)], box.width, context);
  while (heightOf(pieces) > page.height - box.y - 6 && scale > 0.4) {
    scale *= 0.9;
    pieces = layoutBlocks([block(scale)], box.width, context);
  }
  drawStack(pieces, page, { x: box.x, y: box.y });
}

const chartColors = ["4472c4", "ed7d31", "a5a5a5", "ffc000", "5b9bd5", "70ad47"];

/** Series as upright bars with labels: the numbers show, the chart's own look does not. */
function drawChart(page: Page, shape: Shape, { context, box }: Drawing & { readonly box: Box }): void {
  const { chart } = shape;
  if (chart === undefined) return;
  const values = chart.series.flatMap((one) =>
    one.values.filter((value): value is number => value !== null && Number.isFinite(value)),
  );
  const [top, bottom] = [Math.max(0, ...values), Math.min(0, ...values)];
  const range = top - bottom || 1;
  const label = (
    text: string,
    place: { readonly x: number; readonly y: number; readonly size: number },
  ): void => {
    let { x } = place;
    for (const run of context.fonts.split(text, { bold: false, italic: false, family: "sans" })) {
      page.text(run, { x, y: place.y, size: place.size, color: "444444" });
      x += (run.width * place.size) / 1000;
    }
  };
  if (chart.title) label(chart.title, { x: box.x + 6, y: box.y + 14, size: 12 });
  chart.series.slice(0, 12).forEach((series, at) => {
    const x = box.x + 6 + at * 110;
    page.box(x, box.y + 22, { width: 8, height: 8, fill: chartColors[at % 6] ?? "888888" });
    label(series.name.slice(0, 18), { x: x + 11, y: box.y + 30, size: 11 });
  });
  const area = { x: box.x + 8, y: box.y + 46, width: box.width - 16, height: Math.max(20, box.height - 66) };
  const zero = area.y + (top / range) * area.height;
  const groups = Math.max(1, ...chart.series.map((one) => one.values.length));
  const step = area.width / groups;
  const bar = Math.max(1, (step * 0.7) / Math.max(1, chart.series.length));
  chart.series.forEach((series, at) => {
    series.values.slice(0, 400).forEach((value, group) => {
      if (value === null || !Number.isFinite(value)) return;
      const height = (Math.abs(value) / range) * area.height;
      const x = area.x + group * step + step * 0.15 + at * bar;
      page.box(x, value >= 0 ? zero - height : zero, {
        width: bar * 0.92,
        height,
        fill: chartColors[at % 6] ?? "888888",
      });
      if (groups * chart.series.length <= 40)
        label(String(Math.round(value * 100) / 100), {
          x,
          y: (value >= 0 ? zero - height : zero + height) - 2,
          size: 7,
        });
    });
  });
  page.line([area.x, zero], [area.x + area.width, zero], { color: "888888" });
  chart.labels.slice(0, 60).forEach((text, at) => {
    label(text.slice(0, 14), { x: area.x + at * step + step * 0.15, y: box.y + box.height - 6, size: 11 });
  });
}
