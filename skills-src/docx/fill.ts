import type { OfficePackage } from "../common/office-package.ts";
import { all, attr, child, children, type Element } from "../common/xml.ts";
import { textParts } from "./replace.ts";
import { editParagraph, paragraphsOf, paragraphText } from "./text-spans.ts";

export interface Filled {
  readonly count: number;
  /** Placeholders of the document without a value. */
  readonly missing: readonly string[];
  /** Names of the data that the document does not use. */
  readonly unused: readonly string[];
}

type Data = Readonly<Record<string, unknown>>;

const placeholder = /\{\{\s*([^{}#/\s][^{}]*?)\s*\}\}/gu;

interface State {
  readonly missing: Set<string>;
  readonly used: Set<string>;
  count: number;
}

/**
 * Puts data in place of `{{name}}` and `{{a.b}}`. A table row with `{{items.x}}` is repeated for each element where
 * `items` is a list; so are paragraphs between `{{#items}}` and `{{/items}}`. Content controls are filled by their tag or
 * title.
 */
export function fillDocx(pack: OfficePackage, data: Data): Filled {
  const state: State = { missing: new Set(), used: new Set(), count: 0 };
  for (const part of textParts(pack)) {
    const root = pack.xml(part).documentElement as Element;
    const before = state.count;
    repeatBlocks(root, data, state);
    repeatRows(root, data, state);
    fillControls(root, data, state);
    for (const paragraph of paragraphsOf(root)) fillParagraph(paragraph, data, state);
    if (state.count === before) continue;
    for (const one of all(root, "t"))
      if (one.textContent?.includes(heldBrace)) one.textContent = one.textContent.replaceAll(heldBrace, "{");
    pack.touch(part);
  }
  return {
    count: state.count,
    missing: [...state.missing],
    unused: Object.keys(data).filter((name) => !state.used.has(name)),
  };
}

function fillParagraph(paragraph: Element, data: Data, state: State): void {
  const edits = [...paragraphText(paragraph).text.matchAll(placeholder)].flatMap((match) => {
    const name = match[1] ?? "";
    const value = valueAt(data, name);
    if (value === undefined) {
      state.missing.add(name);
      return [];
    }
    state.used.add(name.split(".")[0] ?? name);
    state.count += 1;
    return [{ from: match.index, to: match.index + match[0].length, text: shown(value) }];
  });
  if (edits.length > 0) editParagraph(paragraph, edits);
}

function valueAt(data: Data, path: string): unknown {
  let value: unknown = data;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Data)[name];
  }
  return value;
}

/** Stands for a brace of the data while filling: data that looks like a placeholder is none. No text has this sign. */
const heldBrace = "\ufdd0";

function shown(value: unknown): string {
  if (value === null) return "";
  if (typeof value === "boolean") return value ? "☑" : "☐";
  if (Array.isArray(value)) return value.map(shown).join(", ");
  return (typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll("{", heldBrace);
}

function repeatRows(root: Element, data: Data, state: State): void {
  for (const row of all(root, "tr")) {
    const text = all(row, "p")
      .map((one) => paragraphText(one).text)
      .join("\n");
    const names = [...text.matchAll(placeholder)].map((match) => match[1] ?? "");
    const list = names
      .map((name) => name.split(".")[0] ?? "")
      .find((name) => Array.isArray(data[name]) && names.some((one) => one.startsWith(`${name}.`)));
    if (list === undefined) continue;
    state.used.add(list);
    repeat([row], { items: data[list] as readonly unknown[], name: list, data, state });
  }
}

function repeatBlocks(root: Element, data: Data, state: State): void {
  for (const paragraph of paragraphsOf(root)) {
    const name = /^\s*\{\{#\s*([^{}]+?)\s*\}\}\s*$/u.exec(paragraphText(paragraph).text)?.[1];
    if (name === undefined || paragraph.parentNode === null) continue;
    const between: Element[] = [];
    let next = paragraph.nextSibling;
    const isEnd = (node: typeof next): boolean =>
      node?.nodeType === 1 &&
      new RegExp(`^\\s*\\{\\{/\\s*${name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}\\s*\\}\\}\\s*$`, "u").test(
        paragraphText(node as Element).text,
      );
    while (next !== null && !isEnd(next)) {
      if (next.nodeType === 1) between.push(next as Element);
      next = next.nextSibling;
    }
    if (next === null) continue;
    const value = valueAt(data, name);
    if (value === undefined) {
      state.missing.add(`#${name}`);
      continue;
    }
    state.used.add(name.split(".")[0] ?? name);
    const items = Array.isArray(value) ? value : value ? [value] : [];
    repeat(between, { items, name, data, state });
    paragraph.parentNode.removeChild(paragraph);
    next.parentNode?.removeChild(next);
    state.count += 1;
  }
}

interface Repetition {
  readonly items: readonly unknown[];
  readonly name: string;
  readonly data: Data;
  readonly state: State;
}

/** Copies of the elements, one set for each item, filled with it; the originals go. */
function repeat(elements: readonly Element[], { items, name, data, state }: Repetition): void {
  const [first] = elements;
  const parent = first?.parentNode;
  if (first === undefined || !parent) return;
  items.forEach((item, index) => {
    const own = typeof item === "object" && item !== null ? (item as Data) : {};
    const scope: Data = { ...data, ...own, [name]: own, ".": item, index: index + 1, item };
    for (const element of elements) {
      const copy = element.cloneNode(true) as Element;
      parent.insertBefore(copy, first);
      const paragraphs = copy.localName === "p" ? [copy] : paragraphsOf(copy);
      for (const paragraph of paragraphs) fillParagraph(paragraph, scope, state);
    }
  });
  for (const element of elements) parent.removeChild(element);
}

function fillControls(root: Element, data: Data, state: State): void {
  for (const control of all(root, "sdt")) {
    const properties = child(control, "sdtPr");
    const names = [attr(child(properties, "tag"), "val"), attr(child(properties, "alias"), "val")];
    const name = names.find((one) => one !== null && Object.hasOwn(data, one));
    const content = child(control, "sdtContent");
    if (name === null || name === undefined || content === null) continue;
    state.used.add(name);
    state.count += 1;
    const box = child(properties, "checkbox");
    if (box !== null) {
      const checked = child(box, "checked");
      checked?.setAttribute(checked.attributes.item(0)?.name ?? "w14:val", data[name] ? "1" : "0");
    }
    const texts = all(content, "t");
    const [first, ...rest] = texts;
    const text = box === null ? shown(data[name]) : data[name] ? "☒" : "☐";
    if (first) {
      first.textContent = text;
      first.setAttribute("xml:space", "preserve");
    }
    for (const one of rest) one.textContent = "";
    for (const mark of children(properties as Element, "showingPlcHdr")) mark.parentNode?.removeChild(mark);
  }
}
