import { basename, extname, join } from "node:path";
import { degrees, type PDFDocument } from "@cantoo/pdf-lib";
import { finishPages, Page } from "../common/canvas.ts";
import { type Call, readInput, readJson, runProgram } from "../common/command.ts";
import { Failure, usage } from "../common/failure.ts";
import { FontSet } from "../common/fonts.ts";
import { drawDocument, fontWarnings } from "../common/layout-document.ts";
import {
  documentFromMarkdown,
  fontOptions,
  fontSettings,
  pageOf,
  pageOptions,
} from "../common/markdown-file.ts";
import { pictureInfo } from "../common/pictures.ts";
import { writeMarkdown } from "../common/write-markdown.ts";
import { assemble, loadPdf, overlay, parsePages, savePdf } from "./edit-pdf.ts";
import { extractPictures } from "./extract-pictures.ts";
import { fillForm, listFields } from "./forms.ts";
import { layoutText } from "./page-lines.ts";
import { pagesToBlocks } from "./pdf-markdown.ts";
import { openPdf, type PdfPage, readPage } from "./read-pdf.ts";

function passwordOf(call: Call): { readonly password?: string } {
  const password = call.text("password");
  return password === undefined ? {} : { password };
}

const load = (path: string, call: Call): Promise<PDFDocument> =>
  loadPdf(readInput(path), { what: path, ...passwordOf(call) });

async function pagesOf(path: string, call: Call): Promise<readonly PdfPage[]> {
  const document = await openPdf(readInput(path), { what: path, ...passwordOf(call) });
  const wanted = parsePages(call.text("pages") ?? "all", document.numPages);
  const pages: PdfPage[] = [];
  const failed: number[] = [];
  for (const at of wanted)
    try {
      pages.push(await readPage(document, at + 1));
    } catch {
      failed.push(at + 1);
    }
  await document.destroy();
  if (failed.length > 0) call.warn(`these pages are damaged and left out: ${failed.join(", ")}`);
  if (failed.length === wanted.length) throw new Failure(`${path} is damaged: no page can be read`);
  const empty = pages.filter(({ texts }) => texts.length === 0).map(({ number }) => number);
  if (empty.length > 0)
    call.warn(
      `without any text, so probably scans that need text recognition: page${empty.length > 1 ? "s" : ""} ${empty.slice(0, 40).join(", ")}${empty.length > 40 ? " …" : ""}`,
    );
  return pages;
}

async function textOf(
  path: string,
  { call, format }: { readonly call: Call; readonly format: string },
): Promise<string> {
  const pages = await pagesOf(path, call);
  switch (format) {
    case "markdown":
      return writeMarkdown(pagesToBlocks(pages, { pageMarks: call.flag("page-marks") }), [], {
        picture: () => null,
        changes: "accept",
      });
    case "text":
    case "layout":
      return pages
        .map(
          (page) => `${call.flag("page-marks") ? `--- page ${page.number} ---\n` : ""}${layoutText(page)}\n`,
        )
        .join(call.flag("page-marks") ? "\n" : "\f\n")
        .replaceAll("\f\n", "\n");
    case "json":
      return `${JSON.stringify(pages.map((page) => ({ ...page, texts: page.texts.map((one) => ({ ...one, x: round(one.x), y: round(one.y), width: round(one.width), size: round(one.size) })) })))}\n`;
    default:
      throw usage(`--format is markdown, text or json, not "${format}"`);
  }
}

const round = (value: number): number => Math.round(value * 100) / 100;

async function read(call: Call): Promise<void> {
  const text = await textOf(call.needed(0, "the document"), {
    call,
    format: call.text("format") ?? "markdown",
  });
  const out = call.text("out");
  if (out === undefined) call.print(text);
  else call.write([{ path: out, bytes: text }]);
}

