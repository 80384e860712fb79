import { closeSync, openSync, readSync } from "node:fs";

/** What is read of a font file before it is used: metrics and the map from characters to glyphs. */
export interface FontFace {
  readonly path: string;
  readonly index: number;
  readonly name: string;
  readonly outlines: "glyf" | "cff";
  readonly bold: boolean;
  readonly italic: boolean;
  readonly unitsPerEm: number;
  readonly ascent: number;
  readonly descent: number;
  readonly bounds: readonly number[];
  /** Glyph of a code point; 0 = none. */
  glyph(codePoint: number): number;
  /** Advance in 1/1000 of the size. */
  advance(glyph: number): number;
}

type Tables = ReadonlyMap<string, { readonly offset: number; readonly length: number }>;

/** Faces of a font file, collections included. Empty for files that are damaged, have bitmaps alone or forbid embedding. */
export function readFaces(path: string): readonly FontFace[] {
  let file: number | null = null;
  try {
    file = openSync(path, "r");
    const handle = file;
    const read = (offset: number, length: number): DataView => {
      const bytes = Buffer.alloc(length);
      if (readSync(handle, bytes, 0, length, offset) < length) throw new RangeError("end of font file");
      return new DataView(bytes.buffer, bytes.byteOffset, length);
    };
    const head = read(0, 12);
    if (head.getUint32(0) !== 0x74746366) {
      const face = readFace(path, { read, offset: 0, index: 0 });
      return face === null ? [] : [face];
    }
    const count = Math.min(head.getUint32(8), 64);
    const offsets = read(12, count * 4);
    const faces = Array.from({ length: count }, (_, index) =>
      readFace(path, { read, offset: offsets.getUint32(index * 4), index }),
    ).filter((face) => face !== null);
    // Of the regional forms of one font, the one for simplified Chinese comes first; monospaced ones last.
    const rank = ({ name }: FontFace): number => (/mono/i.test(name) ? 2 : /cjksc|hans/i.test(name) ? 0 : 1);
    return faces.sort((a, b) => rank(a) - rank(b));
  } catch {
    return [];
  } finally {
    if (file !== null) closeSync(file);
  }
}

interface Source {
  readonly read: (offset: number, length: number) => DataView;
  readonly offset: number;
  readonly index: number;
}

function readFace(path: string, source: Source): FontFace | null {
  const { read, offset, index } = source;
  const head = read(offset, 12);
  const version = head.getUint32(0);
  if (version !== 0x00010000 && version !== 0x4f54544f && version !== 0x74727565) return null;
  const count = head.getUint16(4);
  const directory = read(offset + 12, count * 16);
  const tables = new Map<string, { offset: number; length: number }>();
  for (let at = 0; at < count; at += 1) {
    const tag = String.fromCharCode(...[0, 1, 2, 3].map((byte) => directory.getUint8(at * 16 + byte)));
    tables.set(tag, { offset: directory.getUint32(at * 16 + 8), length: directory.getUint32(at * 16 + 12) });
  }
  const outlines = tables.has("glyf") ? "glyf" : tables.has("CFF ") ? "cff" : null;
  if (outlines === null) return null;
  const table = (tag: string, length?: number): DataView => {
    const found = tables.get(tag);
    if (found === undefined) throw new RangeError(`no table ${tag}`);
    return read(found.offset, Math.min(length ?? found.length, found.length));
  };
  if (tables.has("OS/2") && isRestricted(table("OS/2", 10))) return null;
  const general = table("head");
  const unitsPerEm = general.getUint16(18) || 1000;
  const scale = 1000 / unitsPerEm;
  const style = general.getUint16(44);
  const horizontal = table("hhea");
  const metrics = horizontal.getUint16(34);
  const widths = table("hmtx", metrics * 4);
  const characters = readCharacterMap(table("cmap"));
  if (characters === null) return null;
  return {
    path,
    index,
    name: postscriptName(tables, table) ?? "Font",
    outlines,
    bold: (style & 1) !== 0 || weightOf(tables, table) >= 600,
    italic: (style & 2) !== 0,
    unitsPerEm,
    ascent: horizontal.getInt16(4) * scale,
    descent: horizontal.getInt16(6) * scale,
    bounds: [36, 38, 40, 42].map((at) => general.getInt16(at) * scale),
    glyph: characters,
    advance: (glyph) => widths.getUint16(Math.min(glyph, metrics - 1) * 4) * scale,
  };
}

