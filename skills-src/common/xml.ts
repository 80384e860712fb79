import { DOMParser, type Document, type Element, type Node, XMLSerializer } from "@xmldom/xmldom";
import { Failure, refused } from "./failure.ts";

export type { Document, Element, Node };

const limits = { bytes: 200 * 1024 * 1024, elements: 4_000_000, depth: 256 };

/**
 * Parses a part of a document. A document type is refused: Office files have none, and it is the only way to entities
 * that grow or read files. So are depths and counts that no document has.
 */
export function parseXml(text: string, what: string): Document {
  guardXml(text, what);
  const problems: string[] = [];
  const parser = new DOMParser({
    onError: (level, message) => {
      if (level !== "warning") problems.push(message);
    },
  });
  let document: Document | undefined;
  try {
    document = parser.parseFromString(text.replace(/^\uFEFF/, ""), "application/xml");
  } catch (error) {
    problems.push(error instanceof Error ? error.message : String(error));
  }
  if (document?.documentElement == null || problems.length > 0)
    throw new Failure(
      `${what} is damaged: ${(problems[0] ?? "no root element").split("\n")[0]?.slice(0, 160)}`,
    );
  return document;
}

/** Linear check before anything is built from the text. */
export function guardXml(text: string, what: string): void {
  if (text.length > limits.bytes) throw refused(`${what} has ${text.length} characters`);
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) throw refused(`${what} declares a document type or entities`);
  let depth = 0;
  let elements = 0;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at + 1)) {
    const next = text.charCodeAt(at + 1);
    if (next === 47) depth -= 1;
    else if (next === 33) {
      // A comment or CDATA section may hold what looks like tags.
      const close = text.startsWith("<!--", at) ? "-->" : text.startsWith("<![CDATA[", at) ? "]]>" : ">";
      const end = text.indexOf(close, at);
      if (end === -1) return;
      at = end;
    } else if (next !== 63) {
      elements += 1;
      const end = text.indexOf(">", at);
      if (end === -1) return;
      if (text.charCodeAt(end - 1) !== 47) depth += 1;
      if (depth > limits.depth) throw refused(`${what} is nested deeper than ${limits.depth} elements`);
    }
    if (elements > limits.elements) throw refused(`${what} has more than ${limits.elements} elements`);
  }
}

export function serializeXml(document: Document): string {
  const text = new XMLSerializer().serializeToString(document);
  return text.startsWith("<?xml") ? text : `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${text}`;
}

/** Child elements, those with the local name only if one is given. */
export function children(node: Node, name?: string): Element[] {
  const found: Element[] = [];
  for (let child = node.firstChild; child !== null; child = child.nextSibling)
    if (child.nodeType === 1 && (name === undefined || (child as Element).localName === name))
      found.push(child as Element);
  return found;
}

export function child(node: Node | null | undefined, name: string): Element | null {
  if (node == null) return null;
  for (let one = node.firstChild; one !== null; one = one.nextSibling)
    if (one.nodeType === 1 && (one as Element).localName === name) return one as Element;
  return null;
}

/** The element at the end of a path of local names. */
export function descend(node: Node | null | undefined, ...names: readonly string[]): Element | null {
  let current: Node | null = node ?? null;
  for (const name of names) current = child(current, name);
  return current as Element | null;
}

/** All elements below with the local name, in document order. */
export function all(node: Document | Element, name: string): Element[] {
  return [...node.getElementsByTagNameNS("*", name)];
}

/** Value of an attribute by its local name, whatever its prefix. */
export function attr(element: Element | null | undefined, name: string): string | null {
  if (element == null) return null;
  if (element.hasAttribute(name)) return element.getAttribute(name);
  for (let index = 0; index < element.attributes.length; index += 1) {
    const one = element.attributes.item(index);
    if (one !== null && one.localName === name) return one.value;
  }
  return null;
}

export function attrNumber(element: Element | null | undefined, name: string): number | null {
  const value = attr(element, name);
  if (value === null) return null;
  const number = Number.parseFloat(value);
  return Number.isFinite(number) ? number : null;
}

/** Text for XML content and attribute values; characters that XML cannot hold are dropped. */
export function escapeXml(text: string): string {
  return text
    .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, "")
    .replace(
      /[&<>"]/g,
      (found) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[found] ?? found,
    );
}
