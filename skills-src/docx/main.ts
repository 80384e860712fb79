import { basename, extname, join } from "node:path";
import { type Call, readInput, readJson, runProgram } from "../common/command.ts";
import type { Block, TextDocument } from "../common/document.ts";
import { Failure, usage } from "../common/failure.ts";
import { literalPattern, type Search } from "../common/find-edits.ts";
import { drawDocument } from "../common/layout-document.ts";
import { documentFromMarkdown, fontOptions, fontSettings, pageOptions } from "../common/markdown-file.ts";
import { OfficePackage } from "../common/office-package.ts";
import { writeMarkdown, writePlainText } from "../common/write-markdown.ts";
import type { OutputFile } from "../common/write-whole.ts";
import { listChanges, settleChanges } from "./changes.ts";
import { addComment } from "./comment.ts";
import { fillDocx } from "./fill.ts";
import { insertBlocks, removeBlocks } from "./insert.ts";
import { mergeDocx } from "./merge.ts";
import { readDocx } from "./read-docx.ts";
import { expand, replaceText } from "./replace.ts";
import { splitDocx } from "./split.ts";
import { writeDocx } from "./write-docx.ts";

const open = (path: string): OfficePackage => {
  const pack = OfficePackage.open(readInput(path), path);
  if (!pack.main().startsWith("word/") && !/word/.test(pack.contentType(pack.main()) ?? ""))
    throw new Failure(`${path} is no Word document`);
  return pack;
};

const blocksOf = (document: TextDocument): readonly Block[] =>
  document.sections.flatMap(({ blocks }) => blocks);

const today = (): string => `${new Date().toISOString().slice(0, 19)}Z`;

interface Written {
  readonly text: string;
  /** Files that the text names. */
  readonly pictures: readonly OutputFile[];
}

function markdownOf(path: string, call: Call): Written {
  const { document, comments } = readDocx(open(path));
  const folder = call.text("pictures");
  const saved = new Map<string, string>();
  const pictures: OutputFile[] = [];
  if (folder !== undefined)
    for (const { name, bytes } of blocksOf(document).flatMap(picturesOf)) {
      if (bytes === null || saved.has(name)) continue;
      const file = join(folder, basename(name));
      saved.set(name, file);
      pictures.push({ path: file, bytes });
    }
  const text = writeMarkdown(blocksOf(document), document.notes, {
    picture: (name) => saved.get(name) ?? null,
    changes: call.flag("show-changes") ? "show" : "accept",
  });
  if (comments.length === 0) return { text, pictures };
  const rows = comments.map(
    (one) => `- ${one.author}${one.on ? ` on “${one.on.slice(0, 80)}”` : ""}: ${one.text}`,
  );
  return { text: `${text}\n<!-- comments\n${rows.join("\n")}\n-->\n`, pictures };
}

function picturesOf(block: Block): readonly { readonly name: string; readonly bytes: Uint8Array | null }[] {
  if (block.kind === "paragraph")
    return block.inlines.flatMap((one) => (one.kind === "picture" ? [one] : []));
  if (block.kind === "table")
    return block.rows.flatMap(({ cells }) => cells.flatMap((cell) => cell.blocks.flatMap(picturesOf)));
  return [];
}

function read(call: Call): void {
  const path = call.needed(0, "the document");
  const format = call.text("format") ?? "markdown";
  const { document, comments } =
    format === "markdown" ? { document: null, comments: [] } : readDocx(open(path));
  let text: string;
  let pictures: readonly OutputFile[] = [];
  if (format === "markdown" || format === "md") ({ text, pictures } = markdownOf(path, call));
  else if (document !== null && format === "text") text = writePlainText(blocksOf(document));
  else if (document !== null && format === "json")
    text = `${JSON.stringify({ title: document.title, author: document.author, blocks: blocksOf(document), notes: document.notes, comments, changes: listChanges(open(path)) }, (key, value) => (key === "bytes" ? undefined : value), 1)}\n`;
  else throw usage(`--format is markdown, text or json, not "${format}"`);
  const out = call.text("out");
  if (out !== undefined) call.write([...pictures, { path: out, bytes: text }]);
  else {
    call.write(pictures, { aside: true });
    call.print(text);
  }
}

