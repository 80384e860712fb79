import type { Block, Inline } from "../common/document.ts";
import { isWide, linesOf, type TextLine } from "./page-lines.ts";
import type { PdfPage } from "./read-pdf.ts";

/** Pages as blocks: headings by size, lists by their marks, tables by columns, lines joined to paragraphs. */
export function pagesToBlocks(
  pages: readonly PdfPage[],
  options: { readonly pageMarks: boolean },
): readonly Block[] {
  const lines = pages.map((page) => withoutRepeats(page, pages));
  const body = bodySize(lines.flat());
  return pages.flatMap((_, at) => [
    ...(options.pageMarks && at > 0 ? [{ kind: "page" } as const] : []),
    ...blocksOf(lines[at] ?? [], body),
  ]);
}

/** Lines without running heads and page numbers: what stands at the edge of most pages, numbers aside. */
function withoutRepeats(page: PdfPage, pages: readonly PdfPage[]): readonly TextLine[] {
  const lines = linesOf(page);
  if (pages.length < 4) return lines;
  const key = (line: TextLine): string =>
    line.segments
      .map(({ text }) => text)
      .join(" ")
      .replace(/\d+/g, "#");
  const edges = edgesOf(pages, key);
  return lines.filter((line) => {
    const atEdge = line.y < page.height * 0.1 || line.y > page.height * 0.91;
    return !(atEdge && (edges.get(key(line)) ?? 0) > pages.length / 2);
  });
}

const edgeCache = new WeakMap<readonly PdfPage[], ReadonlyMap<string, number>>();

function edgesOf(pages: readonly PdfPage[], key: (line: TextLine) => string): ReadonlyMap<string, number> {
  const known = edgeCache.get(pages);
  if (known !== undefined) return known;
  const counts = new Map<string, number>();
  for (const page of pages)
    for (const line of new Set(
      linesOf(page)
        .filter(({ y }) => y < page.height * 0.1 || y > page.height * 0.91)
        .map(key),
    ))
      counts.set(line, (counts.get(line) ?? 0) + 1);
  edgeCache.set(pages, counts);
  return counts;
}

function bodySize(lines: readonly TextLine[]): number {
  const weights = new Map<number, number>();
  for (const line of lines) {
    const size = Math.round(line.size * 2) / 2;
    weights.set(
      size,
      (weights.get(size) ?? 0) + line.segments.reduce((sum, { text }) => sum + text.length, 0),
    );
  }
  return [...weights].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 10;
}

function headingLevel(line: TextLine, body: number): number | null {
  const text = textOf(line);
  if (text.length > 120 || line.segments.length > 1) return null;
  const factor = line.size / body;
  if (factor >= 1.6) return 1;
  if (factor >= 1.35) return 2;
  if (factor >= 1.15) return 3;
  return null;
}

const textOf = (line: TextLine): string => line.segments.map(({ text }) => text).join(" ");

function blocksOf(lines: readonly TextLine[], body: number): readonly Block[] {
  const blocks: Block[] = [];
  let open: {
    text: string;
    last: TextLine;
    kind: "paragraph" | "item";
    heading: number | null;
    label: string;
  } | null = null;
  const flush = (): void => {
    if (open === null) return;
    const inlines: readonly Inline[] = [{ kind: "text", text: open.text }];
    if (open.kind === "item")
      blocks.push({
        kind: "paragraph",
        inlines,
        list: { level: 0, ordered: /\d/.test(open.label), label: open.label, id: 1 },
      });
    else blocks.push({ kind: "paragraph", inlines, ...(open.heading ? { heading: open.heading } : {}) });
    open = null;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] as TextLine;
    const table = tableAt(lines, at);
    if (table !== null) {
      flush();
      blocks.push(table.block);
      at = table.end - 1;
      continue;
    }
    const text = textOf(line);
    const heading = headingLevel(line, body);
    const item = /^([•●◦▪■–*·]|\d{1,3}[.)、]|[a-z][.)]|[（(]\d{1,2}[)）])\s*(.*)$/u.exec(text);
    const follows: boolean =
      open !== null &&
      continues((open as { last: TextLine }).last, line, {
        heading,
        item: item !== null,
        inItem: (open as { kind: string }).kind === "item",
      });
    if (open !== null && follows && (open as { heading: number | null }).heading === heading) {
      const current: { text: string; last: TextLine } = open;
      current.text = join(current.text, text);
      current.last = line;
      continue;
    }
    flush();
    if (item !== null && heading === null)
      open = {
        text: item[2] ?? "",
        last: line,
        kind: "item",
        heading: null,
        label: (item[1] ?? "•").replace(/[)、]/, "."),
      };
    else open = { text, last: line, kind: "paragraph", heading, label: "" };
  }
  flush();
  return blocks;
}

