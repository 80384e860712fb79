import { marked, type Token, type Tokens } from "marked";
import type {
  Block,
  Inline,
  Note,
  Paragraph,
  Section,
  TableCell,
  TextDocument,
  TextStyle,
} from "./document.ts";
import { type PageSetup, pageSetup, textOf } from "./document.ts";

export interface MarkdownOptions {
  readonly page?: PageSetup;
  readonly fontSize?: number;
  readonly font?: string;
  /** Bytes of a picture that the text names, or null when it cannot be had. */
  readonly loadPicture: (name: string) => Uint8Array | null;
}

interface State {
  readonly load: (name: string) => Uint8Array | null;
  readonly footnotes: ReadonlyMap<string, string>;
  readonly notes: Note[];
  lists: number;
}

const bullets = ["•", "◦", "▪"];

/**
 * Markdown (with GitHub's tables, task lists and footnotes) as a document. `<!-- pagebreak -->` begins a page; title and
 * author come from a head between `---` lines. HTML is read as its text.
 */
export function readMarkdown(text: string, options: MarkdownOptions): TextDocument {
  const { head, body } = splitHead(text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n"));
  const { rest, footnotes } = takeFootnotes(body);
  const state: State = { load: options.loadPicture, footnotes, notes: [], lists: 0 };
  const blocks = blocksOf(marked.lexer(rest, { gfm: true }), state);
  const heading = blocks.find(
    (block): block is Paragraph => block.kind === "paragraph" && block.heading === 1,
  );
  const page = options.page ?? (pageSetup("a4") as PageSetup);
  const section: Section = { page, blocks, header: [], footer: [] };
  return {
    title: head.get("title") ?? (heading ? textOf(heading.inlines) : ""),
    author: head.get("author") ?? "",
    sections: [section],
    notes: state.notes,
    fontSize: options.fontSize ?? 11,
    font: options.font ?? "sans",
  };
}

/** `key: value` lines between `---` at the very beginning. */
export function splitHead(text: string): {
  readonly head: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const found = /^---\n([\s\S]*?)\n---(?:\n|$)/.exec(text);
  const lines = found?.[1]?.split("\n") ?? [];
  const pairs = lines.map((line) => /^([\w-]+):\s*(.*?)\s*$/.exec(line));
  if (found === null || pairs.some((pair, index) => pair === null && (lines[index] ?? "").trim() !== ""))
    return { head: new Map(), body: text };
  const head = new Map(
    pairs.flatMap((pair) =>
      pair ? [[(pair[1] ?? "").toLowerCase(), (pair[2] ?? "").replace(/^(["'])(.*)\1$/, "$2")] as const] : [],
    ),
  );
  return { head, body: text.slice(found[0].length) };
}

function takeFootnotes(text: string): {
  readonly rest: string;
  readonly footnotes: ReadonlyMap<string, string>;
} {
  const footnotes = new Map<string, string>();
  const lines: string[] = [];
  let fence = "";
  for (const line of text.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]?.[0] ?? "";
    if (mark !== "" && (fence === "" || fence === mark)) fence = fence === "" ? mark : "";
    const found = fence === "" ? /^\[\^([^\]\s]+)\]:\s*(.*)$/.exec(line) : null;
    if (found) footnotes.set(found[1] ?? "", found[2] ?? "");
    else lines.push(line);
  }
  return { rest: lines.join("\n"), footnotes };
}

function blocksOf(tokens: readonly Token[], state: State): Block[] {
  return tokens.flatMap((token) => blockOf(token, state));
}

function blockOf(token: Token, state: State): readonly Block[] {
  switch (token.type) {
    case "heading": {
      const { depth, tokens } = token as Tokens.Heading;
      return [{ kind: "paragraph", heading: depth, inlines: inlinesOf(tokens, {}, state) }];
    }
    case "paragraph":
    case "text": {
      const { tokens, text } = token as Tokens.Text;
      return [
        {
          kind: "paragraph",
          inlines: tokens ? inlinesOf(tokens, {}, state) : [{ kind: "text", text: unescapeHtml(text) }],
        },
      ];
    }
    case "code":
      return [
        { kind: "code", text: (token as Tokens.Code).text, language: (token as Tokens.Code).lang ?? "" },
      ];
    case "hr":
      return [{ kind: "rule" }];
    case "blockquote":
      return blocksOf((token as Tokens.Blockquote).tokens, state).map((block) =>
        block.kind === "paragraph" ? { ...block, quote: true } : block,
      );
    case "list":
      return listOf(token as Tokens.List, 0, state);
    case "table":
      return [tableOf(token as Tokens.Table, state)];
    case "html": {
      const { text } = token as Tokens.HTML;
      if (/page-?break/i.test(text)) return [{ kind: "page" }];
      const plain = textOfHtml(text).trim();
      return plain === "" ? [] : [{ kind: "paragraph", inlines: [{ kind: "text", text: plain }] }];
    }
    default:
      return [];
  }
}

function listOf(list: Tokens.List, level: number, state: State): readonly Block[] {
  state.lists += 1;
  const id = state.lists;
  const first = typeof list.start === "number" ? list.start : 1;
  return list.items.flatMap((item, index) => {
    const label = list.ordered
      ? `${first + index}.`
      : item.task
        ? item.checked
          ? "☑"
          : "☐"
        : (bullets[level % 3] ?? "•");
    const place = {
      level,
      ordered: list.ordered,
      label,
      id,
      ...(item.task ? { checked: item.checked === true } : {}),
    };
    let labelled = false;
    return item.tokens.flatMap((token): readonly Block[] => {
      if (token.type === "checkbox") return [];
      if (token.type === "list") return listOf(token as Tokens.List, level + 1, state);
      return blockOf(token, state).map((block) => {
        if (block.kind !== "paragraph") return block;
        if (labelled) return { ...block, left: 18 * (level + 1) };
        labelled = true;
        return { ...block, list: place };
      });
    });
  });
}

function tableOf(table: Tokens.Table, state: State): Block {
  const cellOf = (cell: Tokens.TableCell, header: boolean): TableCell => ({
    blocks: [
      {
        kind: "paragraph",
        inlines: inlinesOf(cell.tokens, header ? { bold: true } : {}, state),
        ...(cell.align ? { align: cell.align } : {}),
      },
    ],
    columns: 1,
    rows: 1,
  });
  return {
    kind: "table",
    widths: [],
    borders: true,
    rows: [
      { header: true, cells: table.header.map((cell) => cellOf(cell, true)) },
      ...table.rows.map((row) => ({ header: false, cells: row.map((cell) => cellOf(cell, false)) })),
    ],
  };
}

function inlinesOf(tokens: readonly Token[], style: TextStyle, state: State): Inline[] {
  return tokens.flatMap((token): readonly Inline[] => {
    switch (token.type) {
      case "strong":
        return inlinesOf((token as Tokens.Strong).tokens, { ...style, bold: true }, state);
      case "em":
        return inlinesOf((token as Tokens.Em).tokens, { ...style, italic: true }, state);
      case "del":
        return inlinesOf((token as Tokens.Del).tokens, { ...style, strike: true }, state);
      case "codespan":
        return [{ kind: "text", text: (token as Tokens.Codespan).text, ...style, code: true }];
      case "br":
        return [{ kind: "break" }];
      case "link": {
        const { tokens: inner, href } = token as Tokens.Link;
        return inlinesOf(
          inner,
          /^(?:https?:|mailto:|#)/i.test(href) ? { ...style, link: href } : style,
          state,
        );
      }
      case "image": {
        const { href, text } = token as Tokens.Image;
        return [
          { kind: "picture", bytes: state.load(href), name: href, alt: text, width: null, height: null },
        ];
      }
      case "html": {
        const { text } = token as Tokens.Tag;
        if (/^<br\s*\/?>$/i.test(text)) return [{ kind: "break" }];
        const plain = textOfHtml(text);
        return plain === "" ? [] : [{ kind: "text", text: plain, ...style }];
      }
      case "checkbox":
        return [];
      case "escape":
      case "text": {
        const inner = (token as Tokens.Text).tokens;
        if (inner) return inlinesOf(inner, style, state);
        return withFootnotes(unescapeHtml((token as Tokens.Text).text), style, state);
      }
      default:
        return [];
    }
  });
}

function withFootnotes(text: string, style: TextStyle, state: State): readonly Inline[] {
  return text
    .replaceAll("\n", " ")
    .split(/(\[\^[^\]\s]+\])/)
    .flatMap((part): readonly Inline[] => {
      const id = /^\[\^(.+)\]$/.exec(part)?.[1];
      const note = id === undefined ? undefined : state.footnotes.get(id);
      if (id === undefined || note === undefined)
        return part === "" ? [] : [{ kind: "text", text: part, ...style }];
      const known = state.notes.find((one) => one.id === id);
      const label = known?.label ?? String(state.notes.length + 1);
      if (known === undefined)
        state.notes.push({
          id,
          label,
          blocks: [{ kind: "paragraph", inlines: [{ kind: "text", text: note }] }],
        });
      return [{ kind: "note", id, label }];
    });
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: "\u00A0",
  "#39": "'",
};

export function unescapeHtml(text: string): string {
  return text.replace(/&(#\d{1,7}|#x[\da-f]{1,6}|\w{2,8});/gi, (all, name: string) => {
    const numeric = /^#x/i.test(name)
      ? Number.parseInt(name.slice(2), 16)
      : name[0] === "#"
        ? Number(name.slice(1))
        : Number.NaN;
    if (Number.isInteger(numeric) && numeric > 0 && numeric <= 0x10ffff) return String.fromCodePoint(numeric);
    return entities[name.toLowerCase()] ?? all;
  });
}

function textOfHtml(html: string): string {
  return unescapeHtml(html.replace(/<!--[\s\S]*?-->/g, "").replace(/<[^>]*>/g, ""));
}