function info(call: Call): void {
  const path = call.needed(0, "the document");
  const pack = open(path);
  const { document, comments } = readDocx(pack);
  const blocks = blocksOf(document);
  const text = writePlainText(blocks);
  const [page] = document.sections;
  call.print(
    JSON.stringify(
      {
        file: path,
        title: document.title,
        author: document.author,
        paragraphs: blocks.filter(({ kind }) => kind === "paragraph").length,
        tables: blocks.filter(({ kind }) => kind === "table").length,
        pictures: new Set(blocks.flatMap(picturesOf).map(({ name }) => name)).size,
        words: (text.match(/[\p{L}\p{N}]+/gu) ?? []).reduce(
          (sum, word) => sum + (/\p{Script=Han}/u.test(word) ? [...word].length : 1),
          0,
        ),
        page: page ? { width: Math.round(page.page.width), height: Math.round(page.page.height) } : null,
        headings: blocks.flatMap((block) =>
          block.kind === "paragraph" && block.heading
            ? [{ level: block.heading, text: writePlainText([block]).trim() }]
            : [],
        ),
        styles: [
          ...new Set(
            blocks.flatMap((block) => (block.kind === "paragraph" && block.style ? [block.style] : [])),
          ),
        ],
        placeholders: [...new Set([...text.matchAll(/\{\{\s*([^{}]+?)\s*\}\}/g)].map((match) => match[1]))],
        comments: comments.length,
        changes: listChanges(pack).length,
      },
      null,
      2,
    ),
  );
}

const lookOptions = {
  "latin-font": { value: "NAME", help: "font of Western text (Calibri)" },
  "east-asian-font": { value: "NAME", help: "font of Chinese, Japanese and Korean text (Microsoft YaHei)" },
};

function create(call: Call): void {
  const [out, from] = [call.needed(0, "the output"), call.text("from")];
  if (from === undefined)
    throw usage("--from FILE.md is missing", "name a Markdown file, or - for standard input");
  const template = call.text("template");
  const [header, footer] = [call.text("header"), call.text("footer")];
  const document = documentFromMarkdown(from, call);
  const title = call.text("title");
  const { bytes, warnings } = writeDocx(title === undefined ? document : { ...document, title }, {
    look: {
      latin: call.text("latin-font") ?? "Calibri",
      eastAsian: call.text("east-asian-font") ?? "Microsoft YaHei",
      size: document.fontSize,
    },
    ...(template === undefined ? {} : { template: open(template) }),
    toc: call.flag("toc"),
    ...(header === undefined ? {} : { header }),
    ...(footer === undefined ? {} : { footer }),
    pageNumbers: call.flag("page-numbers"),
  });
  for (const warning of warnings) call.warn(warning);
  call.write([{ path: out, bytes }]);
}

function convert(call: Call): void {
  const [from, to] = [call.needed(0, "the input"), call.needed(1, "the output")];
  const [source, target] = [extname(from).toLowerCase(), extname(to).toLowerCase()];
  const isWord = [".docx", ".docm", ".dotx"].includes(source);
  const isText = [".md", ".markdown", ".txt"].includes(source);
  if (source === ".doc")
    throw new Failure(`${from} is in the old binary format`, {
      hint: "save it as .docx first; LibreOffice: soffice --headless --convert-to docx FILE",
    });
  if (!isWord && !isText) throw usage(`cannot convert from "${source}"`, "known: .docx, .md, .txt");
  if (target === ".pdf") {
    const document = isWord ? readDocx(open(from)).document : documentFromMarkdown(from, call);
    const { bytes, pages, warnings } = drawDocument(document, {
      ...fontSettings(call),
      pageNumbers: call.flag("page-numbers"),
    });
    for (const warning of warnings) call.warn(warning);
    call.write([{ path: to, bytes }]);
    call.print(`${pages} page${pages === 1 ? "" : "s"}`);
  } else if ((target === ".md" || target === ".markdown") && isWord) {
    const { text, pictures } = markdownOf(from, call);
    call.write([...pictures, { path: to, bytes: text }]);
  } else if (target === ".txt" && isWord)
    call.write([{ path: to, bytes: writePlainText(blocksOf(readDocx(open(from)).document)) }]);
  else if (target === ".docx" && isText) {
    const document = documentFromMarkdown(from, call);
    const { bytes, warnings } = writeDocx(document, {
      look: { latin: "Calibri", eastAsian: "Microsoft YaHei", size: document.fontSize },
    });
    for (const warning of warnings) call.warn(warning);
    call.write([{ path: to, bytes }]);
  } else
    throw usage(
      `cannot convert "${source}" to "${target}"`,
      "from .docx: .pdf, .md, .txt; from .md and .txt: .docx, .pdf",
    );
}

