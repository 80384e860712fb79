import { deflateSync, inflateSync } from "node:zlib";
import { refused } from "./failure.ts";
import type { PdfWriter } from "./pdf-writer.ts";

export interface PictureInfo {
  readonly kind: "png" | "jpeg" | "gif" | "bmp" | "other";
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

const mostPixels = 120_000_000;

/** Kind and size of a picture by its bytes. */
export function pictureInfo(bytes: Uint8Array): PictureInfo {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const sized = (kind: PictureInfo["kind"], width: number, height: number): PictureInfo => {
    if (width * height > mostPixels) throw refused(`a picture has ${width} × ${height} pixels`);
    return { kind, width: Math.max(1, width), height: Math.max(1, height) };
  };
  if (view.length > 24 && view.readUInt32BE(0) === 0x89504e47)
    return sized("png", view.readUInt32BE(16), view.readUInt32BE(20));
  if (view.length > 10 && view.toString("latin1", 0, 3) === "GIF")
    return sized("gif", view.readUInt16LE(6), view.readUInt16LE(8));
  if (view.length > 26 && view.toString("latin1", 0, 2) === "BM")
    return sized("bmp", Math.abs(view.readInt32LE(18)), Math.abs(view.readInt32LE(22)));
  const frame = jpegFrame(view);
  return frame === null ? { kind: "other", width: 1, height: 1 } : sized("jpeg", frame.width, frame.height);
}

function jpegFrame(
  view: Buffer,
): { readonly width: number; readonly height: number; readonly parts: number } | null {
  if (view.length < 4 || view.readUInt16BE(0) !== 0xffd8) return null;
  for (let at = 2; at + 9 < view.length; ) {
    if (view[at] !== 0xff) return null;
    const marker = view[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return {
        height: view.readUInt16BE(at + 5),
        width: view.readUInt16BE(at + 7),
        parts: view[at + 9] ?? 3,
      };
    at += marker === 0xff ? 1 : 2 + view.readUInt16BE(at + 2);
  }
  return null;
}

/** Writes a picture's objects; null when it is of a kind that PDF and this code do not know. */
export function writePicture(writer: PdfWriter, bytes: Uint8Array): number | null {
  const { kind, width, height } = pictureInfo(bytes);
  const size = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height}`;
  if (kind === "jpeg") {
    const parts = jpegFrame(Buffer.from(bytes))?.parts ?? 3;
    const space =
      parts === 1 ? "/DeviceGray" : parts === 4 ? "/DeviceCMYK /Decode [1 0 1 0 1 0 1 0]" : "/DeviceRGB";
    return writer.addStream(`${size} /ColorSpace ${space} /BitsPerComponent 8 /Filter /DCTDecode`, bytes, {
      packed: true,
    });
  }
  if (kind !== "png") return null;
  const { color, alpha } = decodePng(Buffer.from(bytes));
  const mask =
    alpha === null
      ? ""
      : ` /SMask ${writer.addStream(`${size} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`, deflateSync(alpha), { packed: true })} 0 R`;
  return writer.addStream(
    `${size} /ColorSpace /DeviceRGB /BitsPerComponent 8${mask} /Filter /FlateDecode`,
    deflateSync(color),
    {
      packed: true,
    },
  );
}

interface Png {
  readonly width: number;
  readonly height: number;
  readonly depth: number;
  readonly type: number;
  readonly palette: Buffer;
  readonly transparency: Buffer | null;
}

/** Pixels of a PNG as RGB and, where it has any, transparency. */
function decodePng(bytes: Buffer): { readonly color: Buffer; readonly alpha: Buffer | null } {
  const data: Buffer[] = [];
  let palette = Buffer.alloc(0);
  let transparency: Buffer | null = null;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const kind = bytes.toString("latin1", at + 4, at + 8);
    const chunk = bytes.subarray(at + 8, at + 8 + length);
    if (kind === "IDAT") data.push(chunk);
    if (kind === "PLTE") palette = Buffer.from(chunk);
    if (kind === "tRNS") transparency = chunk;
    at += 12 + length;
  }
  const png: Png = {
    width: bytes.readUInt32BE(16),
    height: bytes.readUInt32BE(20),
    depth: bytes[24] ?? 8,
    type: bytes[25] ?? 2,
    palette,
    transparency,
  };
  const raw = inflateSync(Buffer.concat(data), {
    maxOutputLength: (png.width * 8 + 1 + 8) * (png.height + 8) * 2,
  });
  const hasAlpha = png.type >= 4 || transparency !== null;
  const color = Buffer.alloc(png.width * png.height * 3);
  const alpha = hasAlpha ? Buffer.alloc(png.width * png.height, 255) : null;
  const passes = bytes[28] === 1 ? interlaced : [[0, 0, 1, 1] as const];
  let offset = 0;
  for (const [left, top, right, down] of passes) {
    const width = Math.ceil((png.width - left) / right);
    const height = Math.ceil((png.height - top) / down);
    if (width <= 0 || height <= 0) continue;
    const place = (x: number, y: number): number => (top + y * down) * png.width + left + x * right;
    offset = decodePass(raw, { png, offset, width, height, place, color, alpha });
  }
  return { color, alpha };
}

const interlaced: readonly (readonly [number, number, number, number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

interface Pass {
  readonly png: Png;
  readonly offset: number;
  readonly width: number;
  readonly height: number;
  readonly place: (x: number, y: number) => number;
  readonly color: Buffer;
  readonly alpha: Buffer | null;
}

function decodePass(raw: Buffer, pass: Pass): number {
  const { png, width, height } = pass;
  const channels = [1, 0, 3, 1, 2, 0, 4][png.type] ?? 3;
  const step = Math.max(1, (channels * png.depth) >> 3);
  const stride = Math.ceil((width * channels * png.depth) / 8);
  let before = Buffer.alloc(stride);
  let offset = pass.offset;
  for (let y = 0; y < height; y += 1) {
    const line = Buffer.from(raw.subarray(offset + 1, offset + 1 + stride));
    unfilter(line, before, { filter: raw[offset] ?? 0, step });
    writeLine(line, y, pass);
    before = line;
    offset += stride + 1;
  }
  return offset;
}

function unfilter(
  line: Buffer,
  before: Buffer,
  { filter, step }: { readonly filter: number; readonly step: number },
): void {
  for (let at = 0; at < line.length; at += 1) {
    const left = at >= step ? (line[at - step] ?? 0) : 0;
    const up = before[at] ?? 0;
    const corner = at >= step ? (before[at - step] ?? 0) : 0;
    const guess =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : filter === 4
              ? paeth(left, up, corner)
              : 0;
    line[at] = ((line[at] ?? 0) + guess) & 255;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function writeLine(line: Buffer, y: number, pass: Pass): void {
  const { png, width, place, color, alpha } = pass;
  const scale = png.depth < 8 && png.type !== 3 ? 255 / ((1 << png.depth) - 1) : 1;
  const sample = (index: number): number => {
    if (png.depth === 8) return line[index] ?? 0;
    if (png.depth === 16) return line[index * 2] ?? 0;
    const bit = index * png.depth;
    return ((line[bit >> 3] ?? 0) >> (8 - png.depth - (bit & 7))) & ((1 << png.depth) - 1);
  };
  for (let x = 0; x < width; x += 1) {
    const at = place(x, y);
    if (png.type === 3) {
      const index = sample(x);
      png.palette.copy(color, at * 3, index * 3, index * 3 + 3);
      if (alpha) alpha[at] = png.transparency?.[index] ?? 255;
      continue;
    }
    const gray = png.type === 0 || png.type === 4;
    const channels = gray ? (png.type === 4 ? 2 : 1) : png.type === 6 ? 4 : 3;
    for (let part = 0; part < 3; part += 1)
      color[at * 3 + part] = Math.round(sample(x * channels + (gray ? 0 : part)) * scale);
    if (alpha && png.type >= 4) alpha[at] = sample(x * channels + channels - 1);
  }
}
