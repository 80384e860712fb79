import { all, attr, attrNumber, child, type Document } from "../common/xml.ts";

interface Level {
  readonly format: string;
  readonly text: string;
  readonly start: number;
  readonly left: number | null;
}

export interface ListCounter {
  /** Label of the next paragraph of that list and level, or null when the list shows nothing. */
  next(
    id: string,
    level: number,
  ): { readonly label: string; readonly ordered: boolean; readonly left: number | null } | null;
}

/** Counts list paragraphs as the numbering part says. */
export function readNumbering(document: Document | null): ListCounter {
  const abstracts = new Map<string, ReadonlyMap<number, Level>>();
  const lists = new Map<string, { readonly levels: ReadonlyMap<number, Level>; readonly abstract: string }>();
  if (document !== null) {
    for (const one of all(document, "abstractNum"))
      abstracts.set(attr(one, "abstractNumId") ?? "", levelsOf(one));
    for (const one of all(document, "num")) {
      const abstract = attr(child(one, "abstractNumId"), "val") ?? "";
      const levels = new Map(abstracts.get(abstract) ?? []);
      for (const override of all(one, "lvlOverride")) {
        const at = attrNumber(override, "ilvl") ?? 0;
        const start = attrNumber(child(override, "startOverride"), "val");
        const old = levels.get(at);
        if (old && start !== null) levels.set(at, { ...old, start });
      }
      lists.set(attr(one, "numId") ?? "", { levels, abstract });
    }
  }
  const counts = new Map<string, number[]>();
  return {
    next: (id, level) => {
      const list = lists.get(id);
      const own = list?.levels.get(level);
      if (list === undefined || own === undefined || own.format === "none") return null;
      if (own.format === "bullet") return { label: bulletOf(own.text), ordered: false, left: own.left };
      const count = counts.get(id) ?? [];
      counts.set(id, count);
      count[level] = (count[level] ?? own.start - 1) + 1;
      count.length = level + 1;
      const label = own.text.replace(/%([1-9])/g, (_, digit: string) => {
        const at = Number(digit) - 1;
        const of = list.levels.get(at);
        return formatNumber(count[at] ?? of?.start ?? 1, of?.format ?? "decimal");
      });
      return { label: label || `${count[level]}.`, ordered: true, left: own.left };
    },
  };
}

function levelsOf(abstract: Parameters<typeof all>[0]): ReadonlyMap<number, Level> {
  return new Map(
    all(abstract, "lvl").map((level) => [
      attrNumber(level, "ilvl") ?? 0,
      {
        format: attr(child(level, "numFmt"), "val") ?? "decimal",
        text: attr(child(level, "lvlText"), "val") ?? "",
        start: attrNumber(child(level, "start"), "val") ?? 1,
        left: ((indent) => (indent === null ? null : indent / 20))(
          attrNumber(child(child(level, "pPr"), "ind"), "left") ??
            attrNumber(child(child(level, "pPr"), "ind"), "start"),
        ),
      },
    ]),
  );
}

/** Symbols of Word's own fonts stand in a private area. */
function bulletOf(text: string): string {
  const code = text.codePointAt(0) ?? 0;
  if (code === 0xf0a7 || text === "▪") return "▪";
  if (text === "o" || text === "◦") return "◦";
  return code >= 0xe000 && code <= 0xf8ff ? "•" : text || "•";
}

const digits = "〇一二三四五六七八九";

function formatNumber(value: number, format: string): string {
  switch (format) {
    case "lowerLetter":
      return letters(value);
    case "upperLetter":
      return letters(value).toUpperCase();
    case "lowerRoman":
      return roman(value).toLowerCase();
    case "upperRoman":
      return roman(value);
    case "decimalZero":
      return String(value).padStart(2, "0");
    case "chineseCounting":
    case "chineseCountingThousand":
    case "ideographDigital":
    case "taiwaneseCountingThousand":
    case "japaneseCounting":
      return chinese(value);
    case "decimalEnclosedCircle":
    case "decimalEnclosedCircleChinese":
      return value >= 1 && value <= 20 ? String.fromCodePoint(0x245f + value) : String(value);
    default:
      return String(value);
  }
}

function letters(value: number): string {
  const letter = String.fromCharCode(97 + ((value - 1) % 26));
  return letter.repeat(Math.min(5, Math.floor((value - 1) / 26) + 1));
}

function roman(value: number): string {
  if (value < 1 || value > 3999) return String(value);
  const parts: readonly (readonly [number, string])[] = [
    ...([
      [1000, "M"],
      [900, "CM"],
      [500, "D"],
      [400, "CD"],
      [100, "C"],
      [90, "XC"],
    ] as const),
    ...([
      [50, "L"],
      [40, "XL"],
      [10, "X"],
      [9, "IX"],
      [5, "V"],
      [4, "IV"],
      [1, "I"],
    ] as const),
  ];
  let left = value;
  let text = "";
  for (const [worth, sign] of parts)
    while (left >= worth) {
      text += sign;
      left -= worth;
    }
  return text;
}

function chinese(value: number): string {
  if (value < 1 || value > 99) return String(value);
  const [tens, ones] = [Math.floor(value / 10), value % 10];
  const head = tens === 0 ? "" : `${tens === 1 ? "" : digits[tens]}十`;
  return `${head}${ones === 0 ? "" : digits[ones]}`;
}
