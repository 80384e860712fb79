import packedWasm from "embed:harfbuzzjs/dist/harfbuzz-subset.wasm";
import { readFileSync } from "node:fs";
import type { FontFace } from "./font-face.ts";
import { unpackBytes } from "./unpack-bytes.ts";

/** Functions of HarfBuzz' subsetter that are called here; numbers are addresses in its memory. */
interface Subsetter {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(size: number): number;
  free(address: number): void;
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_data(blob: number, length: number): number;
  hb_blob_get_length(blob: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_pin_all_axes_to_default(input: number, face: number): number;
  hb_subset_or_fail(face: number, input: number): number;
  _initialize?(): void;
}

/** The types of Node.js leave it out. */
interface Wasm {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: unknown };
}

let loaded: Subsetter | null = null;

function subsetter(): Subsetter {
  if (loaded === null) {
    const wasm = (globalThis as unknown as { readonly WebAssembly: Wasm }).WebAssembly;
    const module = new wasm.Module(unpackBytes(packedWasm));
    loaded = new wasm.Instance(module, {}).exports as Subsetter;
    loaded._initialize?.();
  }
  return loaded;
}

const noHinting = 0x1;
const retainGlyphIds = 0x2;
const notdefOutline = 0x40;
const noLayoutClosure = 0x200;
const dropTables = 3;
const dropped = [
  "GSUB",
  "GPOS",
  "GDEF",
  "BASE",
  "JSTF",
  "vhea",
  "vmtx",
  "VORG",
  "DSIG",
  "kern",
  "EBDT",
  "EBLC",
  "CBDT",
  "CBLC",
];

/** A font with these glyphs alone, and by which number (CID) the PDF calls each. */
export interface FontSubset {
  readonly bytes: Uint8Array;
  readonly cid: (glyph: number) => number;
}

/** Glyf fonts keep their glyph numbers; of CFF fonts the bare table is given, as PDF embeds it. Null when it fails. */
export function subsetFont(face: FontFace, glyphs: ReadonlySet<number>): FontSubset | null {
  const hb = subsetter();
  const file = readFileSync(face.path);
  const data = hb.malloc(file.length);
  new Uint8Array(hb.memory.buffer, data, file.length).set(file);
  const blob = hb.hb_blob_create(data, file.length, 2, 0, 0);
  const source = hb.hb_face_create(blob, face.index);
  const input = hb.hb_subset_input_create_or_fail();
  try {
    for (const glyph of [0, ...glyphs]) hb.hb_set_add(hb.hb_subset_input_glyph_set(input), glyph);
    const drop = hb.hb_subset_input_set(input, dropTables);
    for (const tag of dropped) hb.hb_set_add(drop, Buffer.from(tag).readUInt32BE());
    const keep = face.outlines === "glyf" ? retainGlyphIds : 0;
    hb.hb_subset_input_set_flags(input, noHinting | notdefOutline | noLayoutClosure | keep);
    hb.hb_subset_input_pin_all_axes_to_default(input, source);
    const made = hb.hb_subset_or_fail(source, input);
    if (made === 0) return null;
    const result = hb.hb_face_reference_blob(made);
    const length = hb.hb_blob_get_length(result);
    const bytes = Buffer.from(new Uint8Array(hb.memory.buffer, hb.hb_blob_get_data(result, 0), length));
    hb.hb_blob_destroy(result);
    hb.hb_face_destroy(made);
    if (face.outlines === "glyf") return { bytes, cid: (glyph) => glyph };
    return cffSubset(
      bytes,
      [...new Set([0, ...glyphs])].sort((a, b) => a - b),
    );
  } finally {
    hb.hb_subset_input_destroy(input);
    hb.hb_face_destroy(source);
    hb.hb_blob_destroy(blob);
    hb.free(data);
  }
}

/** New glyphs are in the order of the old ones; a CID-keyed font is addressed by the CIDs of its charset. */
function cffSubset(font: Buffer, sorted: readonly number[]): FontSubset | null {
  const table = tableOf(font, "CFF ");
  if (table === null) return null;
  const ranks = new Map(sorted.map((glyph, index) => [glyph, index]));
  const cids = readCids(table, sorted.length);
  return { bytes: table, cid: (glyph) => cids?.[ranks.get(glyph) ?? 0] ?? ranks.get(glyph) ?? 0 };
}

function tableOf(font: Buffer, tag: string): Buffer | null {
  for (let at = 0; at < font.readUInt16BE(4); at += 1) {
    const record = 12 + at * 16;
    if (font.toString("latin1", record, record + 4) !== tag) continue;
    const offset = font.readUInt32BE(record + 8);
    return font.subarray(offset, offset + font.readUInt32BE(record + 12));
  }
  return null;
}

/** CID of each glyph, or null when the font is not CID-keyed. */
function readCids(cff: Buffer, count: number): readonly number[] | null {
  const names = skipIndex(cff, cff[2] ?? 4);
  const dict = topDict(cff.subarray(...indexItem(cff, names)));
  if (!dict.has(1230)) return null;
  let at = dict.get(15) ?? 0;
  if (at <= 2) return null;
  const cids = [0];
  const format = cff[at] ?? 0;
  at += 1;
  while (cids.length < count && at + 2 <= cff.length) {
    const first = cff.readUInt16BE(at);
    const left = format === 0 ? 0 : format === 1 ? (cff[at + 2] ?? 0) : cff.readUInt16BE(at + 2);
    for (let more = 0; more <= left && cids.length < count; more += 1) cids.push(first + more);
    at += format === 0 ? 2 : format === 1 ? 3 : 4;
  }
  return cids;
}

function indexItem(cff: Buffer, at: number): [number, number] {
  const count = cff.readUInt16BE(at);
  const size = cff[at + 2] ?? 1;
  const data = at + 2 + (count + 1) * size;
  return [data + cff.readUIntBE(at + 3, size), data + cff.readUIntBE(at + 3 + size, size)];
}

function skipIndex(cff: Buffer, at: number): number {
  const count = cff.readUInt16BE(at);
  if (count === 0) return at + 2;
  const size = cff[at + 2] ?? 1;
  return at + 2 + (count + 1) * size + cff.readUIntBE(at + 3 + count * size, size);
}

/** Last operand of each operator; two-byte operators are 1200 + the second byte. */
function topDict(bytes: Buffer): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  let operand = 0;
  for (let at = 0; at < bytes.length; ) {
    const byte = bytes[at] ?? 0;
    if (byte <= 21) {
      found.set(byte === 12 ? 1200 + (bytes[at + 1] ?? 0) : byte, operand);
      at += byte === 12 ? 2 : 1;
    } else if (byte === 28) [operand, at] = [bytes.readInt16BE(at + 1), at + 3];
    else if (byte === 29) [operand, at] = [bytes.readInt32BE(at + 1), at + 5];
    else if (byte === 30) {
      at += 1;
      while (at < bytes.length && ((bytes[at] ?? 0) & 0xf) !== 0xf) at += 1;
      at += 1;
    } else if (byte <= 246) [operand, at] = [byte - 139, at + 1];
    else if (byte <= 250) [operand, at] = [(byte - 247) * 256 + (bytes[at + 1] ?? 0) + 108, at + 2];
    else [operand, at] = [-(byte - 251) * 256 - (bytes[at + 1] ?? 0) - 108, at + 2];
  }
  return found;
}