async function info(call: Call): Promise<void> {
  const path = call.needed(0, "the document");
  const bytes = readInput(path);
  const document = await openPdf(bytes, { what: path, ...passwordOf(call) });
  const { info: about } = await document.getMetadata();
  const meta = about as Readonly<Record<string, unknown>>;
  const outline = await document.getOutline();
  const first = (await document.getPage(1)).getViewport({ scale: 1 });
  let words = 0;
  for (let at = 1; at <= Math.min(3, document.numPages); at += 1)
    words += (await readPage(document, at)).texts.reduce((sum, one) => sum + one.text.trim().length, 0);
  const fields = await document.getFieldObjects();
  call.print(
    JSON.stringify(
      {
        file: path,
        pages: document.numPages,
        size: { width: round(first.width), height: round(first.height) },
        version: meta.PDFFormatVersion ?? null,
        title: meta.Title ?? "",
        author: meta.Author ?? "",
        producer: meta.Producer ?? "",
        encrypted: meta.EncryptFilterName != null,
        hasText: words > 0,
        formFields: fields ? Object.keys(fields).length : 0,
        xfa: meta.IsXFAPresent === true,
        outline: (outline ?? []).slice(0, 100).map(({ title }) => title),
      },
      null,
      2,
    ),
  );
  await document.destroy();
}

const isPicture = (path: string): boolean => /\.(?:png|jpe?g)$/i.test(path);

function picturesToPdf(paths: readonly string[], call: Call): Buffer {
  const fixed = call.text("paper") === undefined ? null : pageOf(call);
  const pages = paths.map((path) => {
    const bytes = readInput(path);
    const { kind, width, height } = pictureInfo(bytes);
    if (kind !== "png" && kind !== "jpeg") throw new Failure(`${path} is neither PNG nor JPEG`);
    const page = fixed ? new Page(fixed.width, fixed.height) : new Page(width * 0.75, height * 0.75);
    const margin = fixed ? 36 : 0;
    const scale = Math.min((page.width - 2 * margin) / width, (page.height - 2 * margin) / height);
    const [wide, high] = [width * scale, height * scale];
    page.picture(bytes, {
      x: (page.width - wide) / 2,
      y: (page.height - high) / 2,
      width: wide,
      height: high,
    });
    return page;
  });
  return finishPages(pages, { title: "", author: "", fonts: new FontSet({ system: false }) });
}

function create(call: Call): void {
  const out = call.needed(0, "the output");
  const inputs = call.texts("from");
  if (inputs.length === 0) throw usage("--from FILE is missing: a Markdown or text file, or pictures");
  if (inputs.every(isPicture)) {
    call.write([{ path: out, bytes: picturesToPdf(inputs, call) }]);
    return;
  }
  if (inputs.length > 1) throw usage("one Markdown file makes one PDF; merge several afterwards");
  const document = documentFromMarkdown(inputs[0] ?? "", call);
  const [header, footer] = [call.text("header"), call.text("footer")];
  const line = (text: string) =>
    [{ kind: "paragraph", align: "center", inlines: [{ kind: "text", text }] }] as const;
  const sections = document.sections.map((section) => ({
    ...section,
    header: header ? line(header) : [],
    footer: footer ? line(footer) : [],
  }));
  const title = call.text("title");
  const { bytes, pages, warnings } = drawDocument(
    { ...document, sections, ...(title ? { title } : {}) },
    { ...fontSettings(call), pageNumbers: call.flag("page-numbers") },
  );
  for (const warning of warnings) call.warn(warning);
  call.write([{ path: out, bytes }]);
  call.print(`${pages} page${pages === 1 ? "" : "s"}`);
}

