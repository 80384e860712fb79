import pptxgen from "pptxgenjs";
import type { Block, Inline, Paragraph, TextDocument } from "../common/document.ts";
import { textOf } from "../common/document.ts";
import { pictureInfo } from "../common/pictures.ts";

export interface ChartData {
  readonly type: "bar" | "line" | "pie" | "area" | "doughnut";
  readonly labels: readonly string[];
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[];
}

export interface NewSlide {
  readonly title: string;
  readonly cover: boolean;
  readonly blocks: readonly Block[];
  readonly notes: string;
  readonly chart?: ChartData;
}

export interface DeckLook {
  readonly wide: boolean;
  readonly font: string;
  /** RRGGBB. */
  readonly accent: string;
  readonly dark: boolean;
}

/** Slides of a Markdown document: `#` makes a cover, `##` a slide, a rule or page break one without a title. */
export function slidesOf(document: TextDocument, notes: readonly string[]): readonly NewSlide[] {
  const slides: { title: string; cover: boolean; blocks: Block[]; notes: string }[] = [];
  const begin = (title: string, cover: boolean): void => {
    slides.push({ title, cover, blocks: [], notes: "" });
  };
  for (const block of document.sections.flatMap(({ blocks }) => blocks)) {
    if (block.kind === "paragraph" && (block.heading === 1 || block.heading === 2))
      begin(textOf(block.inlines), block.heading === 1);
    else if (block.kind === "rule" || block.kind === "page") begin("", false);
    else {
      if (slides.length === 0) begin(document.title, false);
      const note =
        block.kind === "paragraph" ? /^\uE000(\d+)\uE000$/.exec(textOf(block.inlines).trim()) : null;
      const slide = slides.at(-1);
      if (slide === undefined) continue;
      if (note) slide.notes = [slide.notes, notes[Number(note[1])] ?? ""].filter(Boolean).join("\n");
      else slide.blocks.push(block);
    }
  }
  return slides.filter(({ title, blocks }) => title !== "" || blocks.length > 0);
}

/** Takes `<!-- notes: … -->` out of Markdown and leaves a mark in its place. */
export function takeNotes(text: string): { readonly text: string; readonly notes: readonly string[] } {
  const notes: string[] = [];
  const rest = text.replace(
    /<!--\s*notes?\s*:\s*([\s\S]*?)-->/gi,
    (_, note: string) => `\n\n\uE000${notes.push(note.trim()) - 1}\uE000\n\n`,
  );
  return { text: rest, notes };
}

type TextProps = pptxgen.default.TextProps;

/** A presentation; slides whose text has no room go on on another one. */
export async function writePptx(
  slides: readonly NewSlide[],
  { look, title, author }: { readonly look: DeckLook; readonly title: string; readonly author: string },
): Promise<{ readonly bytes: Buffer; readonly warnings: readonly string[] }> {
  // Bundled, the import is the class itself; its types say otherwise.
  const Deck =
    (pptxgen as { readonly default?: typeof pptxgen.default }).default ??
    (pptxgen as unknown as typeof pptxgen.default);
  const deck = new Deck();
  const [width, height] = look.wide ? [13.333, 7.5] : [10, 7.5];
  deck.defineLayout({ name: "PAGE", width, height });
  deck.layout = "PAGE";
  deck.title = title;
  deck.author = author || "Skillet";
  deck.company = "";
  deck.theme = { headFontFace: look.font, bodyFontFace: look.font };
  const warnings: string[] = [];
  const painter = new Painter(deck, { look, width, height, warnings });
  for (const slide of slides) painter.slide(slide);
  const bytes = (await deck.write({ outputType: "nodebuffer", compression: true })) as Buffer;
  return { bytes, warnings };
}

interface PainterOptions {
  readonly look: DeckLook;
  readonly width: number;
  readonly height: number;
  readonly warnings: string[];
}

class Painter {
  readonly #deck: pptxgen.default;
  readonly #options: PainterOptions;
  readonly #text: string;
  readonly #back: string;

