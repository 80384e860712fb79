import packedMaps from "embed:pdfjs-dist/cmaps/";
import { getDocument, type PDFDocumentProxy, VerbosityLevel } from "pdfjs-dist/legacy/build/pdf.mjs";
import { WorkerMessageHandler } from "pdfjs-dist/legacy/build/pdf.worker.mjs";
import { Failure, messageOf, refused } from "../common/failure.ts";
import { guardPdf } from "./guard.ts";
import { unpackEmbedded } from "./unpack-embedded.ts";

export type { PDFDocumentProxy };

let maps: ReadonlyMap<string, Uint8Array> | null = null;

/** Character maps for Chinese, Japanese and Korean fonts that are not embedded, from this file; nothing else is there. */
class EmbeddedFiles {
  async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
    maps ??= unpackEmbedded(packedMaps);
    const bytes = kind === "cMapUrl" ? maps.get(filename) : undefined;
    if (bytes === undefined) throw new Error(`there is no ${filename}`);
    return new Uint8Array(bytes);
  }
}

const mostPages = 50_000;

/** Opens a PDF for reading. Scripts in it are never run, and nothing is fetched. */
export async function openPdf(
  bytes: Buffer,
  options: { readonly what: string; readonly password?: string },
): Promise<PDFDocumentProxy> {
  guardPdf(bytes, options.what);
  // The worker's code runs in this thread: it is in the same file.
  (globalThis as { pdfjsWorker?: unknown }).pdfjsWorker = { WorkerMessageHandler };
  const task = getDocument({
    data: new Uint8Array(bytes),
    ...(options.password === undefined ? {} : { password: options.password }),
    BinaryDataFactory: EmbeddedFiles,
    cMapUrl: "embedded/",
    cMapPacked: true,
    useSystemFonts: false,
    disableFontFace: true,
    useWorkerFetch: false,
    isEvalSupported: false,
    enableXfa: false,
    stopAtErrors: false,
    maxImageSize: 64 * 1024 * 1024,
    verbosity: VerbosityLevel.ERRORS,
  } as Parameters<typeof getDocument>[0]);
  try {
    const document = await task.promise;
    if (document.numPages > mostPages)
      throw refused(`${options.what} says it has ${document.numPages} pages`);
    return document;
  } catch (error) {
    if (error instanceof Failure) throw error;
    const name = error instanceof Error ? error.name : "";
    if (name === "PasswordException") {
      const wrong = options.password === undefined ? "is protected by a password" : "has another password";
      throw new Failure(`${options.what} ${wrong}`, { hint: "give it with --password" });
    }
    throw new Failure(`${options.what} is damaged and cannot be read: ${messageOf(error)}`);
  }
}

/** A piece of text with its place from the page's upper left corner. */
export interface PdfText {
  readonly text: string;
  readonly x: number;
  /** Baseline. */
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly bold: boolean;
}

export interface PdfPage {
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly texts: readonly PdfText[];
  readonly pictures: number;
  readonly links: readonly {
    readonly url: string;
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
}

/** A page, turned so that most of its text is upright, whichever way it is shown. */
export async function readPage(document: PDFDocumentProxy, number: number): Promise<PdfPage> {
  const page = await document.getPage(number);
  const content = await page.getTextContent({ disableNormalization: false });
  const signs = [0, 0, 0, 0];
  for (const item of content.items) {
    if (!("str" in item) || item.str.trim() === "") continue;
    const [a, b] = item.transform as [number, number];
    const quarter = (Math.round((Math.atan2(b, a) * 2) / Math.PI) + 4) % 4;
    signs[quarter] = (signs[quarter] ?? 0) + item.str.length;
  }
  const most = Math.max(...signs);
  const viewport = page.getViewport(
    most === 0 ? { scale: 1 } : { scale: 1, rotation: signs.indexOf(most) * 90 },
  );
  const { width, height, transform } = viewport;
  const texts: PdfText[] = [];
  for (const item of content.items) {
    if (!("str" in item) || item.str === "") continue;
    const [a, b, c, d, e, f] = item.transform as [number, number, number, number, number, number];
    const [ta, tb, tc, td, te, tf] = transform as [number, number, number, number, number, number];
    const x = ta * e + tc * f + te;
    const y = tb * e + td * f + tf;
    const family = content.styles[item.fontName]?.fontFamily ?? "";
    texts.push({
      text: item.str,
      x,
      y,
      width: item.width,
      size: Math.hypot(c, d) || Math.hypot(a, b),
      bold: /bold|black|heavy/i.test(`${family} ${item.fontName}`),
    });
  }
  const annotations = await page.getAnnotations();
  const links = annotations.flatMap((one: { readonly url?: string; readonly rect?: readonly number[] }) => {
    if (one.url === undefined || one.rect === undefined) return [];
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = viewport.convertToViewportRectangle([...one.rect]) as number[];
    const [x, y] = [Math.min(x1, x2), Math.min(y1, y2)];
    return [{ url: one.url, x, y, width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }];
  });
  page.cleanup();
  return { number, width, height, texts, pictures: 0, links };
}