async function convert(call: Call): Promise<void> {
  const [from, to] = [call.needed(0, "the input"), call.needed(1, "the output")];
  const [source, target] = [extname(from).toLowerCase(), extname(to).toLowerCase()];
  if (source === ".pdf" && [".md", ".markdown"].includes(target))
    call.write([{ path: to, bytes: await textOf(from, { call, format: "markdown" }) }]);
  else if (source === ".pdf" && target === ".txt")
    call.write([{ path: to, bytes: await textOf(from, { call, format: "text" }) }]);
  else if (source === ".pdf" && target === ".json")
    call.write([{ path: to, bytes: await textOf(from, { call, format: "json" }) }]);
  else if (target === ".pdf" && [".md", ".markdown", ".txt"].includes(source)) {
    const { bytes, pages, warnings } = drawDocument(documentFromMarkdown(from, call), {
      ...fontSettings(call),
      pageNumbers: call.flag("page-numbers"),
    });
    for (const warning of warnings) call.warn(warning);
    call.write([{ path: to, bytes }]);
    call.print(`${pages} page${pages === 1 ? "" : "s"}`);
  } else if (target === ".pdf" && isPicture(from))
    call.write([{ path: to, bytes: picturesToPdf([from], call) }]);
  else if ([".docx", ".xlsx", ".pptx"].includes(source))
    throw usage(
      `"${source}" is converted by the skill ${source.slice(1)}: node ${source.slice(1)}.mjs convert ${from} ${to}`,
    );
  else
    throw usage(
      `cannot convert "${source}" to "${target}"`,
      "from .pdf: .md, .txt, .json; to .pdf: .md, .txt, .png, .jpg. For Word: convert to .md, then with the skill docx to .docx",
    );
}

async function merge(call: Call): Promise<void> {
  const [out, ...inputs] = [call.needed(0, "the output"), ...call.positionals.slice(1)];
  if (inputs.length < 2) throw usage("name at least two documents to merge");
  const parts = [];
  for (const input of inputs) {
    // FILE.pdf[1-3] takes some pages.
    const found = /^(.*\.pdf)\[([^\]]+)\]$/i.exec(input);
    const document = await load(found?.[1] ?? input, call);
    parts.push({ document, pages: parsePages(found?.[2] ?? "all", document.getPageCount()) });
  }
  const made = await assemble(parts);
  call.write([{ path: out, bytes: await savePdf(made) }]);
  call.print(`${made.getPageCount()} pages`);
}

async function split(call: Call): Promise<void> {
  const [path, folder] = [call.needed(0, "the document"), call.needed(1, "the output folder")];
  const document = await load(path, call);
  const count = document.getPageCount();
  const ranges = call.text("ranges");
  const every = call.number("every", { min: 1, max: 100_000 }) ?? 1;
  const groups = ranges
    ? ranges.split(";").map((range) => parsePages(range, count))
    : Array.from({ length: Math.ceil(count / every) }, (_, at) =>
        Array.from({ length: Math.min(every, count - at * every) }, (_page, page) => at * every + page),
      );
  const name = basename(path, extname(path));
  const digits = String(count).length;
  const files = [];
  for (const pages of groups) {
    const [first, last] = [(pages[0] ?? 0) + 1, (pages.at(-1) ?? 0) + 1].map((page) =>
      String(page).padStart(digits, "0"),
    );
    files.push({
      path: join(folder, `${name}-${first}${first === last ? "" : `-${last}`}.pdf`),
      bytes: await savePdf(await assemble([{ document, pages }])),
    });
  }
  call.write(files);
}

async function pages(call: Call): Promise<void> {
  const [path, out] = [call.needed(0, "the document"), call.needed(1, "the output")];
  const [keep, drop] = [call.text("keep"), call.text("delete")];
  if ((keep === undefined) === (drop === undefined)) throw usage("either --keep or --delete is needed");
  const document = await load(path, call);
  const count = document.getPageCount();
  const gone = new Set(drop === undefined ? [] : parsePages(drop, count));
  const wanted =
    keep === undefined ? parsePages("all", count).filter((at) => !gone.has(at)) : parsePages(keep, count);
  if (wanted.length === 0) throw usage("no page would be left");
  call.write([{ path: out, bytes: await savePdf(await assemble([{ document, pages: wanted }])) }]);
  call.print(`${wanted.length} page${wanted.length === 1 ? "" : "s"}`);
}

async function rotate(call: Call): Promise<void> {
  const [path, out] = [call.needed(0, "the document"), call.needed(1, "the output")];
  const by = call.number("by", { min: -270, max: 270 });
  if (by === undefined || by % 90 !== 0) throw usage("--by is 90, 180 or 270 (clockwise)");
  const document = await load(path, call);
  for (const at of parsePages(call.text("pages") ?? "all", document.getPageCount())) {
    const page = document.getPage(at);
    page.setRotation(degrees((((page.getRotation().angle + by) % 360) + 360) % 360));
  }
  call.write([{ path: out, bytes: await savePdf(document) }]);
}