  constructor(deck: pptxgen.default, options: PainterOptions) {
    this.#deck = deck;
    this.#options = options;
    this.#text = options.look.dark ? "F2F2F2" : "262626";
    this.#back = options.look.dark ? "1F2430" : "FFFFFF";
    const { width, height, look } = options;
    deck.defineSlideMaster({
      title: "COVER",
      background: { color: look.accent },
      objects: [
        {
          placeholder: {
            options: {
              name: "title",
              type: "title",
              x: 0.8,
              y: height * 0.32,
              w: width - 1.6,
              h: 1.6,
              fontSize: 40,
              bold: true,
              color: "FFFFFF",
              align: "left",
              valign: "bottom",
              fontFace: look.font,
            },
            text: "",
          },
        },
        {
          placeholder: {
            options: {
              name: "body",
              type: "body",
              x: 0.8,
              y: height * 0.32 + 1.7,
              w: width - 1.6,
              h: 1.4,
              fontSize: 20,
              color: "FFFFFF",
              align: "left",
              valign: "top",
              fontFace: look.font,
            },
            text: "",
          },
        },
      ],
    });
    deck.defineSlideMaster({
      title: "CONTENT",
      background: { color: this.#back },
      objects: [
        { rect: { x: 0.6, y: 1.22, w: 0.9, h: 0.05, fill: { color: look.accent } } },
        {
          placeholder: {
            options: {
              name: "title",
              type: "title",
              x: 0.6,
              y: 0.35,
              w: width - 1.2,
              h: 0.85,
              fontSize: 28,
              bold: true,
              color: look.dark ? "FFFFFF" : look.accent,
              align: "left",
              valign: "middle",
              fontFace: look.font,
            },
            text: "",
          },
        },
      ],
      slideNumber: {
        x: width - 0.9,
        y: height - 0.45,
        w: 0.6,
        h: 0.3,
        fontSize: 10,
        color: "8C8C8C",
        align: "right",
      },
    });
  }

  slide(source: NewSlide): void {
    if (source.cover) {
      const slide = this.#deck.addSlide({ masterName: "COVER" });
      slide.addText(source.title, { placeholder: "title" });
      const text = source.blocks.flatMap((block) =>
        block.kind === "paragraph" ? this.#paragraph(block, 20, "FFFFFF") : [],
      );
      if (text.length > 0) slide.addText(text, { placeholder: "body" });
      const rest = source.blocks.filter(({ kind }) => kind !== "paragraph");
      if (source.notes) slide.addNotes(source.notes);
      if (rest.length > 0) this.#content({ ...source, cover: false, blocks: rest, notes: "" });
    } else this.#content(source);
  }

  #content(source: NewSlide): void {
    const { width, height } = this.#options;
    const area = { x: 0.6, y: 1.5, w: width - 1.2, h: height - 2.1 };
    let slide = this.#begin(source.title, source.notes);
    let y = area.y;
    let part = 1;
    const next = (): void => {
      part += 1;
      slide = this.#begin(`${source.title} (${part})`, "");
      y = area.y;
    };
    const bottom = area.y + area.h;
    for (const group of groupsOf(source.blocks)) {
      if (group.kind === "text") {
        let left = group.paragraphs;
        while (left.length > 0) {
          const room = bottom - y;
          const size = this.#sizeFor(left, {
            width: area.w,
            room,
            alone: groupsOf(source.blocks).length === 1 && !source.chart,
          });
          const fitting = this.#countFitting(left, { width: area.w, room, size });
          if (fitting === 0 && y > area.y) {
            next();
            continue;
          }
          const taken = left.slice(0, Math.max(1, fitting));
          const used = this.#heightOf(taken, { width: area.w, size });
          slide.addText(
            taken.flatMap((one) => this.#paragraph(one, size, this.#text)),
            {
              x: area.x,
              y,
              w: area.w,
              h: Math.min(room, used + 0.15),
              valign: "top",
              fontFace: this.#options.look.font,
              fit: "shrink",
              margin: 3,
            },
          );
          y += used + 0.2;
          left = left.slice(taken.length);
          if (left.length > 0) next();
        }
      } else if (group.kind === "table") {
        let rows = group.table.rows;
        const header = rows[0]?.header ? rows[0] : null;
        while (rows.length > 0) {
          const most = Math.max(2, Math.floor((bottom - y) / 0.42));
          if (most < Math.min(4, rows.length) && y > area.y) {
            next();
            continue;
          }
          this.#table(slide, { ...group.table, rows: rows.slice(0, most) }, { ...area, y });
          y += Math.min(most, rows.length) * 0.42 + 0.2;
          rows = rows.slice(most);
          if (rows.length > 0) {
            rows = header ? [header, ...rows] : rows;
            next();
          }
        }
      } else if (group.kind === "code") {
        const lines = group.text.split("\n").length;
        const size = Math.max(8, Math.min(14, (area.h * 72) / (lines * 1.35)));
        const needed = Math.min(area.h, (lines * size * 1.35) / 72 + 0.2);
        if (y + needed > bottom + 0.05 && y > area.y) next();
        slide.addText(group.text, {
          x: area.x,
          y,
          w: area.w,
          h: needed,
          fontFace: "Consolas",
          fontSize: size,
          color: "262626",
          fill: { color: "F4F4F4" },
          valign: "top",
          align: "left",
        });
        y += needed + 0.2;
      } else {
        if (bottom - y < 1.6 && y > area.y) next();
        y += this.#picture(slide, group.picture, { ...area, y, h: bottom - y }) + 0.2;
      }
    }
    if (source.chart) {
      if (bottom - y < 2.5) next();
      this.#chart(slide, source.chart, { ...area, y, h: bottom - y });
    }
  }

  #begin(title: string, notes: string): pptxgen.default.Slide {
    const slide = this.#deck.addSlide({ masterName: "CONTENT" });
    slide.addText(title, { placeholder: "title" });
    if (notes) slide.addNotes(notes);
    return slide;
  }

  #paragraph(paragraph: Paragraph, size: number, color: string): TextProps[] {
    const { list, heading } = paragraph;
    const runs = paragraph.inlines.filter(
      (inline): inline is Exclude<Inline, { kind: "picture" }> => inline.kind !== "picture",
    );
    const shown: TextProps[] = runs.map((inline) => ({
      text:
        inline.kind === "text"
          ? inline.text
          : inline.kind === "break"
            ? "\n"
            : inline.kind === "tab"
              ? "\t"
              : inline.kind === "note"
                ? inline.label
                : "",
      options: {
        fontSize: heading ? size + 2 : size,
        color:
          inline.kind === "text" && inline.link ? (this.#options.look.dark ? "9CC3FF" : "0563C1") : color,
        fontFace: inline.kind === "text" && inline.code ? "Consolas" : this.#options.look.font,
        ...(heading || (inline.kind === "text" && inline.bold) ? { bold: true } : {}),
        ...(paragraph.quote || (inline.kind === "text" && inline.italic) ? { italic: true } : {}),
        ...(inline.kind === "text" && inline.strike ? { strike: "sngStrike" as const } : {}),
        ...(inline.kind === "text" && inline.link && !inline.link.startsWith("#")
          ? { hyperlink: { url: inline.link } }
          : {}),
      },
    }));
    const last = shown.at(-1);
    const first = shown[0];
    if (first === undefined || last === undefined) return [];
    last.options = { ...last.options, breakLine: true };
    const bullet = list
      ? list.ordered
        ? { type: "number" as const, indent: size * 1.4 }
        : { indent: size * 1.1 }
      : false;
    // The library begins a paragraph at each run with a bullet, so only the first one has it.
    first.options = {
      ...first.options,
      ...(bullet ? { bullet, indentLevel: Math.min(8, list?.level ?? 0) } : {}),
      paraSpaceAfter: size * 0.3,
    };
    return shown;
  }

  #sizeFor(
    paragraphs: readonly Paragraph[],
    { width, room, alone }: { readonly width: number; readonly room: number; readonly alone: boolean },
  ): number {
    for (let size = alone ? 22 : 18; size > 14; size -= 1)
      if (this.#heightOf(paragraphs, { width, size }) <= room) return size;
    return 14;
  }

  #countFitting(
    paragraphs: readonly Paragraph[],
    { width, room, size }: { readonly width: number; readonly room: number; readonly size: number },
  ): number {
    let count = 0;
    while (
      count < paragraphs.length &&
      this.#heightOf(paragraphs.slice(0, count + 1), { width, size }) <= room
    )
      count += 1;
    return count;
  }

  /** Inches that paragraphs take, by the width of their characters. */
  #heightOf(
    paragraphs: readonly Paragraph[],
    { width, size }: { readonly width: number; readonly size: number },
  ): number {
    return paragraphs.reduce((sum, paragraph) => {
      const indent = paragraph.list ? (paragraph.list.level + 1) * 0.35 : 0;
      const lines = textOf(paragraph.inlines)
        .split("\n")
        .reduce(
          (count, line) =>
            count + Math.max(1, Math.ceil(unitsOf(line) / (((width - indent - 0.2) * 72) / size))),
          0,
        );
      return sum + (lines * size * 1.25 + size * 0.3) / 72;
    }, 0);
  }

  #table(
    slide: pptxgen.default.Slide,
    table: Extract<Block, { kind: "table" }>,
    area: { readonly x: number; readonly y: number; readonly w: number },
  ): void {
    const { look } = this.#options;
    const size = table.rows.length > 10 ? 11 : 14;
    const rows = table.rows.map((row, at) =>
      row.cells.map((cell): pptxgen.default.TableCell => {
        const [first] = cell.blocks;
        const align =
          first?.kind === "paragraph" && first.align && first.align !== "justify" ? first.align : "left";
        return {
          text: cell.blocks
            .map((block) => (block.kind === "paragraph" ? textOf(block.inlines) : ""))
            .join("\n"),
          options: {
            fontSize: size,
            fontFace: look.font,
            align,
            valign: "middle",
            bold: row.header,
            color: row.header ? "FFFFFF" : this.#text,
            fill: {
              color: row.header ? look.accent : at % 2 === 0 ? (look.dark ? "2A3142" : "F3F6FA") : this.#back,
            },
            ...(cell.columns > 1 ? { colspan: cell.columns } : {}),
            ...(cell.rows > 1 ? { rowspan: cell.rows } : {}),
          },
        };
      }),
    );
    slide.addTable(rows, {
      x: area.x,
      y: area.y,
      w: area.w,
      border: { type: "solid", pt: 0.5, color: "BFBFBF" },
      rowH: 0.38,
    });
  }

  #picture(
    slide: pptxgen.default.Slide,
    picture: Extract<Inline, { kind: "picture" }>,
    area: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
  ): number {
    const kind = picture.bytes ? pictureInfo(picture.bytes) : null;
    if (picture.bytes === null || kind === null || !["png", "jpeg", "gif"].includes(kind.kind)) {
      this.#options.warnings.push(
        `the picture ${picture.name} is left out: it cannot be read as PNG, JPEG or GIF`,
      );
      return 0;
    }
    const scale = Math.min(area.w / (kind.width / 96), area.h / (kind.height / 96), 2);
    const [w, h] = [(kind.width / 96) * scale, (kind.height / 96) * scale];
    slide.addImage({
      data: `image/${kind.kind};base64,${Buffer.from(picture.bytes).toString("base64")}`,
      x: area.x + (area.w - w) / 2,
      y: area.y,
      w,
      h,
      altText: picture.alt,
    });
    return h;
  }

  #chart(
    slide: pptxgen.default.Slide,
    chart: ChartData,
    area: { readonly x: number; readonly y: number; readonly w: number; readonly h: number },
  ): void {
    const types = {
      bar: this.#deck.ChartType.bar,
      line: this.#deck.ChartType.line,
      pie: this.#deck.ChartType.pie,
      area: this.#deck.ChartType.area,
      doughnut: this.#deck.ChartType.doughnut,
    };
    const round = chart.type === "pie" || chart.type === "doughnut";
    slide.addChart(
      types[chart.type] as pptxgen.default.CHART_NAME,
      chart.series.map(({ name, values }) => ({ name, labels: [...chart.labels], values: [...values] })),
      {
        ...area,
        showLegend: round || chart.series.length > 1,
        legendPos: "b",
        showValue: round ? false : chart.labels.length * chart.series.length <= 24,
        ...(round ? { showPercent: true } : {}),
        chartColors: [this.#options.look.accent, "ED7D31", "70AD47", "FFC000", "5B9BD5", "A5A5A5"],
        catAxisLabelFontFace: this.#options.look.font,
        catAxisLabelColor: this.#text,
        valAxisLabelColor: this.#text,
        legendColor: this.#text,
        legendFontFace: this.#options.look.font,
      },
    );
  }
}