function searchesOf(call: Call): readonly Search[] {
  const [finds, withs] = [call.texts("find"), call.texts("with")];
  const pairs: (readonly [string, string])[] = finds.map((find, at) => {
    const value = withs[at];
    if (value === undefined) throw usage(`--with is missing for --find "${find}"`);
    return [find, value];
  });
  const more = call.text("pairs");
  if (more !== undefined) {
    const data = readJson(more);
    if (typeof data !== "object" || data === null || Array.isArray(data))
      throw usage('--pairs is an object: {"old": "new"}');
    pairs.push(...Object.entries(data).map(([find, value]) => [find, String(value)] as const));
  }
  if (pairs.length === 0) throw usage("nothing to replace: give --find and --with, or --pairs");
  const [isPattern, ignoreCase] = [call.flag("regex"), call.flag("ignore-case")];
  return pairs.map(([find, value]) => {
    if (find === "") throw usage("--find is empty");
    try {
      return isPattern
        ? { find: new RegExp(find, ignoreCase ? "giu" : "gu"), value: (match) => expand(value, match) }
        : { find: literalPattern(find, ignoreCase), value: () => value };
    } catch (error) {
      throw usage(`--find is no regular expression: ${error instanceof Error ? error.message : ""}`);
    }
  });
}

function replace(call: Call): void {
  const [path, out] = [call.needed(0, "the document"), call.needed(1, "the output")];
  const pack = open(path);
  const searches = searchesOf(call);
  const author = call.text("track");
  const counts = replaceText(pack, searches, author === undefined ? null : { author, date: today() });
  const none = searches.filter((_, at) => counts[at] === 0).map(({ find }) => find.source);
  if (none.length === searches.length) throw new Failure(`nothing found: ${none.join(", ")}`);
  for (const find of none) call.warn(`not found: ${find}`);
  call.write([{ path: out, bytes: pack.save() }]);
  call.print(`${counts.reduce((sum, one) => sum + one, 0)} replaced`);
}

function fill(call: Call): void {
  const [path, out] = [call.needed(0, "the document"), call.needed(1, "the output")];
  const given = call.text("data");
  if (given === undefined) throw usage("--data is missing: a JSON file, or JSON itself");
  const data = readJson(given);
  if (typeof data !== "object" || data === null || Array.isArray(data))
    throw usage("--data must be an object");
  const pack = open(path);
  const { count, missing, unused } = fillDocx(pack, data as Readonly<Record<string, unknown>>);
  if (unused.length > 0) call.warn(`not in the document: ${unused.join(", ")}`);
  if (missing.length > 0) call.warn(`without a value, left as they are: ${missing.join(", ")}`);
  if (count === 0)
    throw new Failure(
      "nothing was filled: the document has no placeholder {{name}} and no content control of these names",
    );
  call.write([{ path: out, bytes: pack.save() }]);
  call.print(`${count} filled`);
}

function changes(call: Call): void {
  const path = call.needed(0, "the document");
  const pack = open(path);
  const [accept, reject, author] = [call.flag("accept"), call.flag("reject"), call.text("author")];
  if (accept && reject) throw usage("--accept and --reject exclude each other");
  if (!accept && !reject) {
    call.print(JSON.stringify(listChanges(pack), null, 2));
    return;
  }
  const count = settleChanges(pack, { accept, ...(author === undefined ? {} : { author }) });
  call.write([{ path: call.needed(1, "the output"), bytes: pack.save() }]);
  call.print(`${count} ${accept ? "accepted" : "rejected"}`);
}

