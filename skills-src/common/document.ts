/** A document as blocks: what Markdown, Word files and the PDF layout have in common. */
export interface TextStyle {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly code?: boolean;
  /** RRGGBB. */
  readonly color?: string;
  readonly highlight?: string;
  /** Points. */
  readonly size?: number;
  readonly font?: string;
  readonly script?: "super" | "sub";
  readonly link?: string;
  /** Tracked change this text is part of. */
  readonly change?: { readonly kind: "inserted" | "deleted"; readonly author: string };
}

export interface TextRun extends TextStyle {
  readonly kind: "text";
  readonly text: string;
}

export interface Picture {
  readonly kind: "picture";
  readonly bytes: Uint8Array | null;
  /** File name or address, as it was named. */
  readonly name: string;
  readonly alt: string;
  /** Points; null = as the picture says. */
  readonly width: number | null;
  readonly height: number | null;
}

export type Inline =
  | TextRun
  | Picture
  | { readonly kind: "break" }
  | { readonly kind: "tab" }
  | { readonly kind: "field"; readonly field: "page" | "pages" }
  | { readonly kind: "note"; readonly id: string; readonly label: string };

export interface ParagraphLayout {
  readonly align?: "left" | "center" | "right" | "justify";
  /** Points. */
  readonly left?: number;
  readonly right?: number;
  /** Negative = hanging. */
  readonly firstLine?: number;
  readonly before?: number;
  readonly after?: number;
  /** Factor of the font's own line height. */
  readonly lineHeight?: number;
  /** Exact line height in points. */
  readonly lineExact?: number;
  readonly shade?: string;
  readonly keepWithNext?: boolean;
  readonly pageBreakBefore?: boolean;
  readonly border?: boolean;
}

export interface Paragraph extends ParagraphLayout {
  readonly kind: "paragraph";
  readonly inlines: readonly Inline[];
  /** 1 to 6 for headings. */
  readonly heading?: number;
  /** Name of the style in the source document. */
  readonly style?: string;
  readonly list?: ListPlace;
  readonly quote?: boolean;
}

export interface ListPlace {
  /** 0 is outermost. */
  readonly level: number;
  readonly ordered: boolean;
  /** As shown: "1.", "•", "a)". */
  readonly label: string;
  /** One list has one number; a new one starts to count again. */
  readonly id: number;
  readonly checked?: boolean;
}

export interface TableCell {
  readonly blocks: readonly Block[];
  readonly columns: number;
  readonly rows: number;
  readonly shade?: string;
  readonly vertical?: "top" | "middle" | "bottom";
}

export interface Table {
  readonly kind: "table";
  /** Cells that a merged cell above covers are left out. */
  readonly rows: readonly { readonly cells: readonly TableCell[]; readonly header: boolean }[];
  /** Shares of the width; empty = by content. */
  readonly widths: readonly number[];
  readonly borders: boolean;
}

export type Block =
  | Paragraph
  | Table
  | { readonly kind: "code"; readonly text: string; readonly language: string }
  | { readonly kind: "rule" }
  | { readonly kind: "page" };

export interface PageSetup {
  /** Points. */
  readonly width: number;
  readonly height: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly left: number;
}

export interface Section {
  readonly page: PageSetup;
  readonly blocks: readonly Block[];
  readonly header: readonly Block[];
  readonly footer: readonly Block[];
}

export interface Note {
  readonly id: string;
  readonly label: string;
  readonly blocks: readonly Block[];
}

export interface TextDocument {
  readonly title: string;
  readonly author: string;
  readonly sections: readonly Section[];
  readonly notes: readonly Note[];
  /** Points; body text. */
  readonly fontSize: number;
  readonly font: string;
}

const pages: Readonly<Record<string, readonly [number, number]>> = {
  a3: [841.89, 1190.55],
  a4: [595.28, 841.89],
  a5: [419.53, 595.28],
  letter: [612, 792],
  legal: [612, 1008],
};

export const pageNames: readonly string[] = Object.keys(pages);

/** A page of that name with equal margins (points), or null for an unknown name. */
export function pageSetup(
  name: string,
  options: { readonly margin?: number; readonly landscape?: boolean } = {},
): PageSetup | null {
  const size = pages[name.toLowerCase()];
  if (size === undefined) return null;
  const margin = options.margin ?? 64;
  const [width, height] = options.landscape ? [size[1], size[0]] : size;
  return { width, height, top: margin, right: margin, bottom: margin, left: margin };
}

export function textOf(inlines: readonly Inline[]): string {
  return inlines
    .map((one) =>
      one.kind === "text" ? one.text : one.kind === "break" ? "\n" : one.kind === "tab" ? "\t" : "",
    )
    .join("");
}
