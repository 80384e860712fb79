import { crc32, deflateSync, inflateSync } from "node:zlib";
import { PDFArray, type PDFDict, type PDFDocument, PDFName, PDFNumber, PDFRawStream } from "@cantoo/pdf-lib";

export interface FoundPicture {
  readonly ending: "jpg" | "png" | "jp2";
  readonly bytes: Uint8Array;
}

/** Pictures of a PDF, as they lie in it; kinds that would have to be drawn anew are counted in `skipped`. */
export function extractPictures(document: PDFDocument): {
  readonly pictures: readonly FoundPicture[];
  readonly skipped: number;
} {
  const pictures: FoundPicture[] = [];
  let skipped = 0;
  for (const [, object] of document.context.enumerateIndirectObjects()) {
    if (
      !(object instanceof PDFRawStream) ||
      object.dict.lookup(PDFName.of("Subtype")) !== PDFName.of("Image")
    )
      continue;
    const picture = pictureOf(document, object);
    if (picture === null) skipped += 1;
    else pictures.push(picture);
  }
  return { pictures, skipped };
}

function pictureOf(document: PDFDocument, stream: PDFRawStream): FoundPicture | null {
  const { dict } = stream;
  const filter = dict.lookup(PDFName.of("Filter"));
  const filters =
    filter instanceof PDFArray ? filter.asArray().map(String) : filter === undefined ? [] : [String(filter)];
  const bytes = stream.getContents();
  if (filters.length === 1 && filters[0] === "/DCTDecode") return { ending: "jpg", bytes };
  if (filters.length === 1 && filters[0] === "/JPXDecode") return { ending: "jp2", bytes };
  const number = (name: string): number => {
    const value = dict.lookup(PDFName.of(name));
    return value instanceof PDFNumber ? value.asNumber() : 0;
  };
  const [width, height, bits] = [number("Width"), number("Height"), number("BitsPerComponent")];
  const channels = channelsOf(document, dict);
  if (bits !== 8 || channels === null || filters.length > 1 || width * height > 100_000_000) return null;
  if (dict.has(PDFName.of("DecodeParms")) || dict.has(PDFName.of("Decode"))) return null;
  try {
    const raw =
      filters[0] === "/FlateDecode"
        ? inflateSync(bytes, { maxOutputLength: width * height * channels + 1024 })
        : Buffer.from(bytes);
    return raw.length < width * height * channels
      ? null
      : { ending: "png", bytes: encodePng(raw, { width, height, channels }) };
  } catch {
    return null;
  }
}

function channelsOf(document: PDFDocument, dict: PDFDict): 1 | 3 | null {
  const space = document.context.lookup(dict.get(PDFName.of("ColorSpace")));
  const name = space instanceof PDFArray ? String(space.get(0)) : String(space);
  if (name === "/DeviceRGB" || name === "/CalRGB") return 3;
  if (name === "/DeviceGray" || name === "/CalGray") return 1;
  if (name !== "/ICCBased" || !(space instanceof PDFArray)) return null;
  const profile = space.lookup(1);
  const count = profile instanceof PDFRawStream ? profile.dict.lookup(PDFName.of("N")) : undefined;
  const channels = count instanceof PDFNumber ? count.asNumber() : 0;
  return channels === 1 || channels === 3 ? channels : null;
}

function encodePng(
  raw: Buffer,
  { width, height, channels }: { readonly width: number; readonly height: number; readonly channels: 1 | 3 },
): Buffer {
  const stride = width * channels;
  const lines = Buffer.alloc((stride + 1) * height);
  for (let y = 0; y < height; y += 1) raw.copy(lines, y * (stride + 1) + 1, y * stride, (y + 1) * stride);
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, channels === 3 ? 2 : 0, 0, 0, 0], 8);
  const chunk = (kind: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
    const out = Buffer.alloc(body.length + 8);
    out.writeUInt32BE(data.length, 0);
    body.copy(out, 4);
    out.writeUInt32BE(crc32(body), body.length + 4);
    return out;
  };
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(lines)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}
