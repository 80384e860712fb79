import { createHash } from "node:crypto";
import { findFonts } from "./find-fonts.ts";
import { type FontFace, readFaces } from "./font-face.ts";
import { subsetFont } from "./font-subset.ts";
import { num, type PdfWriter } from "./pdf-writer.ts";
import { standardWidths } from "./standard-widths.ts";

export interface FontStyle {
  readonly bold: boolean;
  readonly italic: boolean;
  readonly family: "sans" | "serif" | "mono";
}

/** A stretch of text in one font. */
export interface Run {
  readonly font: PdfFont;
  readonly text: string;
  /** As the show operator takes it, in hexadecimal digits. */
  readonly codes: string;
  /** In 1/1000 of the size. */
  readonly width: number;
  /** The font has no such face, so the writer thickens or slants it. */
  readonly fakeBold: boolean;
  readonly fakeItalic: boolean;
}

export interface PdfFont {
  readonly key: string;
  encode(text: string): { readonly codes: string; readonly width: number };
  /** Writes the font's objects and gives the number of the first. */
  write(writer: PdfWriter): number;
}

/** Codes 128 to 159 of Windows-1252; spaces stand for those without a character. */
const upper = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";
const windows1252 = new Map(
  Array.from(
    { length: 224 },
    (_, at) =>
      [at < 96 || at > 127 ? String.fromCharCode(at + 32) : (upper[at - 96] ?? " "), at + 32] as const,
  ).filter(([character, code]) => (character !== " " || code === 32) && code !== 127),
);

/** Punctuation that Chinese text shares with Western text but draws as wide as its own signs. */
const shared = /[\u2018\u2019\u201C\u201D\u2026\u2014\u00B7]/;
const eastAsian = /[\u2E80-\u9FFF\uAC00-\uD7AF\uF900-\uFAFF\uFF00-\uFFEF]/;

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/**
 * Fonts of one PDF. Western text takes the fonts every viewer has; for the rest a font of the machine is embedded, its
 * used glyphs alone; without one, Chinese, Japanese and Korean take a font the viewer provides. What nothing can draw
 * is collected in `missing`.
 */
export class FontSet {
  readonly missing = new Set<string>();
  /** Text of scripts that run from right to left was drawn; it is neither ordered nor joined. */
  rightToLeft = false;
  /** Names of fonts that were embedded or are expected from the viewer. */
  readonly notes = new Set<string>();
  readonly #given: readonly string[];
  readonly #system: boolean;
  readonly #fonts = new Map<string, PdfFont>();
  readonly #faces = new Map<string, readonly FontFace[]>();
  readonly #choices = new Map<string, FontFace | null>();
  readonly #runs = new Map<string, readonly Run[]>();

