import type { TextEdit } from "../common/find-edits.ts";
import { all, attr, child, children, type Element } from "../common/xml.ts";

/** A text node, tab or line break of a paragraph with its place in the paragraph's text. */
interface Span {
  readonly node: Element;
  readonly from: number;
  readonly to: number;
}

export interface ParagraphText {
  readonly text: string;
  readonly spans: readonly Span[];
}

/** Text of a paragraph as it is shown: deleted text and inner paragraphs of boxes are left out. */
export function paragraphText(paragraph: Element): ParagraphText {
  const spans: Span[] = [];
  let text = "";
  const visit = (element: Element): void => {
    for (const one of children(element)) {
      if (
        ["del", "moveFrom", "p", "pPr", "rPr", "txbxContent", "instrText", "delText"].includes(
          one.localName ?? "",
        )
      )
        continue;
      if (one.localName === "t") {
        const content = one.textContent ?? "";
        spans.push({ node: one, from: text.length, to: text.length + content.length });
        text += content;
      } else if (one.localName === "tab" || one.localName === "br" || one.localName === "cr") {
        // Where a page or column begins is no part of the text that could be replaced.
        if (!["page", "column"].includes(attr(one, "type") ?? ""))
          spans.push({ node: one, from: text.length, to: text.length + 1 });
        text += one.localName === "tab" ? "\t" : "\n";
      } else visit(one);
    }
  };
  visit(paragraph);
  return { text, spans };
}

/** Paragraphs of a part that hold text of their own, those in boxes and tables included. */
export function paragraphsOf(root: Element): readonly Element[] {
  return all(root, "p").filter((one) => one.namespaceURI?.includes("wordprocessingml") ?? false);
}

/** Replaces parts of a paragraph's text; each keeps the look of the text it begins in. Edits must not overlap. */
export function editParagraph(paragraph: Element, edits: readonly TextEdit[]): void {
  const { spans } = paragraphText(paragraph);
  for (const edit of [...edits].reverse()) {
    let placed = false;
    for (const span of spans) {
      if (span.to <= edit.from || span.from >= edit.to) continue;
      if (span.node.localName !== "t") {
        if (!placed && edit.text !== "") setText(textBefore(span.node), edit.text);
        span.node.parentNode?.removeChild(span.node);
        placed = true;
        continue;
      }
      const content = span.node.textContent ?? "";
      const start = Math.max(0, edit.from - span.from);
      const end = Math.min(span.to, edit.to) - span.from;
      // Earlier edits are further right in the paragraph, so places in this node up to `end` still hold.
      setText(span.node, content.slice(0, start) + (placed ? "" : edit.text) + content.slice(end));
      placed = true;
    }
  }
}

/** A new text node before a sign of the same run. */
function textBefore(sign: Element): Element {
  const made = sign.ownerDocument?.createElementNS(
    sign.namespaceURI,
    `${sign.prefix ? `${sign.prefix}:` : ""}t`,
  ) as Element;
  sign.parentNode?.insertBefore(made, sign);
  return made;
}

/** Sets a text node; line breaks become breaks beside it. */
function setText(node: Element, text: string): void {
  node.setAttribute("xml:space", "preserve");
  const lines = text.split("\n");
  node.textContent = lines[0] ?? "";
  const document = node.ownerDocument;
  if (lines.length === 1 || document === null) return;
  let after: Element = node;
  const insert = (name: string): Element => {
    const made = document.createElementNS(
      node.namespaceURI,
      `${node.prefix ? `${node.prefix}:` : ""}${name}`,
    );
    after.parentNode?.insertBefore(made, after.nextSibling);
    after = made;
    return made;
  };
  for (const line of lines.slice(1)) {
    insert("br");
    const next = insert("t");
    next.setAttribute("xml:space", "preserve");
    next.textContent = line;
  }
}

export interface Tracking {
  readonly author: string;
  readonly date: string;
}

/** As `editParagraph`, but what goes is marked as deleted and what comes as inserted. Gives the number of edits made. */
export function trackParagraph(paragraph: Element, edits: readonly TextEdit[], tracking: Tracking): number {
  let made = 0;
  for (const edit of [...edits].reverse()) {
    for (const at of [edit.to, edit.from]) splitRunAt(paragraph, at);
    const inside = paragraphText(paragraph).spans.filter(
      ({ from, to }) => from >= edit.from && to <= edit.to && to > from,
    );
    const runs = [...new Set(inside.map(({ node }) => node.parentNode as Element))];
    const first = runs[0];
    if (first === undefined) continue;
    const properties = child(first, "rPr");
    const document = paragraph.ownerDocument;
    if (document === null) continue;
    const mark = (name: string): Element => {
      const element = document.createElementNS(paragraph.namespaceURI, `w:${name}`);
      element.setAttribute("w:id", String(nextMark()));
      element.setAttribute("w:author", tracking.author);
      element.setAttribute("w:date", tracking.date);
      return element;
    };
    for (const run of runs) {
      const wrapper = mark("del");
      run.parentNode?.insertBefore(wrapper, run);
      wrapper.appendChild(run);
      for (const text of children(run, "t")) renameToDeleted(text);
    }
    const last = runs.at(-1)?.parentNode as Element;
    if (edit.text !== "") {
      const wrapper = mark("ins");
      const run = document.createElementNS(paragraph.namespaceURI, "w:r");
      if (properties) run.appendChild(properties.cloneNode(true));
      const text = document.createElementNS(paragraph.namespaceURI, "w:t");
      run.appendChild(text);
      wrapper.appendChild(run);
      last.parentNode?.insertBefore(wrapper, last.nextSibling);
      setText(text, edit.text);
    }
    made += 1;
  }
  return made;
}

let marks = 90_000;

function nextMark(): number {
  marks += 1;
  return marks;
}

function renameToDeleted(text: Element): void {
  const deleted = text.ownerDocument?.createElementNS(text.namespaceURI, "w:delText");
  if (!deleted) return;
  deleted.setAttribute("xml:space", "preserve");
  deleted.textContent = text.textContent;
  text.parentNode?.replaceChild(deleted, text);
}

/** Cuts the run at a place of the paragraph's text in two with the same look. */
export function splitRunAt(paragraph: Element, at: number): void {
  const span = paragraphText(paragraph).spans.find(({ from, to }) => from < at && at < to);
  const boundary = paragraphText(paragraph).spans.find(({ from }) => from === at);
  const node = span?.node ?? boundary?.node;
  const run = node?.parentNode as Element | undefined;
  if (node === undefined || run === undefined || run.localName !== "r") return;
  const before = children(run).filter((one) => one.localName !== "rPr");
  if (!span && before[0] === node) return;
  const second = run.cloneNode(false) as Element;
  const properties = child(run, "rPr");
  if (properties) second.appendChild(properties.cloneNode(true));
  if (span) {
    const content = node.textContent ?? "";
    const rest = node.cloneNode(false) as Element;
    rest.setAttribute("xml:space", "preserve");
    rest.textContent = content.slice(at - span.from);
    node.setAttribute("xml:space", "preserve");
    node.textContent = content.slice(0, at - span.from);
    second.appendChild(rest);
  }
  const index = before.indexOf(node);
  for (const one of before.slice(span ? index + 1 : index)) second.appendChild(one);
  run.parentNode?.insertBefore(second, run.nextSibling);
}
