import type { ParagraphLayout, TextStyle } from "../common/document.ts";
import { all, attr, attrNumber, child, children, type Document, type Element } from "../common/xml.ts";

/** What a style, or a paragraph itself, says about a paragraph. */
export interface ParagraphProperties {
  readonly layout: ParagraphLayout;
  readonly outline?: number;
  readonly numbering?: { readonly id: string; readonly level: number };
  readonly styleName?: string;
}

export interface StyleSheet {
  /** Properties of a paragraph style with those it is based on. */
  paragraph(id: string | null): ParagraphProperties;
  text(id: string | null, kind: "paragraph" | "character"): TextStyle;
  readonly defaults: TextStyle;
}

const twips = (value: number | null): number | undefined => (value === null ? undefined : value / 20);

/** The styles part as look-ups; chains of styles end after 20 steps, so circles do no harm. */
export function readStyles(document: Document | null): StyleSheet {
  const byId = new Map<string, Element>();
  const defaultOf = new Map<string, string>();
  for (const style of document ? all(document, "style") : []) {
    const id = attr(style, "styleId") ?? "";
    byId.set(id, style);
    if (["1", "true", "on"].includes(attr(style, "default") ?? ""))
      defaultOf.set(attr(style, "type") ?? "", id);
  }
  const base = document ? all(document, "docDefaults")[0] : null;
  const defaults = textStyle(child(child(base, "rPrDefault"), "rPr"));
  const paragraphDefaults = paragraphProperties(child(child(base, "pPrDefault"), "pPr"));
  const chain = (id: string | null, kind: string): readonly Element[] => {
    const found: Element[] = [];
    let next: string | null = id ?? defaultOf.get(kind) ?? null;
    while (next !== null && found.length < 20) {
      const style = byId.get(next);
      if (style === undefined) break;
      found.unshift(style);
      next = attr(child(style, "basedOn"), "val");
    }
    return found;
  };
  const paragraphs = new Map<string, ParagraphProperties>();
  const texts = new Map<string, TextStyle>();
  return {
    defaults,
    paragraph: (id) => {
      const key = id ?? "";
      let known = paragraphs.get(key);
      if (known === undefined) {
        known = chain(id, "paragraph").reduce((sum, style) => {
          const own = paragraphProperties(child(style, "pPr"));
          const styleName = attr(child(style, "name"), "val") ?? "";
          const outline = own.outline ?? headingOf(styleName) ?? sum.outline;
          return {
            layout: { ...sum.layout, ...own.layout },
            styleName,
            ...(outline === undefined ? {} : { outline }),
            ...(own.numbering
              ? { numbering: own.numbering }
              : sum.numbering
                ? { numbering: sum.numbering }
                : {}),
          };
        }, paragraphDefaults);
        paragraphs.set(key, known);
      }
      return known;
    },
    text: (id, kind) => {
      const key = `${kind}:${id ?? ""}`;
      let known = texts.get(key);
      if (known === undefined) {
        known = Object.assign(
          {},
          ...chain(id, kind).map((style) => textStyle(child(style, "rPr"))),
        ) as TextStyle;
        texts.set(key, known);
      }
      return known;
    },
  };
}

/** 0 for a first heading, by the names that Word, LibreOffice and WPS give. */
function headingOf(name: string): number | undefined {
  const found = /^(?:heading|标题|標題|überschrift|titre|título)\s*([1-9])$/i.exec(name.trim());
  if (found) return Number(found[1]) - 1;
  return /^title$/i.test(name.trim()) ? 0 : undefined;
}

const alignments: Readonly<Record<string, NonNullable<ParagraphLayout["align"]>>> = {
  left: "left",
  start: "left",
  center: "center",
  right: "right",
  end: "right",
  both: "justify",
  distribute: "justify",
};

