import { GFM, parser } from "@lezer/markdown";
import { blank, type Line, line, lineWidth, type Span, span } from "./span.ts";
import { wrapLine } from "./wrap-line.ts";

const markdown = parser.configure(GFM);

/** Longer texts are shown as they are; some shapes take the parser quadratic time. */
const longest = 30_000;

type Node = ReturnType<ReturnType<typeof markdown.parse>["resolve"]>;

/** A Markdown text as rows of at most `columns`. What it does not know is shown as it is written. */
export function markdownLines(text: string, columns: number): readonly Line[] {
  if (text.length > longest) return text.split(/\r?\n/).flatMap((row) => wrapLine(line(row), columns));
  const tree = markdown.parse(text);
  return blocks(tree.topNode, { text, columns });
}

interface Context {
  readonly text: string;
  readonly columns: number;
}

function childrenOf(node: Node): readonly Node[] {
  const found: Node[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling) found.push(child);
  return found;
}

function blocks(node: Node, context: Context): readonly Line[] {
  const rows: Line[] = [];
  for (const child of childrenOf(node)) {
    const made = block(child, context);
    if (made === null) continue;
    if (rows.length > 0) rows.push(blank);
    rows.push(...made);
  }
  return rows;
}

function block(node: Node, context: Context): readonly Line[] | null {
  const { text, columns } = context;
  const { name } = node;
  if (/^(?:ATX|Setext)Heading/.test(name))
    return wrapLine(inline(node, context, { bold: true, color: "cyan" }), columns);
  switch (name) {
    case "Paragraph":
      return paragraph(node, context);
    case "FencedCode":
    case "CodeBlock":
      return code(node, context);
    case "BulletList":
    case "OrderedList":
      return list(node, context);
    case "Blockquote": {
      const bar: Line = [{ text: "│ ", dim: true }];
      return blocks(node, { text, columns: columns - 2 }).map((row) => [...bar, ...row]);
    }
    case "HorizontalRule":
      return [line("─".repeat(Math.min(columns, 40)), { dim: true })];
    case "Table":
      return table(node, context);
    case "Task":
      return paragraph(node, context);
    case "QuoteMark":
    case "ListMark":
      return null;
    default:
      return text
        .slice(node.from, node.to)
        .split(/\r?\n/)
        .flatMap((row) => wrapLine(line(row), columns));
  }
}

function paragraph(node: Node, context: Context): readonly Line[] {
  const rows: Span[][] = [[]];
  for (const one of inline(node, context)) {
    for (const [index, part] of one.text.split("\n").entries()) {
      if (index > 0) rows.push([]);
      if (part !== "") rows.at(-1)?.push({ ...one, text: part });
    }
  }
  return rows.flatMap((row) => wrapLine(row, context.columns));
}

function code(node: Node, { text, columns }: Context): readonly Line[] {
  const parts = childrenOf(node).filter(({ name }) => name === "CodeText");
  const body = parts.map(({ from, to }) => text.slice(from, to)).join(node.name === "CodeBlock" ? "\n" : "");
  const bar: Span = { text: "  ", dim: true };
  return body
    .replace(/\n$/, "")
    .split(/\r?\n/)
    .flatMap((row) => wrapLine([bar, span(row, { color: "green" })], columns, [bar]));
}

function list(node: Node, { text, columns }: Context): readonly Line[] {
  const ordered = node.name === "OrderedList";
  const items = childrenOf(node).filter(({ name }) => name === "ListItem");
  const first = ordered ? Number.parseInt(text.slice(node.from, node.from + 9), 10) || 1 : 1;
  const wide = ordered ? String(first + items.length - 1).length + 2 : 2;
  return items.flatMap((item, index) => {
    const mark = ordered ? `${first + index}. `.padStart(wide) : "• ";
    const rows: Line[] = [];
    for (const child of childrenOf(item)) {
      const made = block(child, { text, columns: Math.max(8, columns - wide) });
      if (made !== null) rows.push(...made);
    }
    const indent: Span = { text: " ".repeat(wide) };
    return (rows.length === 0 ? [blank] : rows).map(
      (row, at): Line => [at === 0 ? { text: mark, dim: true } : indent, ...row],
    );
  });
}

