import type {
  Block,
  Inline,
  Note,
  PageSetup,
  Paragraph,
  Picture,
  Table,
  TextDocument,
  TextStyle,
} from "../common/document.ts";
import { OfficePackage, officeType } from "../common/office-package.ts";
import { pictureInfo } from "../common/pictures.ts";
import { all, attr, child, children, type Element, escapeXml, parseXml } from "../common/xml.ts";
import { type DocumentLook, emptyDocx, ownStyles, styleXml } from "./default-parts.ts";

const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const drawing = "http://schemas.openxmlformats.org/drawingml/2006";
const word = "application/vnd.openxmlformats-officedocument.wordprocessingml";
const namespaces = `xmlns:w="${main}" xmlns:r="${office}" xmlns:wp="${drawing}/wordprocessingDrawing" xmlns:a="${drawing}/main" xmlns:pic="${drawing}/picture"`;
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

export interface DocxOptions {
  readonly look: DocumentLook;
  /** A document whose styles, page, header and footer are taken; its text goes. */
  readonly template?: OfficePackage;
  readonly toc?: boolean;
  readonly header?: string;
  readonly footer?: string;
  readonly pageNumbers?: boolean;
}

/** A Word document of the blocks; `warnings` name pictures that are not in it. */
export function writeDocx(
  document: TextDocument,
  options: DocxOptions,
): { readonly bytes: Buffer; readonly warnings: readonly string[] } {
  const pack = options.template ?? OfficePackage.open(emptyDocx(options.look), "new document");
  const writer = new BodyWriter(pack, document, options);
  return { bytes: writer.write(), warnings: writer.warnings };
}

/** Adds blocks to a package: styles, lists, notes and pictures included. */
export class BodyWriter {
  readonly warnings: string[] = [];
  readonly #pack: OfficePackage;
  readonly #part: string;
  readonly #document: TextDocument;
  readonly #options: DocxOptions;
  readonly #styles = new Map<string, string>();
  readonly #lists = new Map<string, number>();
  readonly #noteIds = new Map<string, number>();
  #drawings = 0;

  constructor(pack: OfficePackage, document: TextDocument, options: DocxOptions) {
    this.#pack = pack;
    this.#part = pack.main();
    this.#document = document;
    this.#options = options;
  }