  constructor(options: { readonly files?: readonly string[]; readonly system?: boolean } = {}) {
    this.#given = options.files ?? [];
    this.#system = options.system ?? true;
    for (const path of this.#given)
      if (readFaces(path).length === 0) throw new Error(`${path} is no font that can be embedded`);
  }

  used(): readonly PdfFont[] {
    return [...this.#fonts.values()];
  }

  width(text: string, style: FontStyle): number {
    return this.split(text, style).reduce((sum, run) => sum + run.width, 0);
  }

  /** Whether some font can draw the character. */
  has(character: string): boolean {
    return (
      windows1252.has(character) ||
      this.#face(character, { bold: false, italic: false, family: "sans" }) !== null
    );
  }

  /** Text as runs of fonts that can draw it. */
  split(text: string, style: FontStyle): readonly Run[] {
    const key = `${style.family}${style.bold ? "b" : ""}${style.italic ? "i" : ""}:${text}`;
    const known = this.#runs.get(key);
    if (known !== undefined) return known;
    if (rightToLeft.test(text)) this.rightToLeft = true;
    const pieces: { font: PdfFont; text: string; face: FontFace | null }[] = [];
    // A word stays in one font where one can draw it all.
    const whole = [...text].every((character) => windows1252.has(character)) ? this.#standard(style) : null;
    const ofWord = whole === null && !/[\u2E80-\uFFEF]/.test(text) ? this.#faceForAll(text, style) : null;
    const isWide = eastAsian.test(text);
    const isWestern = (character: string): boolean =>
      windows1252.has(character) && !(isWide && shared.test(character));
    for (const character of prepare(text)) {
      const face = whole
        ? null
        : (ofWord ??
          (this.#given.length === 0 && isWestern(character) ? null : this.#face(character, style)));
      const font = face
        ? this.#embedded(face)
        : windows1252.has(character)
          ? this.#standard(style)
          : this.#predefined(character);
      const last = pieces.at(-1);
      if (font === null) {
        this.missing.add(character);
        const box = this.#standard(style);
        if (last?.font === box) last.text += "?";
        else pieces.push({ font: box, text: "?", face: null });
      } else if (last?.font === font) last.text += character;
      else pieces.push({ font, text: character, face });
    }
    const runs = pieces.map(
      ({ font, text: part, face }): Run => ({
        font,
        text: part,
        ...font.encode(part),
        fakeBold: style.bold && !(font instanceof Standard) && face?.bold !== true,
        fakeItalic: style.italic && !(font instanceof Standard) && face?.italic !== true,
      }),
    );
    if (text.length < 40) this.#runs.set(key, runs);
    return runs;
  }

  #standard(style: FontStyle): PdfFont {
    return this.#font(standardName(style), (name) => new Standard(name));
  }

  #font(key: string, make: (key: string) => PdfFont): PdfFont {
    let font = this.#fonts.get(key);
    if (font === undefined) {
      font = make(key);
      this.#fonts.set(key, font);
    }
    return font;
  }

  #embedded(face: FontFace): PdfFont {
    this.notes.add(face.name);
    return this.#font(`${face.path}#${face.index}`, () => new Embedded(face));
  }

  #predefined(character: string): PdfFont | null {
    const kind = predefinedFor(character);
    if (kind === null) return null;
    this.notes.add(`${kind.name} (not embedded; the viewer provides it)`);
    return this.#font(kind.name, () => new Predefined(kind));
  }

  #facesOf(path: string): readonly FontFace[] {
    let faces = this.#faces.get(path);
    if (faces === undefined) {
      faces = readFaces(path);
      this.#faces.set(path, faces);
    }
    return faces;
  }

  #files(): readonly string[] {
    return [...this.#given, ...(this.#system ? findFonts() : [])];
  }

  /** The first font that has the character; among its sort a bold one for bold text. */
  #face(character: string, style: FontStyle): FontFace | null {
    const key = `${style.bold}${character}`;
    const known = this.#choices.get(key);
    if (known !== undefined) return known;
    const face = this.#find([character], style);
    this.#choices.set(key, face);
    return face;
  }

  #faceForAll(text: string, style: FontStyle): FontFace | null {
    return this.#find([...prepare(text)], style);
  }

  #find(characters: readonly string[], style: FontStyle): FontFace | null {
    const has = (face: FontFace): boolean =>
      characters.every((character) => face.glyph(character.codePointAt(0) ?? 0) !== 0);
    // What is drawn already is drawn on: fewer fonts, smaller file.
    for (const font of this.#fonts.values())
      if (font instanceof Embedded && font.face.bold === style.bold && has(font.face)) return font.face;
    let plain: FontFace | null = null;
    for (const path of this.#files())
      for (const face of this.#facesOf(path)) {
        if (!has(face)) continue;
        if (face.bold === style.bold && (!face.italic || style.italic)) return face;
        plain ??= face;
        if (style.bold && /cjk|hei|ming|song|gothic/i.test(face.name))
          return boldSibling(this, face, characters) ?? face;
      }
    return plain;
  }

  /** Faces of all known files, for a bold one of the same family. */
  allFaces(): readonly FontFace[] {
    return this.#files().flatMap((path) => this.#facesOf(path));
  }
}

function boldSibling(set: FontSet, face: FontFace, characters: readonly string[]): FontFace | null {
  const family = face.name.split("-")[0] ?? face.name;
  const found = set
    .allFaces()
    .find(
      (one) =>
        one.bold &&
        !one.italic &&
        one.name.split("-")[0] === family &&
        characters.every((character) => one.glyph(character.codePointAt(0) ?? 0) !== 0),
    );
  return found ?? null;
}