function comment(call: Call): void {
  const [path, out] = [call.needed(0, "the document"), call.needed(1, "the output")];
  const [on, text] = [call.text("on"), call.text("text")];
  if (on === undefined || text === undefined) throw usage("--on TEXT and --text COMMENT are needed");
  const pack = open(path);
  if (!addComment(pack, { on, text, author: call.text("author") ?? "Reviewer", date: today() }))
    throw new Failure(`no paragraph holds "${on}"`);
  call.write([{ path: out, bytes: pack.save() }]);
}

function insert(call: Call): void {
  const [path, out, from] = [call.needed(0, "the document"), call.needed(1, "the output"), call.text("from")];
  if (from === undefined) throw usage("--from FILE.md is missing");
  const [after, before] = [call.text("after"), call.text("before")];
  const pack = open(path);
  const place =
    after !== undefined
      ? ({ kind: "after", text: after } as const)
      : before !== undefined
        ? ({ kind: "before", text: before } as const)
        : ({ kind: "end" } as const);
  for (const warning of insertBlocks(pack, documentFromMarkdown(from, call), place)) call.warn(warning);
  call.write([{ path: out, bytes: pack.save() }]);
}

function remove(call: Call): void {
  const [path, out] = [call.needed(0, "the document"), call.needed(1, "the output")];
  const [text, section] = [call.text("text"), call.text("section")];
  if (text === undefined && section === undefined) throw usage("--text TEXT or --section HEADING is needed");
  const pack = open(path);
  const count = removeBlocks(pack, {
    ...(text === undefined ? {} : { text }),
    ...(section === undefined ? {} : { section }),
  });
  if (count === 0) throw new Failure("nothing found to remove");
  call.write([{ path: out, bytes: pack.save() }]);
  call.print(`${count} removed`);
}

function merge(call: Call): void {
  const [out, ...inputs] = [call.needed(0, "the output"), ...call.positionals.slice(1)];
  if (inputs.length < 2) throw usage("name at least two documents to merge");
  const [first, ...rest] = inputs.map(open);
  mergeDocx(first as OfficePackage, rest);
  call.write([{ path: out, bytes: (first as OfficePackage).save() }]);
}