/** Width in units of the size: wide characters one, others a bit more than half. */
const unitsOf = (text: string): number =>
  [...text].reduce((sum, character) => sum + (character > "\u2E80" ? 1 : 0.54), 0);

type Group =
  | { readonly kind: "text"; readonly paragraphs: readonly Paragraph[] }
  | { readonly kind: "table"; readonly table: Extract<Block, { kind: "table" }> }
  | { readonly kind: "code"; readonly text: string }
  | { readonly kind: "picture"; readonly picture: Extract<Inline, { kind: "picture" }> };

function groupsOf(blocks: readonly Block[]): readonly Group[] {
  const groups: Group[] = [];
  for (const block of blocks) {
    if (block.kind === "table") groups.push({ kind: "table", table: block });
    else if (block.kind === "code") groups.push({ kind: "code", text: block.text });
    else if (block.kind === "paragraph") {
      const pictures = block.inlines.filter(
        (inline): inline is Extract<Inline, { kind: "picture" }> => inline.kind === "picture",
      );
      if (textOf(block.inlines).trim() !== "") {
        const last = groups.at(-1);
        if (last?.kind === "text")
          groups[groups.length - 1] = { kind: "text", paragraphs: [...last.paragraphs, block] };
        else groups.push({ kind: "text", paragraphs: [block] });
      }
      for (const picture of pictures) groups.push({ kind: "picture", picture });
    }
  }
  return groups;
}