  write(): Buffer {
    const pack = this.#pack;
    const tree = pack.xml(this.#part);
    const body = child(tree.documentElement, "body") as Element;
    const kept = child(body, "sectPr");
    for (const one of children(body)) body.removeChild(one);
    const section = this.#document.sections[0];
    const parts = [
      ...(this.#options.toc ? [this.#toc()] : []),
      ...this.#document.sections.flatMap(({ blocks }) => blocks.map((block) => this.block(block))),
    ];
    const sectPr = kept && this.#options.template ? "" : this.#sectPr(section?.page);
    const made = parseXml(`<w:body ${namespaces}>${parts.join("")}${sectPr}</w:body>`, "new text")
      .documentElement as Element;
    while (made.firstChild !== null)
      body.appendChild(tree.importNode(made.firstChild, true)) && made.removeChild(made.firstChild);
    if (kept && this.#options.template) body.appendChild(kept);
    pack.touch(this.#part);
    this.#properties();
    return pack.save();
  }

  block(block: Block): string {
    switch (block.kind) {
      case "paragraph":
        return this.paragraph(block);
      case "table":
        return `${this.#table(block)}${gap}`;
      case "code":
        return this.#code(block.text);
      case "rule":
        return '<w:p><w:pPr><w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="BFBFBF"/></w:pBdr></w:pPr></w:p>';
      case "page":
        return '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';
    }
  }

  paragraph(paragraph: Paragraph, tight = false): string {
    const { heading, list, quote, align } = paragraph;
    const style = heading ? `Heading${heading}` : list ? "ListParagraph" : quote ? "Quote" : null;
    const properties = [
      style ? `<w:pStyle w:val="${this.#style(style)}"/>` : "",
      list
        ? `<w:numPr><w:ilvl w:val="${Math.min(8, list.level)}"/><w:numId w:val="${this.#list(paragraph)}"/></w:numPr>`
        : "",
      tight ? '<w:spacing w:after="0"/>' : "",
      paragraph.left !== undefined && !list ? `<w:ind w:left="${Math.round(paragraph.left * 20)}"/>` : "",
      align && align !== "left" ? `<w:jc w:val="${align === "justify" ? "both" : align}"/>` : "",
    ].join("");
    const box =
      list?.checked === undefined
        ? ""
        : `<w:r><w:t xml:space="preserve">${list.checked ? "☑" : "☐"} </w:t></w:r>`;
    return `<w:p>${properties ? `<w:pPr>${properties}</w:pPr>` : ""}${box}${this.#inlines(paragraph.inlines)}</w:p>`;
  }

  #inlines(inlines: readonly Inline[]): string {
    return inlines.map((inline) => this.#inline(inline)).join("");
  }

  #inline(inline: Inline): string {
    switch (inline.kind) {
      case "text":
        return this.#run(inline.text, inline);
      case "break":
        return "<w:r><w:br/></w:r>";
      case "tab":
        return "<w:r><w:tab/></w:r>";
      case "field":
        return fieldRun(inline.field === "page" ? "PAGE" : "NUMPAGES");
      case "picture":
        return this.#picture(inline);
      case "note":
        return `<w:r><w:rPr><w:rStyle w:val="${this.#style("FootnoteReference")}"/></w:rPr><w:footnoteReference w:id="${this.#note(inline.id)}"/></w:r>`;
    }
  }

  #run(text: string, style: TextStyle): string {
    const linkStyle = style.link ? this.#style("Hyperlink") : style.code ? this.#style("VerbatimChar") : null;
    const properties = [
      linkStyle ? `<w:rStyle w:val="${linkStyle}"/>` : "",
      style.bold ? "<w:b/><w:bCs/>" : "",
      style.italic ? "<w:i/><w:iCs/>" : "",
      style.strike ? "<w:strike/>" : "",
      style.color ? `<w:color w:val="${style.color}"/>` : "",
      style.size ? `<w:sz w:val="${Math.round(style.size * 2)}"/>` : "",
      style.underline ? '<w:u w:val="single"/>' : "",
      style.script ? `<w:vertAlign w:val="${style.script === "super" ? "superscript" : "subscript"}"/>` : "",
    ].join("");
    const parts = text
      .split(/(\t|\n)/)
      .map((part) =>
        part === "\t"
          ? "<w:tab/>"
          : part === "\n"
            ? "<w:br/>"
            : part === ""
              ? ""
              : `<w:t xml:space="preserve">${escapeXml(part)}</w:t>`,
      );
    const run = `<w:r>${properties ? `<w:rPr>${properties}</w:rPr>` : ""}${parts.join("")}</w:r>`;
    if (!style.link) return run;
    if (style.link.startsWith("#"))
      return `<w:hyperlink w:anchor="${escapeXml(style.link.slice(1, 40))}">${run}</w:hyperlink>`;
    const id = this.#pack.relate(this.#part, { type: "hyperlink", target: style.link, external: true });
    return `<w:hyperlink r:id="${id}">${run}</w:hyperlink>`;
  }

  #code(text: string): string {
    const style = this.#style("SourceCode");
    const lines = text
      .split("\n")
      .map((line) => `<w:t xml:space="preserve">${escapeXml(line.replaceAll("\t", "    "))}</w:t>`);
    return `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr><w:r>${lines.join("<w:br/>")}</w:r></w:p>`;
  }

  #table(table: Table): string {
    const { columns, grid } = tableGrid(table);
    const setup = this.#document.sections[0]?.page;
    const total = setup ? Math.round((setup.width - setup.left - setup.right) * 20) : 9026;
    const shares = table.widths.length === columns ? table.widths : naturalShares(table, columns);
    const sum = shares.reduce((all, one) => all + one, 0) || 1;
    const widths = shares.map((share) => Math.round((share / sum) * total));
    const rows = grid.map((cells, at) => {
      const header = table.rows[at]?.header === true;
      const made = cells.map(({ cell, columns: span, merge, column }) => {
        const width = widths.slice(column, column + span).reduce((all, one) => all + one, 0);
        const shade = cell?.shade ?? (header ? "DEEAF6" : null);
        const properties = `<w:tcW w:w="${width}" w:type="dxa"/>${span > 1 ? `<w:gridSpan w:val="${span}"/>` : ""}${merge ? `<w:vMerge w:val="${merge}"/>` : ""}${shade ? `<w:shd w:val="clear" w:color="auto" w:fill="${shade}"/>` : ""}`;
        const inner =
          cell?.blocks
            .map((block) => (block.kind === "paragraph" ? this.paragraph(block, true) : this.block(block)))
            .join("") || "<w:p/>";
        return `<w:tc><w:tcPr>${properties}</w:tcPr>${inner.endsWith("</w:tbl>") ? `${inner}<w:p/>` : inner}</w:tc>`;
      });
      return `<w:tr><w:trPr><w:cantSplit/>${header ? "<w:tblHeader/>" : ""}</w:trPr>${made.join("")}</w:tr>`;
    });
    return `<w:tbl><w:tblPr><w:tblStyle w:val="${this.#style("TableGrid")}"/><w:tblW w:w="${total}" w:type="dxa"/><w:tblLook w:val="04A0" w:firstRow="1" w:lastRow="0" w:firstColumn="1" w:lastColumn="0" w:noHBand="0" w:noVBand="1"/></w:tblPr><w:tblGrid>${widths.map((width) => `<w:gridCol w:w="${width}"/>`).join("")}</w:tblGrid>${rows.join("")}</w:tbl>`;
  }

