import { readFileSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { type Call, readInput, readJson, readText, runProgram } from "../common/command.ts";
import type { Block, Inline, TextDocument } from "../common/document.ts";
import { Failure, usage } from "../common/failure.ts";
import { literalPattern } from "../common/find-edits.ts";
import { documentFromMarkdown, fontOptions, fontSettings } from "../common/markdown-file.ts";
import { OfficePackage } from "../common/office-package.ts";
import { writeMarkdown } from "../common/write-markdown.ts";
import { drawDeck } from "./draw-deck.ts";
import { arrangeSlides, mergeDecks, replaceInSlides } from "./edit-deck.ts";
import {
  type Deck,
  readDeck,
  type Shape,
  type SlideParagraph,
  slideParts,
  textOfShape,
} from "./read-pptx.ts";
import { type ChartData, type NewSlide, slidesOf, takeNotes, writePptx } from "./write-pptx.ts";

function open(path: string): OfficePackage {
  if (extname(path).toLowerCase() === ".ppt")
    throw new Failure(`${path} is in the old binary format`, {
      hint: "save it as .pptx first; LibreOffice: soffice --headless --convert-to pptx FILE",
    });
  return OfficePackage.open(readInput(path), path);
}

const isShown = (shape: Shape): boolean =>
  !["sldNum", "dt", "ftr", "hdr", "title", "ctrTitle"].includes(shape.placeholder ?? "");

function paragraphBlock(paragraph: SlideParagraph): Block {
  const inlines: Inline[] = paragraph.runs.map((run) =>
    run.text === "\n"
      ? { kind: "break" }
      : {
          kind: "text",
          text: run.text,
          ...(run.bold ? { bold: true } : {}),
          ...(run.italic ? { italic: true } : {}),
          ...(run.link ? { link: run.link } : {}),
        },
  );
  const { bullet, level } = paragraph;
  if (bullet === null) return { kind: "paragraph", inlines };
  return { kind: "paragraph", inlines, list: { level, ordered: /^\d/.test(bullet), label: bullet, id: 1 } };
}

function shapeBlocks(shape: Shape): readonly Block[] {
  if (shape.kind === "table")
    return [
      {
        kind: "table",
        borders: true,
        widths: [],
        rows: (shape.rows ?? []).map((row, at) => ({
          header: at === 0,
          cells: row.map((cell) => ({
            blocks: cell.paragraphs.map(paragraphBlock),
            columns: cell.columns,
            rows: cell.rows,
          })),
        })),
      },
    ];
  if (shape.kind === "picture" && shape.picture)
    return [
      {
        kind: "paragraph",
        inlines: [
          {
            kind: "picture",
            bytes: null,
            name: basename(shape.picture.part),
            alt: shape.picture.alt,
            width: null,
            height: null,
          },
        ],
      },
    ];
  if (shape.kind === "chart" && shape.chart) {
    const { title, labels, series } = shape.chart;
    const cell = (text: string) => ({
      blocks: [{ kind: "paragraph" as const, inlines: [{ kind: "text" as const, text }] }],
      columns: 1,
      rows: 1,
    });
    const rows = labels.map((label, at) => ({
      header: false,
      cells: [cell(label), ...series.map(({ values }) => cell(String(values[at] ?? "")))],
    }));
    return [
      {
        kind: "paragraph",
        inlines: [{ kind: "text", text: `Chart${title ? `: ${title}` : ""}`, italic: true }],
      },
      {
        kind: "table",
        borders: true,
        widths: [],
        rows: [{ header: true, cells: [cell(""), ...series.map(({ name }) => cell(name))] }, ...rows],
      },
    ];
  }
  return shape.paragraphs
    .filter(({ runs }) => runs.some(({ text }) => text.trim() !== ""))
    .map(paragraphBlock);
}

/** Reading order: as placed, from top to bottom. */
const ordered = (shapes: readonly Shape[]): readonly Shape[] =>
  [...shapes].sort((a, b) =>
    Math.abs((a.box?.y ?? 0) - (b.box?.y ?? 0)) < 12
      ? (a.box?.x ?? 0) - (b.box?.x ?? 0)
      : (a.box?.y ?? 0) - (b.box?.y ?? 0),
  );

function markdownOf(deck: Deck): string {
  return deck.slides
    .map((slide) => {
      const blocks = ordered(slide.shapes.filter(isShown)).flatMap(shapeBlocks);
      const head = `## Slide ${slide.number}${slide.title ? `: ${slide.title}` : ""}${slide.hidden ? " (hidden)" : ""}\n`;
      const notes = slide.notes ? `\n> Notes: ${slide.notes.replaceAll("\n", "\n> ")}\n` : "";
      const text =
        blocks.length > 0 ? `\n${writeMarkdown(blocks, [], { picture: () => null, changes: "accept" })}` : "";
      return head + text + notes;
    })
    .join("\n");
}

function read(call: Call): void {
  const deck = readDeck(open(call.needed(0, "the presentation")));
  const format = call.text("format") ?? "markdown";
  let text: string;
  if (format === "markdown") text = markdownOf(deck);
  else if (format === "text")
    text = deck.slides
      .map((slide) => ordered(slide.shapes).map(textOfShape).filter(Boolean).join("\n"))
      .join("\n\n");
  else if (format === "json")
    text = `${JSON.stringify({ width: deck.width, height: deck.height, slides: deck.slides.map(({ behind: _behind, ...slide }) => slide) }, null, 1)}\n`;
  else throw usage(`--format is markdown, text or json, not "${format}"`);
  const out = call.text("out");
  if (out === undefined) call.print(text);
  else call.write([{ path: out, bytes: text }]);
}

function info(call: Call): void {
  const path = call.needed(0, "the presentation");
  const deck = readDeck(open(path));
  const count = (kind: Shape["kind"]): number =>
    deck.slides.reduce((sum, slide) => sum + slide.shapes.filter((shape) => shape.kind === kind).length, 0);
  const text = deck.slides.flatMap((slide) => [...slide.shapes.map(textOfShape), slide.notes]).join("\n");
  call.print(
    JSON.stringify(
      {
        file: path,
        slides: deck.slides.length,
        size: { width: deck.width, height: deck.height },
        titles: deck.slides.map(({ title }) => title),
        hidden: deck.slides.filter(({ hidden }) => hidden).map(({ number }) => number),
        pictures: count("picture"),
        tables: count("table"),
        charts: count("chart"),
        withNotes: deck.slides.filter(({ notes }) => notes !== "").length,
        placeholders: [...new Set([...text.matchAll(/\{\{\s*([^{}]+?)\s*\}\}/g)].map((match) => match[1]))],
      },
      null,
      2,
    ),
  );
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function chartFrom(value: unknown): ChartData | null {
  if (!isObject(value) || !Array.isArray(value.labels) || !Array.isArray(value.series)) return null;
  const type = ["bar", "line", "pie", "area", "doughnut"].find((one) => one === value.type) as
    | ChartData["type"]
    | undefined;
  if (type === undefined) throw usage('a chart\'s type is "bar", "line", "pie", "area" or "doughnut"');
  return {
    type,
    labels: value.labels.map(String),
    series: value.series.filter(isObject).map((one) => ({
      name: String(one.name ?? ""),
      values: Array.isArray(one.values) ? one.values.map(Number) : [],
    })),
  };
}

/** Slides as JSON: `{"slides": [{"title", "markdown", "chart", "notes", "cover"}]}`. */
function slidesFromJson(path: string, call: Call): readonly NewSlide[] {
  const data = readJson(path);
  const list = isObject(data) && Array.isArray(data.slides) ? data.slides : Array.isArray(data) ? data : null;
  if (list === null) throw usage('the JSON must be {"slides": […]}');
  const folder = dirname(path);
  return list.filter(isObject).map((one): NewSlide => {
    const text =
      typeof one.markdown === "string"
        ? one.markdown
        : Array.isArray(one.bullets)
          ? one.bullets.map((bullet) => `- ${String(bullet)}`).join("\n")
          : "";
    const chart = chartFrom(one.chart);
    return {
      title: String(one.title ?? ""),
      cover: one.cover === true,
      blocks: documentOf(text, { call, folder }).sections.flatMap(({ blocks }) => blocks),
      notes: String(one.notes ?? ""),
      ...(chart ? { chart } : {}),
    };
  });
}

function documentOf(
  text: string,
  { call, folder }: { readonly call: Call; readonly folder: string },
): TextDocument {
  return documentFromMarkdown(join(folder, "slides.md"), call, text);
}

async function build(out: string, from: string, call: Call): Promise<void> {
  let slides: readonly NewSlide[];
  let title = call.text("title") ?? "";
  let author = "";
  if (/\.json$/i.test(from)) slides = slidesFromJson(from, call);
  else {
    const { text, notes } = takeNotes(from === "-" ? readFileSync(0, "utf8") : readText(from));
    const document = documentOf(text, { call, folder: from === "-" ? "." : dirname(from) });
    slides = slidesOf(document, notes);
    title ||= document.title;
    author = document.author;
  }
  if (slides.length === 0) throw usage("there is nothing to make slides of");
  const accent = (call.text("accent") ?? "1F4E79").replace(/^#/, "");
  if (!/^[\da-f]{6}$/i.test(accent)) throw usage("--accent is six hexadecimal digits, such as 1F4E79");
  const { bytes, warnings } = await writePptx(slides, {
    look: {
      wide: !call.flag("standard"),
      font: call.text("font-name") ?? "Microsoft YaHei",
      accent: accent.toUpperCase(),
      dark: call.flag("dark"),
    },
    title,
    author,
  });
  for (const warning of warnings) call.warn(warning);
  call.write([{ path: out, bytes }]);
}

async function create(call: Call): Promise<void> {
  const [out, from] = [call.needed(0, "the output"), call.text("from")];
  if (from === undefined) throw usage("--from FILE.md or FILE.json is missing");
  await build(out, from, call);
}

async function convert(call: Call): Promise<void> {
  const [from, to] = [call.needed(0, "the input"), call.needed(1, "the output")];
  const [source, target] = [extname(from).toLowerCase(), extname(to).toLowerCase()];
  if ([".md", ".markdown", ".json"].includes(source) && target === ".pptx") {
    await build(to, from, call);
    return;
  }
  const pack = open(from);
  const deck = readDeck(pack);
  if (target === ".pdf") {
    const { bytes, pages, warnings } = drawDeck(deck, {
      pack,
      title: deck.slides[0]?.title ?? "",
      ...fontSettings(call),
    });
    for (const warning of warnings) call.warn(warning);
    call.write([{ path: to, bytes }]);
    call.print(`${pages} page${pages === 1 ? "" : "s"}`);
  } else if (target === ".md" || target === ".txt") call.write([{ path: to, bytes: markdownOf(deck) }]);
  else
    throw usage(`cannot convert "${source}" to "${target}"`, "from .pptx: .pdf, .md; from .md, .json: .pptx");
}

function replace(call: Call): void {
  const [path, out] = [call.needed(0, "the presentation"), call.needed(1, "the output")];
  const [finds, withs] = [call.texts("find"), call.texts("with")];
  if (finds.length === 0 || finds.length !== withs.length || finds.includes(""))
    throw usage("each --find TEXT needs a --with TEXT");
  const pack = open(path);
  const counts = replaceInSlides(
    pack,
    finds.map((find, at) => ({
      find: literalPattern(find, call.flag("ignore-case")),
      value: () => withs[at] ?? "",
    })),
  );
  finds.forEach((find, at) => {
    if (counts[at] === 0) call.warn(`not found: ${find}`);
  });
  const count = counts.reduce((sum, one) => sum + one, 0);
  if (count === 0) throw new Failure("nothing found");
  call.write([{ path: out, bytes: pack.save() }]);
  call.print(`${count} replaced`);
}

function fill(call: Call): void {
  const [path, out, given] = [
    call.needed(0, "the presentation"),
    call.needed(1, "the output"),
    call.text("data"),
  ];
  if (given === undefined) throw usage("--data is missing: a JSON file, or JSON itself");
  const data = readJson(given);
  const pack = open(path);
  const missing = new Set<string>();
  const value = ([, name = ""]: readonly string[]): string | null => {
    const found = name
      .split(".")
      .reduce<unknown>(
        (inner, part) => (isObject(inner) && Object.hasOwn(inner, part) ? inner[part] : undefined),
        data,
      );
    if (found === undefined) missing.add(name);
    return found === undefined ? null : found === null ? "" : String(found);
  };
  const [count = 0] = replaceInSlides(pack, [{ find: /\{\{\s*([^{}]+?)\s*\}\}/gu, value }]);
  if (missing.size > 0) call.warn(`without a value, left as they are: ${[...missing].join(", ")}`);
  if (count === 0) throw new Failure("nothing was filled: no text has a placeholder {{name}} of these names");
  call.write([{ path: out, bytes: pack.save() }]);
  call.print(`${count} filled`);
}

function numbersOf(text: string, count: number): readonly number[] {
  return text.split(",").flatMap((part) => {
    const found = /^\s*(\d+)?(-)?(\d+)?\s*$/.exec(part);
    if (found === null || part.trim() === "") throw usage(`"${part}" is no slide: write 1-3,7,10-`);
    const from = Number(found[1] ?? 1);
    const to = found[2] ? Number(found[3] ?? count) : from;
    if (from < 1 || to > count || to < from)
      throw usage(`there are slides 1 to ${count}, not ${part.trim()}`);
    return Array.from({ length: to - from + 1 }, (_, at) => from - 1 + at);
  });
}

function slides(call: Call): void {
  const [path, out] = [call.needed(0, "the presentation"), call.needed(1, "the output")];
  const [keep, drop] = [call.text("keep"), call.text("delete")];
  if ((keep === undefined) === (drop === undefined)) throw usage("either --keep or --delete is needed");
  const pack = open(path);
  const count = slideParts(pack).length;
  const gone = new Set(drop === undefined ? [] : numbersOf(drop, count));
  const wanted =
    keep === undefined
      ? Array.from({ length: count }, (_, at) => at).filter((at) => !gone.has(at))
      : numbersOf(keep, count);
  if (wanted.length === 0) throw usage("no slide would be left");
  arrangeSlides(pack, wanted);
  call.write([{ path: out, bytes: pack.save() }]);
  call.print(`${wanted.length} slide${wanted.length === 1 ? "" : "s"}`);
}

function merge(call: Call): void {
  const [out, ...inputs] = [call.needed(0, "the output"), ...call.positionals.slice(1)];
  if (inputs.length < 2) throw usage("name at least two presentations to merge");
  const [first, ...rest] = inputs.map(open);
  mergeDecks(first as OfficePackage, rest);
  call.write([{ path: out, bytes: (first as OfficePackage).save() }]);
}

function pictures(call: Call): void {
  const [path, folder] = [call.needed(0, "the presentation"), call.needed(1, "the output folder")];
  const pack = open(path);
  const names = pack.names().filter((name) => /\/media\//.test(name));
  if (names.length === 0) throw new Failure(`${path} has no pictures`);
  call.write(names.map((name) => ({ path: join(folder, basename(name)), bytes: pack.bytes(name) })));
}

const looks = {
  title: { value: "TEXT", help: "title in the properties" },
  accent: { value: "RRGGBB", help: "colour of cover, titles and tables (1F4E79)" },
  dark: { help: "light text on a dark ground" },
  standard: { help: "4:3 in place of 16:9" },
  "font-name": { value: "NAME", help: "font of all text (Microsoft YaHei)" },
};

await runProgram({
  name: "pptx",
  about: "Reads, creates, edits and converts PowerPoint presentations (.pptx). Needs Node.js alone.",
  commands: {
    read: {
      usage: "FILE.pptx",
      summary: "print titles, text, tables, chart numbers and notes of all slides",
      options: {
        format: { value: "FORMAT", help: "markdown (default), text or json with places" },
        out: { value: "FILE", short: "o", help: "write it there" },
      },
      run: read,
    },
    info: {
      usage: "FILE.pptx",
      summary: "print count, size, titles, pictures, tables, charts, placeholders as JSON",
      run: info,
    },
    create: {
      usage: "OUT.pptx --from FILE.md",
      summary: "make a presentation from Markdown or JSON",
      options: {
        from: { value: "FILE", help: "a .md or .json file; - reads Markdown from standard input" },
        ...looks,
      },
      notes: [
        "Markdown: # makes a cover, ## a slide, --- one without a title; lists, tables, code and pictures go on it;",
        "<!-- notes: … --> are the speaker's notes. Text without room goes on on the next slide.",
        'JSON: {"slides": [{"title", "cover", "markdown" | "bullets", "notes", "chart": {"type": "bar", "labels": […], "series": [{"name", "values"}]}}]}.',
      ],
      run: create,
    },
    convert: {
      usage: "INPUT OUTPUT",
      summary: "convert by file endings: .pptx to .pdf, .md; .md, .json to .pptx",
      options: { ...looks, ...fontOptions },
      run: convert,
    },
    replace: {
      usage: "IN.pptx OUT.pptx --find OLD --with NEW",
      summary: "replace text on slides and in notes, keeping its look",
      options: {
        find: { value: "TEXT", multiple: true, help: "what to look for; may be repeated" },
        with: { value: "TEXT", multiple: true, help: "what takes its place, one for each --find" },
        "ignore-case": { help: "upper and lower case are equal" },
      },
      run: replace,
    },
    fill: {
      usage: "IN.pptx OUT.pptx --data DATA.json",
      summary: "fill placeholders {{name}}",
      options: { data: { value: "JSON", help: "a JSON file, or JSON itself" } },
      run: fill,
    },
    slides: {
      usage: "IN.pptx OUT.pptx --keep 1-3,7",
      summary: "extract, reorder, copy or delete slides",
      options: {
        keep: { value: "LIST", help: "these slides in this order; a number twice copies it" },
        delete: { value: "LIST", help: "all but these" },
      },
      run: slides,
    },
    merge: {
      usage: "OUT.pptx FIRST.pptx SECOND.pptx …",
      summary: "append presentations; each keeps its look",
      run: merge,
    },
    pictures: { usage: "IN.pptx FOLDER", summary: "take the pictures out", run: pictures },
  },
});