function fontsOf(call: Call): FontSet {
  const { fontFiles, systemFonts } = fontSettings(call);
  return new FontSet({ files: fontFiles, system: systemFonts });
}

const colorOf = (call: Call, otherwise: string): string => {
  const color = (call.text("color") ?? otherwise).replace(/^#/, "");
  if (!/^[\da-f]{6}$/i.test(color)) throw usage("--color is six hexadecimal digits, such as c00000");
  return color;
};

async function watermark(call: Call): Promise<void> {
  const [path, out] = [call.needed(0, "the document"), call.needed(1, "the output")];
  const [text, picture] = [call.text("text"), call.text("picture")];
  if ((text === undefined) === (picture === undefined)) throw usage("either --text or --picture is needed");
  const document = await load(path, call);
  const fonts = fontsOf(call);
  const opacity = call.number("opacity", { min: 0.01, max: 1, fraction: true }) ?? 0.18;
  const angle = call.number("angle", { min: -360, max: 360, fraction: true }) ?? 45;
  const color = colorOf(call, "808080");
  const wanted = call.number("size", { min: 4, max: 400, fraction: true });
  const bytes = picture === undefined ? null : readInput(picture);
  await overlay(document, parsePages(call.text("pages") ?? "all", document.getPageCount()), {
    fonts,
    same: true,
    draw: (page) => {
      const middle = [page.width / 2, page.height / 2] as const;
      page.within({ turn: -angle, around: middle, opacity }, () => {
        if (bytes !== null) {
          const { width, height } = pictureInfo(bytes);
          const scale = Math.min((page.width * 0.6) / width, (page.height * 0.6) / height);
          page.picture(bytes, {
            x: middle[0] - (width * scale) / 2,
            y: middle[1] - (height * scale) / 2,
            width: width * scale,
            height: height * scale,
          });
          return;
        }
        const style = { bold: true, italic: false, family: "sans" } as const;
        const units = Math.max(1, fonts.width(text ?? "", style));
        const size = wanted ?? Math.min(120, (Math.hypot(page.width, page.height) * 0.6 * 1000) / units);
        let x = middle[0] - (units * size) / 2000;
        for (const run of fonts.split(text ?? "", style)) {
          page.text(run, { x, y: middle[1] + size * 0.35, size, color });
          x += (run.width * size) / 1000;
        }
      });
    },
  });
  for (const warning of fontWarnings(fonts)) call.warn(warning);
  call.write([{ path: out, bytes: await savePdf(document) }]);
}

const places = ["top-left", "top", "top-right", "bottom-left", "bottom", "bottom-right"];

async function stamp(call: Call): Promise<void> {
  const [path, out] = [call.needed(0, "the document"), call.needed(1, "the output")];
  const text = call.text("text") ?? "{page} / {pages}";
  const place = call.text("place") ?? "bottom";
  if (!places.includes(place)) throw usage(`--place is one of ${places.join(", ")}`);
  const document = await load(path, call);
  const fonts = fontsOf(call);
  const size = call.number("size", { min: 4, max: 100, fraction: true }) ?? 9;
  const margin = call.number("margin", { min: 0, max: 400, fraction: true }) ?? 24;
  const color = colorOf(call, "333333");
  await overlay(document, parsePages(call.text("pages") ?? "all", document.getPageCount()), {
    fonts,
    same: false,
    draw: (page, { index, count }) => {
      const shown = text.replaceAll("{page}", String(index + 1)).replaceAll("{pages}", String(count));
      const runs = fonts.split(shown, { bold: false, italic: false, family: "sans" });
      const width = (runs.reduce((sum, run) => sum + run.width, 0) * size) / 1000;
      let x = place.endsWith("left")
        ? margin
        : place.endsWith("right")
          ? page.width - margin - width
          : (page.width - width) / 2;
      const y = place.startsWith("top") ? margin + size : page.height - margin;
      for (const run of runs) {
        page.text(run, { x, y, size, color });
        x += (run.width * size) / 1000;
      }
    },
  });
  for (const warning of fontWarnings(fonts)) call.warn(warning);
  call.write([{ path: out, bytes: await savePdf(document) }]);
}

async function fields(call: Call): Promise<void> {
  const path = call.needed(0, "the document");
  call.print(JSON.stringify(listFields(await load(path, call)), null, 2));
}

async function fill(call: Call): Promise<void> {
  const [path, out, given] = [
    call.needed(0, "the document"),
    call.needed(1, "the output"),
    call.text("data"),
  ];
  if (given === undefined) throw usage("--data is missing: a JSON file, or JSON itself");
  const data = readJson(given);
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw usage('--data is an object: {"field": "value"}');
  const document = await load(path, call);
  const fonts = fontsOf(call);
  const { count, warnings } = await fillForm(document, data as Readonly<Record<string, unknown>>, {
    fonts,
    flatten: call.flag("flatten"),
  });
  for (const warning of [...warnings, ...fontWarnings(fonts)]) call.warn(warning);
  call.write([{ path: out, bytes: await savePdf(document) }]);
  call.print(`${count} field${count === 1 ? "" : "s"} filled`);
}

async function pictures(call: Call): Promise<void> {
  const [path, folder] = [call.needed(0, "the document"), call.needed(1, "the output folder")];
  const { pictures: found, skipped } = extractPictures(await load(path, call));
  if (skipped > 0)
    call.warn(`${skipped} pictures are of kinds that are not taken out (masks, indexed or print colours)`);
  if (found.length === 0) throw new Failure(`${path} has no pictures that can be taken out`);
  call.write(
    found.map(({ ending, bytes }, at) => ({
      path: join(folder, `picture-${String(at + 1).padStart(3, "0")}.${ending}`),
      bytes,
    })),
  );
}

async function properties(call: Call): Promise<void> {
  const [path, out] = [call.needed(0, "the document"), call.needed(1, "the output")];
  const document = await load(path, call);
  const [title, author, subject, keywords] = ["title", "author", "subject", "keywords"].map((name) =>
    call.text(name),
  );
  if (title !== undefined) document.setTitle(title);
  if (author !== undefined) document.setAuthor(author);
  if (subject !== undefined) document.setSubject(subject);
  if (keywords !== undefined) document.setKeywords(keywords.split(",").map((one) => one.trim()));
  const protect = call.text("protect");
  if (protect !== undefined) {
    if (protect === "") throw usage("--protect needs a password");
    document.encrypt({
      userPassword: protect,
      ownerPassword: protect,
      permissions: { printing: "highResolution", modifying: false, copying: true },
    });
  }
  call.write([
    {
      path: out,
      bytes: await savePdf(
        protect === undefined && call.text("password") !== undefined
          ? await assemble([{ document, pages: parsePages("all", document.getPageCount()) }])
          : document,
      ),
    },
  ]);
}

const password = { value: "TEXT", help: "password of the document" };
const pageList = { value: "LIST", help: "pages such as 1-3,7,10-, last, odd, even (all)" };
const color = { value: "RRGGBB", help: "colour of the text" };

await runProgram({
  name: "pdf",
  about: "Reads, creates, merges, splits, stamps and fills PDF files. Needs Node.js alone.",
  commands: {
    read: {
      usage: "FILE.pdf",
      summary:
        "print the text as Markdown with headings, lists and tables, as text in its layout, or as JSON with places",
      options: {
        format: { value: "FORMAT", help: "markdown (default), text or json" },
        pages: pageList,
        "page-marks": { help: "mark where pages begin" },
        out: { value: "FILE", short: "o", help: "write it there" },
        password,
      },
      run: read,
    },
    info: {
      usage: "FILE.pdf",
      summary: "print pages, size, properties, outline, whether there is text and a form, as JSON",
      options: { password },
      run: info,
    },
    create: {
      usage: "OUT.pdf --from FILE.md",
      summary: "make a PDF from Markdown, text or pictures",
      options: {
        from: {
          value: "FILE",
          multiple: true,
          help: "a .md or .txt file, or .png and .jpg files, one page each; - reads Markdown from standard input",
        },
        title: { value: "TEXT", help: "title in the properties" },
        header: { value: "TEXT", help: "text at the top of each page" },
        footer: { value: "TEXT", help: "text at the bottom of each page" },
        "page-numbers": { help: "page numbers at the bottom" },
        ...pageOptions,
        ...fontOptions,
      },
      run: create,
    },
    convert: {
      usage: "INPUT OUTPUT",
      summary: "convert by file endings: .pdf to .md, .txt, .json; .md, .txt, .png, .jpg to .pdf",
      options: {
        pages: pageList,
        "page-marks": { help: "mark where pages begin" },
        "page-numbers": { help: "number the pages of a new PDF" },
        ...pageOptions,
        ...fontOptions,
        password,
      },
      run: convert,
    },
    merge: {
      usage: "OUT.pdf FIRST.pdf SECOND.pdf …",
      summary: "put documents one after the other; FILE.pdf[1-3] takes some pages",
      options: { password },
      run: merge,
    },
    split: {
      usage: "IN.pdf FOLDER",
      summary: "one file for each page, for every N pages, or for ranges",
      options: {
        every: { value: "N", help: "so many pages a file (1)" },
        ranges: { value: "LISTS", help: "a file for each list: 1-3;4-10;11-" },
        password,
      },
      run: split,
    },
    pages: {
      usage: "IN.pdf OUT.pdf --keep 1-3,7",
      summary: "extract, reorder or delete pages",
      options: {
        keep: { value: "LIST", help: "these pages, in this order" },
        delete: { value: "LIST", help: "all but these" },
        password,
      },
      run: pages,
    },
    rotate: {
      usage: "IN.pdf OUT.pdf --by 90",
      summary: "turn pages clockwise",
      options: { by: { value: "DEGREES", help: "90, 180 or 270" }, pages: pageList, password },
      run: rotate,
    },
    watermark: {
      usage: "IN.pdf OUT.pdf --text TEXT",
      summary: "a text or picture across the pages",
      options: {
        text: { value: "TEXT", help: "the text" },
        picture: { value: "FILE", help: "a .png or .jpg file" },
        opacity: { value: "0-1", help: "how strong (0.18)" },
        angle: { value: "DEGREES", help: "rising to the right (45)" },
        size: { value: "POINTS", help: "size of the text (fitted)" },
        color,
        pages: pageList,
        ...fontOptions,
        password,
      },
      run: watermark,
    },
    stamp: {
      usage: "IN.pdf OUT.pdf",
      summary: "page numbers or a line of text at the edge",
      options: {
        text: { value: "TEXT", help: "may hold {page} and {pages} ({page} / {pages})" },
        place: { value: "PLACE", help: `${places.join(", ")} (bottom)` },
        size: { value: "POINTS", help: "size of the text (9)" },
        margin: { value: "POINTS", help: "from the edge (24)" },
        color,
        pages: pageList,
        ...fontOptions,
        password,
      },
      run: stamp,
    },
    fields: {
      usage: "FILE.pdf",
      summary: "list the fields of a form with kinds, values and choices as JSON",
      options: { password },
      run: fields,
    },
    fill: {
      usage: "IN.pdf OUT.pdf --data DATA.json",
      summary: "fill a form, in any script",
      options: {
        data: { value: "JSON", help: "a JSON file, or JSON itself; check boxes take true and false" },
        flatten: { help: "turn the fields into plain text" },
        ...fontOptions,
        password,
      },
      run: fill,
    },
    pictures: {
      usage: "IN.pdf FOLDER",
      summary: "take the pictures out",
      options: { password },
      run: pictures,
    },
    properties: {
      usage: "IN.pdf OUT.pdf --title TEXT",
      summary: "set title and other properties, set or remove a password",
      options: {
        title: { value: "TEXT", help: "title" },
        author: { value: "TEXT", help: "author" },
        subject: { value: "TEXT", help: "subject" },
        keywords: { value: "A,B", help: "keywords" },
        protect: { value: "PASSWORD", help: "needed to open the output" },
        password: { value: "TEXT", help: "password of the input; the output has none" },
      },
      run: properties,
    },
  },
});