/** Characters one by one; those that only join or select a shape draw nothing of their own. */
function prepare(text: string): readonly string[] {
  return [...text.normalize("NFC")].filter((character) => !isSilent(character.codePointAt(0) ?? 0));
}

/** Joiners, direction marks, shape selectors, skin tones. */
function isSilent(code: number): boolean {
  return (
    (code >= 0x200b && code <= 0x200f) ||
    code === 0x2060 ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0xfeff ||
    (code >= 0x1f3fb && code <= 0x1f3ff)
  );
}

function standardName({ family, bold, italic }: FontStyle): string {
  if (family === "serif")
    return `Times-${bold ? (italic ? "BoldItalic" : "Bold") : italic ? "Italic" : "Roman"}`;
  const base = family === "mono" ? "Courier" : "Helvetica";
  const style = `${bold ? "Bold" : ""}${italic ? "Oblique" : ""}`;
  return style === "" ? base : `${base}-${style}`;
}

class Standard implements PdfFont {
  readonly key: string;

  constructor(name: string) {
    this.key = name;
  }

  encode(text: string): { codes: string; width: number } {
    const widths =
      standardWidths[
        this.key.replace(/^Helvetica.*Bold.*/, "Helvetica-Bold").replace(/^Helvetica-Oblique/, "Helvetica")
      ];
    let codes = "";
    let width = 0;
    for (const character of text) {
      const code = windows1252.get(character) ?? 63;
      codes += code.toString(16).padStart(2, "0");
      width += widths ? Number.parseInt(widths.slice((code - 32) * 2, (code - 32) * 2 + 2), 36) : 600;
    }
    return { codes, width };
  }

  write(writer: PdfWriter): number {
    return writer.add(`<< /Type /Font /Subtype /Type1 /BaseFont /${this.key} /Encoding /WinAnsiEncoding >>`);
  }
}

class Embedded implements PdfFont {
  readonly key: string;
  readonly face: FontFace;
  readonly #glyphs = new Map<number, string>();
  #subset: ReturnType<typeof subsetFont> | null = null;

  constructor(face: FontFace) {
    this.face = face;
    this.key = `${face.path}#${face.index}`;
  }

  /** Codes are glyph numbers of the whole font here; `recode` makes those of the subset when the page is written. */
  encode(text: string): { codes: string; width: number } {
    let codes = "";
    let width = 0;
    for (const character of text) {
      const glyph = this.face.glyph(character.codePointAt(0) ?? 0);
      if (!this.#glyphs.has(glyph)) {
        this.#glyphs.set(glyph, character);
        // What was made for earlier pages lacks this glyph.
        this.#subset = null;
      }
      codes += glyph.toString(16).padStart(4, "0");
      width += this.face.advance(glyph);
    }
    return { codes, width };
  }

  #made(): NonNullable<ReturnType<typeof subsetFont>> {
    this.#subset ??= subsetFont(this.face, new Set(this.#glyphs.keys()));
    if (this.#subset === null)
      throw new Error(`the font ${this.face.path} cannot be subset; name another with --font`);
    return this.#subset;
  }

  recode(codes: string): string {
    const { cid } = this.#made();
    return codes.replace(/..../g, (code) => cid(Number.parseInt(code, 16)).toString(16).padStart(4, "0"));
  }

