import { attr, attrNumber, child, children, descend, type Element } from "../common/xml.ts";

export interface RunLook {
  readonly size?: number;
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly color?: string;
  readonly font?: string;
}

/** Colours of a theme, by the names that a master maps. */
export class Theme {
  readonly #colors = new Map<string, string>();
  readonly #map: ReadonlyMap<string, string>;

  constructor(theme: Element | null, map: Element | null) {
    for (const one of children(
      descend(theme, "themeElements", "clrScheme") ?? (theme as Element) ?? emptyList,
    )) {
      const value = attr(child(one, "srgbClr"), "val") ?? attr(child(one, "sysClr"), "lastClr");
      if (value !== null && one.localName) this.#colors.set(one.localName, value);
    }
    this.#map = new Map(
      ["bg1", "tx1", "bg2", "tx2"].map((name) => [
        name,
        attr(map, name) ?? ({ bg1: "lt1", tx1: "dk1", bg2: "lt2", tx2: "dk2" } as const)[name as "bg1"],
      ]),
    );
  }

  /** Colour that stands directly in an element. */
  color(element: Element | null): string | null {
    if (element === null) return null;
    for (const one of children(element)) {
      const value = attr(one, "val") ?? "";
      const base =
        one.localName === "srgbClr"
          ? value
          : one.localName === "sysClr"
            ? (attr(one, "lastClr") ?? "")
            : one.localName === "schemeClr"
              ? (this.#colors.get(this.#map.get(value) ?? value) ?? "")
              : one.localName === "prstClr"
                ? (presets[value] ?? "")
                : "";
      if (/^[\da-f]{6}$/i.test(base)) return adjust(base, one);
    }
    return null;
  }

  /** Colour of a solid fill, or the first one of a gradient. */
  fill(element: Element | null): string | null {
    if (element === null) return null;
    const solid = child(element, "solidFill");
    if (solid !== null) return this.color(solid);
    return this.color(descend(element, "gradFill", "gsLst", "gs"));
  }

  look(properties: Element | null): RunLook {
    if (properties === null) return {};
    const size = attrNumber(properties, "sz");
    const color = this.fill(properties);
    const [bold, italic, underline] = ["b", "i", "u"].map((name) => attr(properties, name));
    const font = attr(child(properties, "latin"), "typeface");
    return {
      ...(size !== null && size > 0 ? { size: Math.min(400, size / 100) } : {}),
      ...(bold ? { bold: bold === "1" || bold === "true" } : {}),
      ...(italic ? { italic: italic === "1" || italic === "true" } : {}),
      ...(underline ? { underline: underline !== "none" } : {}),
      ...(color ? { color } : {}),
      ...(font && !font.startsWith("+") ? { font } : {}),
    };
  }
}

const emptyList = { firstChild: null } as unknown as Element;
const presets: Readonly<Record<string, string>> = {
  black: "000000",
  white: "FFFFFF",
  red: "FF0000",
  green: "008000",
  blue: "0000FF",
  yellow: "FFFF00",
  gray: "808080",
};

/** Lighter and darker shades of a colour. */
function adjust(color: string, element: Element): string {
  const number = (name: string): number | null => {
    const value = attrNumber(child(element, name), "val");
    return value === null ? null : value / 100_000;
  };
  const parts = [0, 2, 4].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
  const [mod, off, tint, shade] = [number("lumMod"), number("lumOff"), number("tint"), number("shade")];
  const changed = parts.map((part) => {
    let value = part;
    if (mod !== null) value *= mod;
    if (off !== null) value += 255 * off;
    if (tint !== null) value = value * tint + 255 * (1 - tint);
    if (shade !== null) value *= shade;
    return Math.round(Math.min(255, Math.max(0, value)))
      .toString(16)
      .padStart(2, "0");
  });
  return changed.join("");
}

interface LevelSource {
  readonly placeholder: string | null;
  readonly master: Element | null;
  readonly theme: Theme;
}

export interface LevelLook {
  readonly look: RunLook;
  readonly bullet: string | null;
  readonly align: "left" | "center" | "right" | "justify";
}

/** What a paragraph of a level looks like: master's styles, then the placeholders', the shape's, the paragraph's own. */
export class Levels {
  readonly #lists: readonly Element[];
  readonly #theme: Theme;
  readonly #placeholder: string | null;

  constructor(chain: readonly Element[], { placeholder, master, theme }: LevelSource) {
    const kind =
      placeholder === null
        ? "otherStyle"
        : /title/i.test(placeholder)
          ? "titleStyle"
          : /^(?:body|subTitle|obj)$/.test(placeholder)
            ? "bodyStyle"
            : "otherStyle";
    const styles = descend(master, "txStyles", kind);
    const lists = [...chain].reverse().map((one) => descend(one, "txBody", "lstStyle"));
    this.#lists = [styles, ...lists].filter((one): one is Element => one !== null);
    this.#theme = theme;
    this.#placeholder = placeholder;
  }

  of(level: number, own: Element | null): LevelLook {
    const layers = [...this.#lists.map((list) => child(list, `lvl${level + 1}pPr`)), own].filter(
      (one): one is Element => one !== null,
    );
    let look: RunLook = { size: 18 };
    let bullet: string | null = null;
    let align: LevelLook["align"] = "left";
    for (const layer of layers) {
      look = { ...look, ...this.#theme.look(child(layer, "defRPr")) };
      if (child(layer, "buNone")) bullet = null;
      else if (child(layer, "buAutoNum")) bullet = "#";
      else if (child(layer, "buChar")) bullet = plainBullet(attr(child(layer, "buChar"), "char") ?? "•");
      align =
        ({ l: "left", ctr: "center", r: "right", just: "justify" } as const)[attr(layer, "algn") ?? ""] ??
        align;
    }
    if (this.#placeholder !== null && /title/i.test(this.#placeholder)) bullet = null;
    return { look, bullet, align };
  }
}

const plainBullet = (text: string): string => {
  const code = text.codePointAt(0) ?? 0;
  return code >= 0xe000 || text === "§" || text === "ü" || text === "Ø" ? "•" : text;
};