export function paragraphProperties(element: Element | null): ParagraphProperties {
  if (element === null) return { layout: {} };
  const spacing = child(element, "spacing");
  const indent = child(element, "ind");
  const hanging = twips(attrNumber(indent, "hanging"));
  const line = attrNumber(spacing, "line");
  const rule = attr(spacing, "lineRule") ?? "auto";
  const align = alignments[attr(child(element, "jc"), "val") ?? ""];
  const fill = colorOf(attr(child(element, "shd"), "fill"));
  const numbering = child(element, "numPr");
  const outline = attrNumber(child(element, "outlineLvl"), "val");
  const layout: { -readonly [Key in keyof ParagraphLayout]: ParagraphLayout[Key] } = {};
  const set = <Key extends keyof ParagraphLayout>(
    key: Key,
    value: ParagraphLayout[Key] | undefined,
  ): void => {
    if (value !== undefined) layout[key] = value;
  };
  set("align", align);
  set("left", twips(attrNumber(indent, "left") ?? attrNumber(indent, "start")));
  set("right", twips(attrNumber(indent, "right") ?? attrNumber(indent, "end")));
  set("firstLine", hanging === undefined ? twips(attrNumber(indent, "firstLine")) : -hanging);
  set("before", twips(attrNumber(spacing, "before")));
  set("after", twips(attrNumber(spacing, "after")));
  if (line !== null && rule === "auto") layout.lineHeight = Math.min(4, Math.max(0.6, line / 240));
  if (line !== null && rule === "exact") layout.lineExact = line / 20;
  set("shade", fill);
  if (isOn(child(element, "contextualSpacing"))) layout.after = 1;
  if (isOn(child(element, "keepNext"))) layout.keepWithNext = true;
  if (isOn(child(element, "pageBreakBefore"))) layout.pageBreakBefore = true;
  const id = attr(child(numbering, "numId"), "val");
  return {
    layout,
    ...(outline !== null && outline < 9 ? { outline } : {}),
    ...(numbering && id
      ? { numbering: { id, level: Math.min(8, attrNumber(child(numbering, "ilvl"), "val") ?? 0) } }
      : {}),
  };
}

export function textStyle(element: Element | null): TextStyle {
  if (element === null) return {};
  const style: { -readonly [Key in keyof TextStyle]: TextStyle[Key] } = {};
  for (const one of children(element)) {
    const value = attr(one, "val");
    switch (one.localName) {
      case "b":
        style.bold = isOn(one);
        break;
      case "i":
        style.italic = isOn(one);
        break;
      case "strike":
      case "dstrike":
        style.strike = isOn(one);
        break;
      case "u":
        style.underline = value !== null && value !== "none";
        break;
      case "sz":
        if (value !== null && Number(value) > 0) style.size = Math.min(400, Number(value) / 2);
        break;
      case "color":
        if (colorOf(value)) style.color = colorOf(value) as string;
        break;
      case "highlight":
        if (value && highlights[value]) style.highlight = highlights[value] as string;
        break;
      case "shd":
        if (colorOf(attr(one, "fill"))) style.highlight = colorOf(attr(one, "fill")) as string;
        break;
      case "vertAlign":
        if (value === "superscript") style.script = "super";
        if (value === "subscript") style.script = "sub";
        break;
      case "rFonts": {
        const font = attr(one, "ascii") ?? attr(one, "hAnsi") ?? attr(one, "eastAsia");
        if (font) style.font = font;
        break;
      }
    }
  }
  return style;
}

const highlights: Readonly<Record<string, string>> = {
  yellow: "ffff00",
  green: "00ff00",
  cyan: "00ffff",
  magenta: "ff00ff",
  red: "ff8080",
  blue: "8080ff",
  lightGray: "d3d3d3",
  darkYellow: "d6c84a",
};

/** RRGGBB, unless it is automatic or white. */
export function colorOf(value: string | null): string | undefined {
  return value !== null && /^[\da-f]{6}$/i.test(value) && !/^f{6}$/i.test(value) ? value : undefined;
}

export function isOn(element: Element | null): boolean {
  return element !== null && !["0", "false", "off"].includes(attr(element, "val") ?? "1");
}