function split(call: Call): void {
  const [path, folder] = [call.needed(0, "the document"), call.needed(1, "the output folder")];
  const level = call.number("level", { min: 1, max: 6 }) ?? 1;
  const parts = splitDocx(readInput(path), { what: path, level });
  if (parts.length < 2) throw new Failure(`${path} has no headings of level ${level} to split at`);
  const digits = String(parts.length).length;
  call.write(
    parts.map(({ title, bytes }, at) => {
      const name = title
        .normalize("NFC")
        .replace(/[\\/:*?"<>|\p{Cc}\s]+/gu, "-")
        .replace(/^[.-]+|[.-]+$/g, "");
      return {
        path: join(
          folder,
          `${String(at + 1).padStart(digits, "0")}${name ? `-${[...name].slice(0, 40).join("")}` : ""}.docx`,
        ),
        bytes,
      };
    }),
  );
}

await runProgram({
  name: "docx",
  about: "Reads, creates, edits and converts Word documents (.docx). Needs Node.js alone.",
  commands: {
    read: {
      usage: "FILE.docx",
      summary: "print the text with its structure as Markdown, plain text or JSON",
      options: {
        format: { value: "FORMAT", help: "markdown (default), text or json" },
        out: { value: "FILE", short: "o", help: "write it there" },
        pictures: { value: "FOLDER", help: "save the pictures there and link them" },
        "show-changes": {
          help: "mark tracked changes as {++inserted++} and {--deleted--}; without it they count as accepted",
        },
      },
      run: read,
    },
    info: {
      usage: "FILE.docx",
      summary: "print counts, headings, styles, placeholders, comments and changes as JSON",
      run: info,
    },
    create: {
      usage: "OUT.docx --from FILE.md",
      summary: "make a document from Markdown",
      options: {
        from: { value: "FILE.md", help: "the text; - reads standard input" },
        template: { value: "FILE.docx", help: "take styles, page, header and footer from there" },
        title: { value: "TEXT", help: "title in the properties (the first heading)" },
        toc: { help: "a table of contents first" },
        header: { value: "TEXT", help: "text at the top of each page" },
        footer: { value: "TEXT", help: "text at the bottom of each page" },
        "page-numbers": { help: "page numbers at the bottom" },
        ...pageOptions,
        ...lookOptions,
      },
      notes: [
        "Markdown: headings, lists, tasks, tables, pictures, links, code, quotes, footnotes; <!-- pagebreak --> begins a page.",
      ],
      run: create,
    },
    convert: {
      usage: "INPUT OUTPUT",
      summary: "convert by file endings: .docx to .pdf, .md, .txt; .md or .txt to .docx, .pdf",
      options: {
        "page-numbers": { help: "number the pages of a PDF that have no footer" },
        pictures: { value: "FOLDER", help: "for Markdown: save the pictures there" },
        "show-changes": { help: "for Markdown: mark tracked changes" },
        ...fontOptions,
        ...pageOptions,
      },
      run: convert,
    },
    replace: {
      usage: "IN.docx OUT.docx --find OLD --with NEW",
      summary: "replace text everywhere, keeping its look; also where it is spread over runs",
      options: {
        find: { value: "TEXT", multiple: true, help: "what to look for; may be repeated" },
        with: { value: "TEXT", multiple: true, help: "what takes its place, one for each --find" },
        pairs: { value: "JSON", help: 'many at once: {"old": "new"}, as a file or directly' },
        regex: { help: "--find is a regular expression, $1 its groups" },
        "ignore-case": { help: "upper and lower case are equal" },
        track: { value: "AUTHOR", help: "as tracked changes of that author" },
      },
      run: replace,
    },
    fill: {
      usage: "IN.docx OUT.docx --data DATA.json",
      summary: "fill placeholders {{name}}, repeated table rows, sections and content controls",
      options: { data: { value: "JSON", help: "a JSON file, or JSON itself" } },
      notes: [
        "{{a.b}} goes into objects; a table row with {{items.x}} is repeated for each element of the list `items`;",
        "paragraphs between {{#items}} and {{/items}}, each alone in its paragraph, are repeated as well.",
      ],
      run: fill,
    },
    insert: {
      usage: "IN.docx OUT.docx --from FILE.md",
      summary: "insert Markdown in the document's own styles",
      options: {
        from: { value: "FILE.md", help: "the text; - reads standard input" },
        after: { value: "TEXT", help: "after the first paragraph that holds this text" },
        before: { value: "TEXT", help: "before it; without both, at the end" },
        ...pageOptions,
      },
      run: insert,
    },
    remove: {
      usage: "IN.docx OUT.docx --text TEXT",
      summary: "remove paragraphs that hold a text, or a heading with its section",
      options: {
        text: { value: "TEXT", help: "paragraphs that hold it" },
        section: { value: "HEADING", help: "the section under this heading" },
      },
      run: remove,
    },
    changes: {
      usage: "IN.docx [OUT.docx]",
      summary: "list tracked changes, or accept or reject them",
      options: {
        accept: { help: "accept" },
        reject: { help: "reject" },
        author: { value: "NAME", help: "only those of this author" },
      },
      run: changes,
    },
    comment: {
      usage: "IN.docx OUT.docx --on TEXT --text COMMENT",
      summary: "put a comment on a text",
      options: {
        on: { value: "TEXT", help: "the text it is about; its first place counts" },
        text: { value: "COMMENT", help: "what it says" },
        author: { value: "NAME", help: "who says it (Reviewer)" },
      },
      run: comment,
    },
    merge: {
      usage: "OUT.docx FIRST.docx SECOND.docx …",
      summary: "append documents, each on a new page; page, header and footer are the first one's",
      run: merge,
    },
    split: {
      usage: "IN.docx FOLDER",
      summary: "one document for each section under a heading",
      options: { level: { value: "N", help: "headings up to this level begin a document (1)" } },
      run: split,
    },
  },
});
