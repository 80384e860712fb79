import { createHash } from "node:crypto";
import { type FontSet, finalCodes, type PdfFont, type Run } from "./fonts.ts";
import { num, PdfWriter, pdfString, rgb } from "./pdf-writer.ts";
import { writePicture } from "./pictures.ts";

export interface Mark {
  readonly title: string;
  readonly level: number;
  readonly page: number;
  /** From the top of the page. */
  readonly y: number;
}

export interface DrawnText {
  readonly x: number;
  /** Baseline, from the top of the page. */
  readonly y: number;
  readonly size: number;
  readonly color?: string;
  /** Added after each character, in points. */
  readonly spacing?: number;
}

/** One page; all places are in points from its upper left corner. */
export class Page {
  readonly width: number;
  readonly height: number;
  readonly fonts = new Set<PdfFont>();
  readonly pictures = new Map<string, Uint8Array>();
  readonly states = new Set<string>();
  readonly links: { readonly box: readonly [number, number, number, number]; readonly target: string }[] = [];
  readonly content: (string | Run)[] = [];

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
  }

  text(run: Run, { x, y, size, color = "000000", spacing = 0 }: DrawnText): void {
    this.fonts.add(run.font);
    const slant = run.fakeItalic ? "0.21" : "0";
    const bold = run.fakeBold ? `2 Tr ${num(size / 30)} w ${rgb(color)} RG ` : "0 Tr ";
    this.content.push(
      `BT ${rgb(color)} rg ${bold}${num(spacing)} Tc /${fontName(run.font)} ${num(size)} Tf 1 0 ${slant} 1 ${num(x)} ${num(this.height - y)} Tm `,
      run,
      " Tj ET\n",
    );
  }

  /** A filled box, with or without an outline. */
  box(
    x: number,
    y: number,
    options: {
      readonly width: number;
      readonly height: number;
      readonly fill?: string;
      readonly stroke?: string;
      readonly line?: number;
    },
  ): void {
    const { width, height, fill, stroke, line = 0.5 } = options;
    const paint = fill && stroke ? "B" : fill ? "f" : "S";
    this.content.push(
      `${fill ? `${rgb(fill)} rg ` : ""}${stroke ? `${rgb(stroke)} RG ${num(line)} w ` : ""}${num(x)} ${num(this.height - y - height)} ${num(width)} ${num(height)} re ${paint}\n`,
    );
  }

  ellipse(
    x: number,
    y: number,
    options: {
      readonly width: number;
      readonly height: number;
      readonly fill?: string;
      readonly stroke?: string;
      readonly line?: number;
    },
  ): void {
    const { width, height, fill, stroke, line = 0.5 } = options;
    const [rx, ry, cx, cy] = [width / 2, height / 2, x + width / 2, this.height - y - height / 2];
    const k = 0.5523;
    const curve = (...points: readonly number[]): string => `${points.map(num).join(" ")} c `;
    this.content.push(
      `${fill ? `${rgb(fill)} rg ` : ""}${stroke ? `${rgb(stroke)} RG ${num(line)} w ` : ""}${num(cx + rx)} ${num(cy)} m ${curve(cx + rx, cy + k * ry, cx + k * rx, cy + ry, cx, cy + ry)}${curve(cx - k * rx, cy + ry, cx - rx, cy + k * ry, cx - rx, cy)}${curve(cx - rx, cy - k * ry, cx - k * rx, cy - ry, cx, cy - ry)}${curve(cx + k * rx, cy - ry, cx + rx, cy - k * ry, cx + rx, cy)}${fill && stroke ? "B" : fill ? "f" : "S"}\n`,
    );
  }

  line(
    from: readonly [number, number],
    to: readonly [number, number],
    options: { readonly color?: string; readonly width?: number },
  ): void {
    this.content.push(
      `${rgb(options.color ?? "000000")} RG ${num(options.width ?? 0.5)} w ${num(from[0])} ${num(this.height - from[1])} m ${num(to[0])} ${num(this.height - to[1])} l S\n`,
    );
  }

  picture(
    bytes: Uint8Array,
    box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  ): void {
    const key = createHash("sha1").update(bytes).digest("hex").slice(0, 16);
    this.pictures.set(key, bytes);
    this.content.push(
      `q ${num(box.width)} 0 0 ${num(box.height)} ${num(box.x)} ${num(this.height - box.y - box.height)} cm /I${key} Do Q\n`,
    );
  }

  link(
    box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
    target: string,
  ): void {
    const bottom = this.height - box.y - box.height;
    this.links.push({ box: [box.x, bottom, box.x + box.width, bottom + box.height], target });
  }

  /** Draws with everything turned clockwise by degrees around a point, and with an opacity from 0 to 1. */
  within(
    options: {
      readonly turn?: number;
      readonly around?: readonly [number, number];
      readonly opacity?: number;
    },
    draw: () => void,
  ): void {
    const { turn = 0, around = [0, 0], opacity = 1 } = options;
    this.content.push("q ");
    if (opacity < 1) {
      const state = num(opacity);
      this.states.add(state);
      this.content.push(`/G${state.replace(".", "_")} gs `);
    }
    if (turn % 360 !== 0) {
      const [x, y, angle] = [around[0], this.height - around[1], (-turn * Math.PI) / 180];
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      this.content.push(
        `${[cos, sin, -sin, cos].map((part) => num(part * 1)).join(" ")} ${num(x - x * cos + y * sin)} ${num(y - x * sin - y * cos)} cm `,
      );
    }
    this.content.push("\n");
    draw();
    this.content.push("Q\n");
  }
}