  write(writer: PdfWriter): number {
    const { face } = this;
    const { bytes, cid } = this.#made();
    const isGlyf = face.outlines === "glyf";
    // Each subset has a name of its own: viewers take fonts of one name for the same.
    const tag = [...createHash("sha1").update(bytes).digest().subarray(0, 6)]
      .map((byte) => String.fromCharCode(65 + (byte % 26)))
      .join("");
    const name = `${tag}+${face.name}`;
    const file = writer.addStream(isGlyf ? `/Length1 ${bytes.length}` : "/Subtype /CIDFontType0C", bytes);
    const descriptor = writer.add(
      `<< /Type /FontDescriptor /FontName /${name} /Flags 4 /FontBBox [${face.bounds.map(num).join(" ")}] /ItalicAngle ${face.italic ? -12 : 0} /Ascent ${num(face.ascent)} /Descent ${num(face.descent)} /CapHeight 700 /StemV ${face.bold ? 140 : 80} /FontFile${isGlyf ? 2 : 3} ${file} 0 R >>`,
    );
    const glyphs = [...this.#glyphs].sort(([a], [b]) => cid(a) - cid(b));
    const widths = glyphs.map(([glyph]) => `${cid(glyph)} [${num(face.advance(glyph))}]`).join(" ");
    const descendant = writer.add(
      `<< /Type /Font /Subtype /CIDFontType${isGlyf ? 2 : 0} /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /DW 1000 /W [${widths}]${isGlyf ? " /CIDToGIDMap /Identity" : ""} >>`,
    );
    const unicode = writer.addStream(
      "",
      Buffer.from(unicodeMap(glyphs.map(([glyph, text]) => [cid(glyph), text] as const)), "latin1"),
    );
    return writer.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${unicode} 0 R >>`,
    );
  }
}

/** Codes as the written font knows them. */
export function finalCodes(run: Run): string {
  return run.font instanceof Embedded ? run.font.recode(run.codes) : run.codes;
}

function unicodeMap(pairs: readonly (readonly [number, string])[]): string {
  const blocks: string[] = [];
  for (let at = 0; at < pairs.length; at += 100) {
    const rows = pairs.slice(at, at + 100).map(([code, text]) => {
      const target = Buffer.from(text, "utf16le").swap16().toString("hex");
      return `<${code.toString(16).padStart(4, "0")}> <${target}>`;
    });
    blocks.push(`${rows.length} beginbfchar\n${rows.join("\n")}\nendbfchar`);
  }
  return `/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <ffff>
endcodespacerange
${blocks.join("\n")}
endcmap
CMapName currentdict /CMap defineresource pop
end
end`;
}

interface PredefinedKind {
  readonly name: string;
  readonly encoding: string;
  readonly ordering: string;
  readonly supplement: number;
}

const chinese: PredefinedKind = {
  name: "STSong-Light",
  encoding: "UniGB-UTF16-H",
  ordering: "GB1",
  supplement: 5,
};
const japanese: PredefinedKind = {
  name: "HeiseiKakuGo-W5",
  encoding: "UniJIS-UTF16-H",
  ordering: "Japan1",
  supplement: 6,
};
const korean: PredefinedKind = {
  name: "HYGoThic-Medium",
  encoding: "UniKS-UTF16-H",
  ordering: "Korea1",
  supplement: 2,
};

/** Only characters that the collections surely have. */
function predefinedFor(character: string): PredefinedKind | null {
  if (/[\uAC00-\uD7A3]/.test(character)) return korean;
  if (/[\u3041-\u3096\u30A1-\u30FA\u30FC]/.test(character)) return japanese;
  if (
    /[\u3001-\u3003\u3005-\u3017\u3021-\u3029\u3400-\u4DB5\u4E00-\u9FA5\uFF01-\uFF5E\uFFE5]/.test(character)
  )
    return chinese;
  return null;
}

class Predefined implements PdfFont {
  readonly key: string;
  readonly #kind: PredefinedKind;

  constructor(kind: PredefinedKind) {
    this.key = kind.name;
    this.#kind = kind;
  }

  encode(text: string): { codes: string; width: number } {
    return { codes: Buffer.from(text, "utf16le").swap16().toString("hex"), width: 1000 * [...text].length };
  }

  write(writer: PdfWriter): number {
    const { name, encoding, ordering, supplement } = this.#kind;
    const descriptor = writer.add(
      `<< /Type /FontDescriptor /FontName /${name} /Flags 6 /FontBBox [-134 -254 1001 905] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 740 /StemV 90 >>`,
    );
    const descendant = writer.add(
      `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement ${supplement} >> /FontDescriptor ${descriptor} 0 R /DW 1000 >>`,
    );
    return writer.add(
      `<< /Type /Font /Subtype /Type0 /BaseFont /${name}-${encoding} /Encoding /${encoding} /DescendantFonts [${descendant} 0 R] >>`,
    );
  }
}