/** CJK fonts often leave the style bit of bold faces empty. */
function weightOf(tables: Tables, table: (tag: string, length?: number) => DataView): number {
  return tables.has("OS/2") ? table("OS/2", 6).getUint16(4) : 400;
}

/** The owner allows no embedding at all. */
const isRestricted = (os2: DataView): boolean => (os2.getUint16(8) & 0xf) === 2;

function postscriptName(tables: Tables, table: (tag: string) => DataView): string | null {
  if (!tables.has("name")) return null;
  const names = table("name");
  const strings = names.getUint16(4);
  for (let at = 0; at < names.getUint16(2); at += 1) {
    const record = 6 + at * 12;
    if (names.getUint16(record + 6) !== 6) continue;
    const from = strings + names.getUint16(record + 10);
    const bytes = Array.from({ length: names.getUint16(record + 8) }, (_, byte) =>
      names.getUint8(from + byte),
    );
    const text = String.fromCharCode(...bytes.filter((byte) => byte > 32 && byte < 127));
    if (text !== "") return text.replace(/[^A-Za-z0-9-]/g, "");
  }
  return null;
}

/** Format 12 or 4 of a Unicode table. */
function readCharacterMap(view: DataView): ((codePoint: number) => number) | null {
  let best: { readonly rank: number; readonly offset: number } | null = null;
  for (let at = 0; at < view.getUint16(2); at += 1) {
    const platform = view.getUint16(4 + at * 8);
    const encoding = view.getUint16(6 + at * 8);
    const offset = view.getUint32(8 + at * 8);
    if (offset + 8 > view.byteLength) continue;
    const format = view.getUint16(offset);
    const unicode = platform === 0 || (platform === 3 && (encoding === 1 || encoding === 10));
    const rank = !unicode ? 0 : format === 12 ? 2 : format === 4 ? 1 : 0;
    if (rank > (best?.rank ?? 0)) best = { rank, offset };
  }
  if (best === null) return null;
  return best.rank === 2 ? format12(view, best.offset) : format4(view, best.offset);
}

function format12(view: DataView, offset: number): (codePoint: number) => number {
  const groups = view.getUint32(offset + 12);
  return (codePoint) => {
    let low = 0;
    let high = groups - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = offset + 16 + middle * 12;
      if (codePoint < view.getUint32(at)) high = middle - 1;
      else if (codePoint > view.getUint32(at + 4)) low = middle + 1;
      else return view.getUint32(at + 8) + codePoint - view.getUint32(at);
    }
    return 0;
  };
}

function format4(view: DataView, offset: number): (codePoint: number) => number {
  const double = view.getUint16(offset + 6);
  const ends = offset + 14;
  const starts = ends + double + 2;
  return (codePoint) => {
    if (codePoint > 0xffff) return 0;
    for (let at = 0; at < double; at += 2) {
      if (codePoint > view.getUint16(ends + at)) continue;
      const start = view.getUint16(starts + at);
      if (codePoint < start) return 0;
      const delta = view.getUint16(starts + double + at);
      const rangeAt = starts + 2 * double + at;
      const range = view.getUint16(rangeAt);
      if (range === 0) return (codePoint + delta) & 0xffff;
      const glyphAt = rangeAt + range + 2 * (codePoint - start);
      const glyph = glyphAt + 2 <= view.byteLength ? view.getUint16(glyphAt) : 0;
      return glyph === 0 ? 0 : (glyph + delta) & 0xffff;
    }
    return 0;
  };
}
