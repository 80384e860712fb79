import { finishPages, type Mark, Page } from "./canvas.ts";
import type { TextDocument } from "./document.ts";
import { FontSet } from "./fonts.ts";
import { type LayoutContext, layoutBlocks } from "./layout-blocks.ts";
import { drawStack, heightOf, paginate } from "./piece.ts";

export interface DrawnPdf {
  readonly bytes: Buffer;
  readonly pages: number;
  /** What a reader should know: characters and pictures that are not there, fonts that were taken. */
  readonly warnings: readonly string[];
}

export interface PdfOptions {
  readonly fontFiles?: readonly string[];
  /** false: only fonts that every viewer has. */
  readonly systemFonts?: boolean;
  /** A line "1 / 9" at the bottom of each page that has no footer of its own. */
  readonly pageNumbers?: boolean;
}

const mostPages = 20_000;

/** A document laid out on pages as a PDF. */
export function drawDocument(document: TextDocument, options: PdfOptions = {}): DrawnPdf {
  const fonts = new FontSet({
    ...(options.fontFiles ? { files: options.fontFiles } : {}),
    ...(options.systemFonts === undefined ? {} : { system: options.systemFonts }),
  });
  const leftOut = new Set<string>();
  const pages: Page[] = [];
  const marks: Mark[] = [];
  const finishers: ((number: { readonly page: number; readonly pages: number }) => void)[] = [];
  document.sections.forEach((section, index) => {
    const { page: setup } = section;
    const width = Math.max(60, setup.width - setup.left - setup.right);
    const height = Math.max(60, setup.height - setup.top - setup.bottom);
    const context: LayoutContext = {
      fonts,
      size: document.fontSize,
      font: document.font,
      pageHeight: height,
      leftOut,
    };
    const last = index === document.sections.length - 1;
    const blocks =
      last && document.notes.length > 0 ? [...section.blocks, ...notesOf(document)] : section.blocks;
    const placed = paginate(layoutBlocks(blocks, width, context), height);
    if (pages.length + placed.length > mostPages)
      throw new Error(`the document has more than ${mostPages} pages`);
    for (const pieces of placed) {
      const page = new Page(setup.width, setup.height);
      pages.push(page);
      for (const { piece, y } of pieces) {
        if (piece.mark) marks.push({ ...piece.mark, page: pages.length - 1, y: setup.top + y });
        piece.draw(page, setup.left, setup.top + y);
      }
      finishers.push((number) => {
        const small: LayoutContext = {
          ...context,
          size: Math.min(9.5, document.fontSize),
          color: "444444",
          compact: true,
          number,
        };
        const header = layoutBlocks(section.header, width, small);
        drawStack(header, page, { x: setup.left, y: Math.max(14, (setup.top - heightOf(header)) / 2) });
        const footerBlocks = section.footer.length > 0 || !options.pageNumbers ? section.footer : pageLine;
        const footer = layoutBlocks(footerBlocks, width, small);
        drawStack(footer, page, {
          x: setup.left,
          y: setup.height - setup.bottom + Math.max(6, (setup.bottom - heightOf(footer)) / 2),
        });
      });
    }
  });
  finishers.forEach((finish, at) => {
    finish({ page: at + 1, pages: pages.length });
  });
  const bytes = finishPages(pages, { title: document.title, author: document.author, marks, fonts });
  return { bytes, pages: pages.length, warnings: [...fontWarnings(fonts), ...pictureWarnings(leftOut)] };
}

const pageLine = [
  {
    kind: "paragraph",
    align: "center",
    inlines: [
      { kind: "field", field: "page" },
      { kind: "text", text: " / " },
      { kind: "field", field: "pages" },
    ],
  },
] as const;

function notesOf(document: TextDocument): TextDocument["sections"][number]["blocks"] {
  return [
    { kind: "rule" },
    ...document.notes.flatMap((note) =>
      note.blocks.map((block, at) =>
        block.kind === "paragraph" && at === 0
          ? {
              ...block,
              inlines: [
                { kind: "text" as const, text: `${note.label}  `, script: "super" as const },
                ...block.inlines,
              ],
            }
          : block,
      ),
    ),
  ];
}

/** Names what could not be drawn, by character and code point. */
export function fontWarnings(fonts: FontSet): readonly string[] {
  const missing = [...fonts.missing];
  const turned = fonts.rightToLeft
    ? [
        "text that runs from right to left is drawn letter by letter from left to right; LibreOffice draws it well: soffice --headless --convert-to pdf FILE",
      ]
    : [];
  if (missing.length === 0) return turned;
  const shown = missing
    .slice(0, 30)
    .map(
      (character) =>
        `${character} (U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")})`,
    );
  const more = missing.length > 30 ? ` and ${missing.length - 30} more` : "";
  return [
    `no font here can draw ${shown.join(", ")}${more}; "?" stands in their place. Name a font with --font FILE`,
    ...turned,
  ];
}

function pictureWarnings(leftOut: ReadonlySet<string>): readonly string[] {
  if (leftOut.size === 0) return [];
  return [`pictures of kinds that cannot be drawn are left out: ${[...leftOut].slice(0, 20).join(", ")}`];
}