const names = new WeakMap<PdfFont, string>();
let counter = 0;

function fontName(font: PdfFont): string {
  let name = names.get(font);
  if (name === undefined) {
    counter += 1;
    name = `F${counter}`;
    names.set(font, name);
  }
  return name;
}

export interface Finishing {
  readonly title: string;
  readonly author: string;
  readonly marks?: readonly Mark[];
}

/** The pages as a PDF file, and names of the pictures that could not be drawn. */
export function finishPages(
  pages: readonly Page[],
  options: Finishing & { readonly fonts: FontSet },
): Buffer {
  const writer = new PdfWriter();
  const root = writer.reserve();
  const tree = writer.reserve();
  const fonts = new Map<PdfFont, number>();
  const pictures = new Map<string, number | null>();
  const ids = pages.map(() => writer.reserve());
  pages.forEach((page, index) => {
    for (const font of page.fonts) if (!fonts.has(font)) fonts.set(font, font.write(writer));
    for (const [key, bytes] of page.pictures)
      if (!pictures.has(key)) pictures.set(key, writePicture(writer, bytes));
    const stream = page.content
      .map((part) => (typeof part === "string" ? part : `<${finalCodes(part)}>`))
      .join("");
    const content = writer.addStream("", Buffer.from(stream, "latin1"));
    const fontList = [...page.fonts].map((font) => `/${fontName(font)} ${fonts.get(font)} 0 R`).join(" ");
    const pictureList = [...page.pictures.keys()]
      .flatMap((key) => (pictures.get(key) ? [`/I${key} ${pictures.get(key)} 0 R`] : []))
      .join(" ");
    const stateList = [...page.states]
      .map((state) => `/G${state.replace(".", "_")} << /ca ${state} /CA ${state} >>`)
      .join(" ");
    const links = page.links.map(({ box, target }) => writer.add(linkOf(box, target)));
    writer.set(
      ids[index] ?? 0,
      `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${num(page.width)} ${num(page.height)}] /Contents ${content} 0 R /Resources << /Font << ${fontList} >> /XObject << ${pictureList} >> /ExtGState << ${stateList} >> >>${links.length > 0 ? ` /Annots [${links.map((id) => `${id} 0 R`).join(" ")}]` : ""} >>`,
    );
  });
  writer.set(
    tree,
    `<< /Type /Pages /Kids [${ids.map((id) => `${id} 0 R`).join(" ")}] /Count ${ids.length} >>`,
  );
  const outline = writeOutline(
    writer,
    options.marks ?? [],
    (mark) =>
      `[${ids[mark.page] ?? ids[0]} 0 R /XYZ 0 ${num((pages[mark.page]?.height ?? 0) - mark.y)} null]`,
  );
  writer.set(
    root,
    `<< /Type /Catalog /Pages ${tree} 0 R${outline === null ? "" : ` /Outlines ${outline} 0 R /PageMode /UseOutlines`} >>`,
  );
  const info = writer.add(
    `<< /Title ${pdfString(options.title)} /Author ${pdfString(options.author)} /Producer (Skillet) >>`,
  );
  return writer.finish(root, info);
}

function linkOf(box: readonly number[], target: string): string {
  const address = encodeURI(decodeSafely(target));
  return `<< /Type /Annot /Subtype /Link /Rect [${box.map(num).join(" ")}] /Border [0 0 0] /A << /S /URI /URI ${pdfString(address)} >> >>`;
}

function decodeSafely(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}

interface Branch {
  readonly id: number;
  readonly mark: Mark;
  readonly children: Branch[];
}

function writeOutline(
  writer: PdfWriter,
  marks: readonly Mark[],
  destination: (mark: Mark) => string,
): number | null {
  if (marks.length === 0) return null;
  const root = writer.reserve();
  const top: Branch[] = [];
  const open: Branch[] = [];
  for (const mark of marks) {
    while (open.length > 0 && (open.at(-1)?.mark.level ?? 0) >= mark.level) open.pop();
    const branch = { id: writer.reserve(), mark, children: [] };
    (open.at(-1)?.children ?? top).push(branch);
    open.push(branch);
  }
  const count = (branches: readonly Branch[]): number =>
    branches.reduce((sum, one) => sum + 1 + count(one.children), 0);
  const write = (branches: readonly Branch[], parent: number): void => {
    branches.forEach((branch, at) => {
      const [before, after] = [branches[at - 1], branches[at + 1]];
      const inner = branch.children;
      writer.set(
        branch.id,
        `<< /Title ${pdfString(branch.mark.title)} /Parent ${parent} 0 R${before ? ` /Prev ${before.id} 0 R` : ""}${after ? ` /Next ${after.id} 0 R` : ""}${inner.length > 0 ? ` /First ${inner[0]?.id} 0 R /Last ${inner.at(-1)?.id} 0 R /Count ${count(inner)}` : ""} /Dest ${destination(branch.mark)} >>`,
      );
      write(inner, branch.id);
    });
  };
  write(top, root);
  writer.set(
    root,
    `<< /Type /Outlines /First ${top[0]?.id} 0 R /Last ${top.at(-1)?.id} 0 R /Count ${count(top)} >>`,
  );
  return root;
}