function continues(
  before: TextLine,
  line: TextLine,
  {
    heading,
    item,
    inItem,
  }: { readonly heading: number | null; readonly item: boolean; readonly inItem: boolean },
): boolean {
  if (item || Math.abs(before.size - line.size) > 0.6) return false;
  const distance = line.y - before.y;
  if (distance < 0 || distance > before.size * (heading ? 1.5 : 1.75)) return false;
  if (heading === null && line.x > before.x + line.size * (inItem ? 3.5 : 1.2)) return false;
  return true;
}

/** Joins lines: without a space between wide characters, words cut by a hyphen made whole. */
function join(before: string, text: string): string {
  if (/[a-z]-$/.test(before) && /^[a-z]/.test(text)) return before.slice(0, -1) + text;
  return isWide(before.at(-1)) && isWide(text[0]) ? before + text : `${before} ${text}`;
}

/** A line that begins with the mark of a list, which stands apart from its text. */
function isMark(line: TextLine): boolean {
  return /^(?:[•●◦▪■–*·☐☑☒]|\d{1,3}[.)])$/u.test(line.segments[0]?.text ?? "");
}

/** Three or more lines in a row whose segments stand in the same columns. */
function tableAt(
  lines: readonly TextLine[],
  start: number,
): { readonly block: Block; readonly end: number } | null {
  const first = lines[start];
  if (first === undefined || first.segments.length < 2 || isMark(first)) return null;
  const group: TextLine[] = [first];
  for (let at = start + 1; at < lines.length; at += 1) {
    const [line, before] = [lines[at] as TextLine, group.at(-1) as TextLine];
    if (
      line.y <= before.y ||
      line.y - before.y > before.size * 3.2 ||
      line.segments.length < 2 ||
      isMark(line)
    )
      break;
    group.push(line);
  }
  if (group.length < 3) return null;
  const starts: { x: number; right: number; count: number }[] = [];
  for (const { segments } of group)
    for (const { x, right } of segments) {
      const column = starts.find((one) => x < one.right + 2 && right > one.x - 2);
      if (column) {
        column.x = Math.min(column.x, x);
        column.right = Math.max(column.right, right);
        column.count += 1;
      } else starts.push({ x, right, count: 1 });
    }
  const columns = starts.sort((a, b) => a.x - b.x);
  const overlapping = columns.some((column, at) => at > 0 && column.x < (columns[at - 1]?.right ?? 0) - 2);
  if (
    columns.length < 2 ||
    columns.length > 30 ||
    overlapping ||
    columns.filter(({ count }) => count >= group.length * 0.4).length < 2
  )
    return null;
  const rows = group.map(({ segments }, at) => ({
    header: at === 0,
    cells: columns.map((column) => {
      const text = segments
        .filter(({ x, right }) => x < column.right + 2 && right > column.x - 2)
        .map((one) => one.text)
        .join(" ");
      return {
        blocks: [{ kind: "paragraph" as const, inlines: [{ kind: "text" as const, text }] }],
        columns: 1,
        rows: 1,
      };
    }),
  }));
  return { block: { kind: "table", rows, widths: [], borders: true }, end: start + group.length };
}