function table(node: Node, context: Context): readonly Line[] {
  const { text, columns } = context;
  const cells = childrenOf(node)
    .filter(({ name }) => name === "TableHeader" || name === "TableRow")
    .map((row) =>
      childrenOf(row)
        .filter(({ name }) => name === "TableCell")
        .map((cell) => inline(cell, context, row.name === "TableHeader" ? { bold: true } : {})),
    );
  const count = Math.max(0, ...cells.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) =>
    Math.max(1, ...cells.map((row) => lineWidth(row[at] ?? []))),
  );
  const room = columns - 3 * Math.max(0, count - 1);
  if (count * narrowest > room)
    return text
      .slice(node.from, node.to)
      .split(/\r?\n/)
      .flatMap((row) => wrapLine(line(row), columns));
  const fitted = fittedWidths(widths, room);
  const sides = alignments(node, text);
  const gap: Span = { text: " │ ", dim: true };
  const rows = cells.map((row): readonly Line[] => {
    const parts = fitted.map((wide, at) => wrapLine(row[at] ?? [], wide));
    const high = Math.max(1, ...parts.map((part) => part.length));
    return Array.from(
      { length: high },
      (_, level): Line =>
        fitted.flatMap((wide, at) => {
          const cell = parts[at]?.[level] ?? [];
          const free = Math.max(0, wide - lineWidth(cell));
          const left = sides[at] === "right" ? free : sides[at] === "center" ? Math.floor(free / 2) : 0;
          const placed: Line = [{ text: " ".repeat(left) }, ...cell, { text: " ".repeat(free - left) }];
          return at === 0 ? placed : [gap, ...placed];
        }),
    );
  });
  const rule: Line = [{ text: fitted.map((wide) => "─".repeat(wide)).join("─┼─"), dim: true }];
  return [...(rows[0] ?? []), rule, ...rows.slice(1).flat()];
}

/** A column is not made narrower than this; a table with more columns than fit is shown as it is written. */
const narrowest = 4;

/** Widths that fit together: the widest columns give way first. */
function fittedWidths(widths: readonly number[], room: number): readonly number[] {
  const fitted = [...widths];
  for (let over = fitted.reduce((sum, one) => sum + one, 0) - room; over > 0; over--) {
    const widest = fitted.indexOf(Math.max(...fitted));
    fitted[widest] = (fitted[widest] ?? 1) - 1;
  }
  return fitted;
}

/** Where the cells of each column stand, by the colons of the row below the head. */
function alignments(node: Node, text: string): readonly ("left" | "center" | "right")[] {
  const mark = childrenOf(node).find(({ name }) => name === "TableDelimiter");
  const written = mark === undefined ? "" : text.slice(mark.from, mark.to);
  return written
    .replace(/^\s*\||\|\s*$/g, "")
    .split("|")
    .map((one) => one.trim())
    .map((one) => (one.endsWith(":") ? (one.startsWith(":") ? "center" : "right") : "left"));
}

type Look = Omit<Span, "text">;

/** Text inside a block, marks left out. */
function inline(node: Node, { text }: Context, look: Look = {}): readonly Span[] {
  const spans: Span[] = [];
  const put = (from: number, to: number, as: Look): void => {
    if (to <= from) return;
    const written = text.slice(from, to).replace(/\r/g, "");
    for (const [index, part] of written.split("\n").entries()) {
      // A line break inside a paragraph is kept: models mean it.
      if (index > 0) spans.push({ text: "\n" });
      const shown = index > 0 ? part.replace(/^[ \t]+/, "") : part;
      if (shown !== "") spans.push(span(shown, as));
    }
  };
  const walk = (at: Node, as: Look): void => {
    let from = at.from;
    for (const child of childrenOf(at)) {
      put(from, child.from, as);
      inlineNode(child, as);
      from = child.to;
    }
    put(from, at.to, as);
  };
  const inlineNode = (child: Node, as: Look): void => {
    switch (child.name) {
      case "EmphasisMark":
      case "CodeMark":
      case "StrikethroughMark":
      case "QuoteMark":
      case "TableDelimiter":
        return;
      case "HeaderMark":
        return;
      case "Emphasis":
        walk(child, { ...as, italic: true });
        return;
      case "StrongEmphasis":
        walk(child, { ...as, bold: true });
        return;
      case "InlineCode":
        walk(child, { ...as, color: "cyan" });
        return;
      case "Link": {
        const url = childrenOf(child).find(({ name }) => name === "URL");
        const marks = childrenOf(child).filter(({ name }) => name === "LinkMark");
        const [open, close] = marks;
        // Brackets that are no link, as in code, stay.
        if (open === undefined || close === undefined || url === undefined) {
          put(child.from, child.to, as);
          return;
        }
        put(open.to, close.from, { ...as, underline: true });
        if (text.slice(url.from, url.to) !== text.slice(open.to, close.from))
          spans.push(span(` (${text.slice(url.from, url.to)})`, { ...as, dim: true }));
        return;
      }
      case "Escape":
        put(child.from + 1, child.to, as);
        return;
      case "TaskMarker":
        spans.push(span(/x/i.test(text.slice(child.from, child.to)) ? "✓" : "☐", as));
        return;
      case "HardBreak":
        spans.push({ text: "\n" });
        return;
      default:
        walk(child, as);
    }
  };
  walk(node, look);
  return trimmed(spans);
}

function trimmed(spans: readonly Span[]): readonly Span[] {
  const [first, ...rest] = spans;
  return first === undefined ? [] : [{ ...first, text: first.text.replace(/^ +/, "") }, ...rest];
}