  #picture(picture: Picture): string {
    const kind = picture.bytes ? pictureInfo(picture.bytes) : null;
    if (picture.bytes === null || kind === null || kind.kind === "other") {
      this.warnings.push(
        `the picture ${picture.name} is left out: it cannot be read as PNG, JPEG, GIF or BMP`,
      );
      return this.#run(`[${picture.alt || picture.name}]`, { italic: true });
    }
    const ending = kind.kind === "jpeg" ? "jpeg" : kind.kind;
    const name = this.#pack.freeName("word/media/image", `.${ending}`);
    this.#pack.set(name, picture.bytes);
    this.#pack.setContentType(name, `image/${ending}`);
    const id = this.#pack.relate(this.#part, { type: "image", target: name });
    const setup = this.#document.sections[0]?.page;
    const room = setup ? setup.width - setup.left - setup.right : 450;
    const scale = Math.min(1, room / (kind.width * 0.75), 600 / (kind.height * 0.75));
    const [cx, cy] = [kind.width, kind.height].map((pixels) =>
      Math.max(1, Math.round(pixels * 0.75 * scale * 12700)),
    );
    this.#drawings += 1;
    const alt = escapeXml(picture.alt);
    return `<w:r><w:drawing><wp:inline distT="0" distB="0" distL="0" distR="0"><wp:extent cx="${cx}" cy="${cy}"/><wp:docPr id="${1000 + this.#drawings}" name="Picture ${this.#drawings}" descr="${alt}"/><a:graphic><a:graphicData uri="${drawing}/picture"><pic:pic><pic:nvPicPr><pic:cNvPr id="0" name="Picture ${this.#drawings}" descr="${alt}"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="${cx}" cy="${cy}"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`;
  }

  /** Id of a style in this package: one with our name, else ours is added. */
  #style(id: string): string {
    const known = this.#styles.get(id);
    if (known !== undefined) return known;
    const source = ownStyles(this.#options.look).get(id);
    const part = this.#pack.related(this.#part, "styles");
    if (source === undefined || part === null) return id;
    const tree = this.#pack.xml(part);
    const found = all(tree, "style").find(
      (style) => attr(child(style, "name"), "val")?.toLowerCase() === source.name.toLowerCase(),
    );
    let name = found ? (attr(found, "styleId") ?? id) : id;
    if (!found) {
      while (all(tree, "style").some((style) => attr(style, "styleId") === name)) name += "S";
      const normal = all(tree, "style").find(
        (style) =>
          attr(style, "type") === "paragraph" && ["1", "true"].includes(attr(style, "default") ?? ""),
      );
      const text = styleXml(name, source).replaceAll(
        '"Normal"',
        `"${attr(normal ?? null, "styleId") ?? "Normal"}"`,
      );
      tree.documentElement?.appendChild(
        tree.importNode(parseXml(text, "style").documentElement as Element, true),
      );
      this.#pack.touch(part);
    }
    this.#styles.set(id, name);
    return name;
  }

  /** Number of the list a paragraph belongs to; each list of the source counts for itself. */
  #list(paragraph: Paragraph): number {
    const { list } = paragraph;
    const key = list?.ordered ? `o${list.id}` : "bullets";
    const known = this.#lists.get(key);
    if (known !== undefined) return known;
    const part = this.#numberingPart();
    const tree = this.#pack.xml(part);
    const root = tree.documentElement as Element;
    const ids = (name: string, attribute: string): number[] =>
      children(root, name).map((one) => Number(attr(one, attribute)) || 0);
    const abstract = Math.max(0, ...ids("abstractNum", "abstractNumId")) + 1;
    const number = Math.max(0, ...ids("num", "numId")) + 1;
    const start = /^(\d+)/.exec(list?.label ?? "")?.[1] ?? "1";
    const levels = Array.from({ length: 9 }, (_, level) =>
      levelXml(level, { ordered: list?.ordered === true, start: level === list?.level ? start : "1" }),
    );
    const add = (xml: string, before: Element | null): void => {
      root.insertBefore(tree.importNode(parseXml(xml, "list").documentElement as Element, true), before);
    };
    add(
      `<w:abstractNum xmlns:w="${main}" w:abstractNumId="${abstract}"><w:multiLevelType w:val="multilevel"/>${levels.join("")}</w:abstractNum>`,
      children(root, "num")[0] ?? null,
    );
    add(`<w:num xmlns:w="${main}" w:numId="${number}"><w:abstractNumId w:val="${abstract}"/></w:num>`, null);
    this.#pack.touch(part);
    this.#lists.set(key, number);
    return number;
  }

  #numberingPart(): string {
    const known = this.#pack.related(this.#part, "numbering");
    if (known !== null) return known;
    return this.#addPart("word/numbering.xml", {
      type: "numbering",
      content: `${head}<w:numbering xmlns:w="${main}"/>`,
    });
  }

  #addPart(name: string, part: { readonly type: string; readonly content: string }): string {
    this.#pack.set(name, part.content);
    this.#pack.setContentType(name, `${word}.${part.type}+xml`);
    this.#pack.relate(this.#part, { type: officeType(part.type), target: name });
    return name;
  }

  #note(id: string): number {
    const known = this.#noteIds.get(id);
    if (known !== undefined) return known;
    const note = this.#document.notes.find((one) => one.id === id);
    const part =
      this.#pack.related(this.#part, "footnotes") ??
      this.#addPart("word/footnotes.xml", {
        type: "footnotes",
        content: `${head}<w:footnotes ${namespaces}><w:footnote w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote></w:footnotes>`,
      });
    const tree = this.#pack.xml(part);
    const number =
      Math.max(0, ...children(tree.documentElement as Element).map((one) => Number(attr(one, "id")) || 0)) +
      1;
    this.#noteIds.set(id, number);
    const text = this.#noteText(note);
    const xml = `<w:footnote ${namespaces} w:id="${number}">${text}</w:footnote>`;
    tree.documentElement?.appendChild(
      tree.importNode(parseXml(xml, "note").documentElement as Element, true),
    );
    this.#pack.touch(part);
    return number;
  }

  #noteText(note: Note | undefined): string {
    const inlines = note?.blocks.flatMap((block) => (block.kind === "paragraph" ? block.inlines : [])) ?? [];
    // Links of a note would need relations of its part: their text is enough.
    const plain = inlines.map((one) =>
      one.kind === "text" && one.link ? { kind: "text" as const, text: `${one.text} (${one.link})` } : one,
    );
    return `<w:p><w:pPr><w:pStyle w:val="${this.#style("FootnoteText")}"/></w:pPr><w:r><w:rPr><w:rStyle w:val="${this.#style("FootnoteReference")}"/></w:rPr><w:footnoteRef/></w:r><w:r><w:t xml:space="preserve"> </w:t></w:r>${this.#inlines(plain)}</w:p>`;
  }

  #toc(): string {
    const field = (kind: string): string =>
      `<w:r><w:fldChar w:fldCharType="${kind}"${kind === "begin" ? ' w:dirty="true"' : ""}/></w:r>`;
    const rows = this.#document.sections
      .flatMap(({ blocks }) => blocks)
      .flatMap((block) => (block.kind === "paragraph" && block.heading && block.heading <= 3 ? [block] : []))
      .map(
        (block) =>
          `<w:p><w:pPr><w:ind w:left="${((block.heading ?? 1) - 1) * 240}"/></w:pPr>${this.#inlines(block.inlines.filter(({ kind }) => kind === "text"))}</w:p>`,
      );
    return `<w:p>${field("begin")}<w:r><w:instrText xml:space="preserve"> TOC \\o "1-3" \\h \\z \\u </w:instrText></w:r>${field("separate")}</w:p>${rows.join("")}<w:p>${field("end")}</w:p>`;
  }

  #sectPr(page: PageSetup | undefined): string {
    const twips = (points: number): number => Math.round(points * 20);
    const setup = page ?? { width: 595.3, height: 841.9, top: 72, right: 72, bottom: 72, left: 72 };
    const { header, footer, pageNumbers } = this.#options;
    const references = [
      header ? this.#outer("header", header, false) : "",
      footer || pageNumbers ? this.#outer("footer", footer ?? "", pageNumbers === true) : "",
    ].join("");
    return `<w:sectPr>${references}<w:pgSz w:w="${twips(setup.width)}" w:h="${twips(setup.height)}"${setup.width > setup.height ? ' w:orient="landscape"' : ""}/><w:pgMar w:top="${twips(setup.top)}" w:right="${twips(setup.right)}" w:bottom="${twips(setup.bottom)}" w:left="${twips(setup.left)}" w:header="${twips(Math.min(36, setup.top / 2))}" w:footer="${twips(Math.min(36, setup.bottom / 2))}" w:gutter="0"/></w:sectPr>`;
  }

  #outer(kind: "header" | "footer", text: string, numbers: boolean): string {
    const name = this.#pack.freeName(`word/${kind}`, ".xml");
    const style = this.#style(kind === "header" ? "Header" : "Footer");
    const run = text
      ? `<w:r><w:t xml:space="preserve">${escapeXml(text)}${numbers ? "  " : ""}</w:t></w:r>`
      : "";
    const count = numbers
      ? `${fieldRun("PAGE")}<w:r><w:t xml:space="preserve"> / </w:t></w:r>${fieldRun("NUMPAGES")}`
      : "";
    const tag = kind === "header" ? "hdr" : "ftr";
    this.#pack.set(
      name,
      `${head}<w:${tag} ${namespaces}><w:p><w:pPr><w:pStyle w:val="${style}"/><w:jc w:val="center"/></w:pPr>${run}${count}</w:p></w:${tag}>`,
    );
    this.#pack.setContentType(name, `${word}.${kind}+xml`);
    const id = this.#pack.relate(this.#part, { type: kind, target: name });
    return `<w:${kind}Reference w:type="default" r:id="${id}"/>`;
  }

  #properties(): void {
    const part = this.#pack.relations("").find(({ type }) => type.endsWith("/core-properties"))?.target;
    if (part === undefined || !this.#pack.has(part)) return;
    const root = this.#pack.xml(part).documentElement;
    for (const [name, value] of [
      ["title", this.#document.title],
      ["creator", this.#document.author],
    ] as const) {
      const element = child(root, name);
      if (element && (value !== "" || this.#options.template)) element.textContent = value;
    }
    this.#pack.touch(part);
  }
}

/** Keeps a table apart from what follows, another table above all. */
const gap = '<w:p><w:pPr><w:spacing w:after="0" w:line="160" w:lineRule="exact"/></w:pPr></w:p>';

function fieldRun(instruction: string): string {
  return `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${instruction} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>1</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`;
}

const formats = ["decimal", "lowerLetter", "lowerRoman"];
const bullets = ["•", "–", "▪"];

function levelXml(
  level: number,
  { ordered, start }: { readonly ordered: boolean; readonly start: string },
): string {
  const format = ordered ? (formats[level % 3] ?? "decimal") : "bullet";
  const text = ordered ? `%${level + 1}.` : (bullets[level % 3] ?? "•");
  return `<w:lvl w:ilvl="${level}"><w:start w:val="${start}"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="${(level + 1) * 420}" w:hanging="360"/></w:pPr></w:lvl>`;
}

interface GridCell {
  readonly cell: Table["rows"][number]["cells"][number] | null;
  readonly columns: number;
  readonly column: number;
  readonly merge: "restart" | "continue" | null;
}

/** Every row with the cells that continue merged ones above. */
function tableGrid(table: Table): {
  readonly columns: number;
  readonly grid: readonly (readonly GridCell[])[];
} {
  const open = new Map<number, { left: number; columns: number }>();
  let most = 0;
  const grid = table.rows.map((row) => {
    const cells: GridCell[] = [];
    let column = 0;
    const fill = (): void => {
      for (let above = open.get(column); above !== undefined && above.left > 0; above = open.get(column)) {
        cells.push({ cell: null, columns: above.columns, column, merge: "continue" });
        above.left -= 1;
        column += above.columns;
      }
    };
    for (const cell of row.cells) {
      fill();
      cells.push({ cell, columns: cell.columns, column, merge: cell.rows > 1 ? "restart" : null });
      if (cell.rows > 1) open.set(column, { left: cell.rows - 1, columns: cell.columns });
      column += cell.columns;
    }
    fill();
    most = Math.max(most, column);
    return cells;
  });
  return {
    columns: most,
    grid: grid.map((cells) => {
      const used = cells.reduce((sum, one) => sum + one.columns, 0);
      const missing = Array.from(
        { length: most - used },
        (_, at): GridCell => ({ cell: null, columns: 1, column: used + at, merge: null }),
      );
      return [...cells, ...missing];
    }),
  };
}

/** Wide text gets a wide column, within bounds. */
function naturalShares(table: Table, columns: number): readonly number[] {
  const shares = new Array<number>(columns).fill(6);
  for (const row of table.rows)
    row.cells.forEach((cell, at) => {
      const text = cell.blocks
        .map((block) =>
          block.kind === "paragraph"
            ? block.inlines.map((one) => (one.kind === "text" ? one.text : "")).join("")
            : "",
        )
        .join("");
      const length = [...text].reduce((sum, character) => sum + (character > "\u2E80" ? 2 : 1), 0);
      shares[at] = Math.max(shares[at] ?? 0, Math.min(60, length));
    });
  return shares;
}
