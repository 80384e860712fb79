import { degrees, PDFDocument, type PDFPage } from "@cantoo/pdf-lib";
import { finishPages, Page } from "../common/canvas.ts";
import { Failure, messageOf, usage } from "../common/failure.ts";
import type { FontSet } from "../common/fonts.ts";
import { guardPdf } from "./guard.ts";

/** Opens a PDF for changing. */
export async function loadPdf(
  bytes: Buffer,
  options: { readonly what: string; readonly password?: string },
): Promise<PDFDocument> {
  guardPdf(bytes, options.what);
  try {
    const document = await PDFDocument.load(bytes, {
      updateMetadata: false,
      ...(options.password === undefined ? {} : { password: options.password }),
    });
    if (document.getPageCount() === 0) throw new Failure(`${options.what} is damaged: it has no pages`);
    return document;
  } catch (error) {
    if (error instanceof Failure) throw error;
    if (/encrypt|password/i.test(messageOf(error)))
      throw new Failure(
        `${options.what} is protected: ${options.password === undefined ? "give its password with --password" : "the password is wrong, or the protection is of an unknown kind"}`,
      );
    throw new Failure(`${options.what} is damaged and cannot be changed: ${messageOf(error).slice(0, 200)}`);
  }
}

export async function savePdf(document: PDFDocument): Promise<Uint8Array> {
  return document.save({ useObjectStreams: true, updateFieldAppearances: false, addDefaultPage: false });
}

/** Page numbers from 0 of a list such as `1-3,7,10-` or `odd`, in its order. */
export function parsePages(text: string, count: number): readonly number[] {
  const pages: number[] = [];
  for (const part of text.split(",").map((one) => one.trim())) {
    if (part === "odd" || part === "even" || part === "all") {
      for (let at = 0; at < count; at += 1)
        if (part === "all" || at % 2 === (part === "odd" ? 0 : 1)) pages.push(at);
      continue;
    }
    const found = /^(\d+|last)?(-)?(\d+|last)?$/.exec(part);
    const number = (one: string | undefined, otherwise: number): number =>
      one === undefined ? otherwise : one === "last" ? count : Number(one);
    if (found === null || part === "" || part === "-")
      throw usage(`"${part}" is no page: write 1-3,7,10-, last, odd or even`);
    const from = number(found[1], 1);
    const to = found[2] ? number(found[3], count) : from;
    for (const one of [from, to])
      if (one < 1 || one > count) throw usage(`there is no page ${one}: the document has ${count}`);
    const step = from <= to ? 1 : -1;
    for (let at = from; at !== to + step; at += step) pages.push(at - 1);
  }
  return pages;
}

/** A document of pages of others, in this order. */
export async function assemble(
  parts: readonly { readonly document: PDFDocument; readonly pages: readonly number[] }[],
): Promise<PDFDocument> {
  const made = await PDFDocument.create();
  for (const { document, pages } of parts) {
    const copies = await made.copyPages(document, [...pages]);
    for (const copy of copies) made.addPage(copy);
  }
  const [first] = parts;
  if (first) {
    const [title, author] = [first.document.getTitle(), first.document.getAuthor()];
    if (title) made.setTitle(title);
    if (author) made.setAuthor(author);
  }
  made.setProducer("Skillet");
  return made;
}

export interface OverlayDrawing {
  readonly fonts: FontSet;
  readonly draw: (page: Page, at: { readonly index: number; readonly count: number }) => void;
  /** The same drawing for all pages of one size. */
  readonly same: boolean;
}

/** Draws over pages, as a viewer shows them: turned pages get it upright. */
export async function overlay(
  document: PDFDocument,
  pages: readonly number[],
  { fonts, draw, same }: OverlayDrawing,
): Promise<void> {
  const count = document.getPageCount();
  const placed = pages.map((index) => ({ index, page: document.getPage(index) }));
  const drawings: Page[] = [];
  const known = new Map<string, number>();
  const numbers = placed.map(({ index, page }) => {
    const { width, height } = shownSize(page);
    const key = `${width}:${height}`;
    const old = same ? known.get(key) : undefined;
    if (old !== undefined) return old;
    const drawing = new Page(width, height);
    draw(drawing, { index, count });
    known.set(key, drawings.length);
    return drawings.push(drawing) - 1;
  });
  const bytes = finishPages(drawings, { title: "", author: "", fonts });
  const source = await PDFDocument.load(bytes);
  const embedded = await document.embedPages(source.getPages());
  placed.forEach(({ page }, at) => {
    const drawing = embedded[numbers[at] ?? 0];
    if (drawing === undefined) return;
    const { x, y, width, height } = page.getCropBox();
    const angle = ((page.getRotation().angle % 360) + 360) % 360;
    const origin =
      angle === 90
        ? [x + width, y]
        : angle === 180
          ? [x + width, y + height]
          : angle === 270
            ? [x, y + height]
            : [x, y];
    page.drawPage(drawing, { x: origin[0] ?? 0, y: origin[1] ?? 0, rotate: degrees(angle) });
  });
}

function shownSize(page: PDFPage): { readonly width: number; readonly height: number } {
  const { width, height } = page.getCropBox();
  return page.getRotation().angle % 180 === 0 ? { width, height } : { width: height, height: width };
}
