import { crc32, deflateRawSync, gzipSync } from "node:zlib";

// Makes archives byte by byte, also such as no program would write. For tests alone.

export interface HeadOptions {
  /** A text stands in the field as it is. */
  readonly size?: number | string;
  readonly type?: string;
  readonly link?: string;
  readonly mode?: number;
  readonly prefix?: string;
  /** A check sum that does not fit. */
  readonly wrong?: boolean;
}

const octal = (value: number, width: number): string => `${value.toString(8).padStart(width - 1, "0")}\0`;

/** One header block of a tar. */
export function head(name: string, options: HeadOptions = {}): Buffer {
  const block = Buffer.alloc(512);
  const put = (text: string, at: number): void => {
    block.write(text, at, "latin1");
  };
  Buffer.from(name).copy(block, 0, 0, 100);
  put(octal(options.mode ?? 0o644, 8), 100);
  put(octal(0, 8) + octal(0, 8), 108);
  put(typeof options.size === "string" ? options.size : octal(options.size ?? 0, 12), 124);
  put(`${octal(0, 12)}        ${options.type ?? "0"}`, 136);
  Buffer.from(options.link ?? "").copy(block, 157, 0, 100);
  put("ustar\x0000", 257);
  Buffer.from(options.prefix ?? "").copy(block, 345, 0, 155);
  const sum = block.reduce((total, byte) => total + byte, 0) + (options.wrong === true ? 1 : 0);
  put(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

export function padded(bytes: Buffer, unit = 512): Buffer {
  return Buffer.concat([bytes, Buffer.alloc((unit - (bytes.length % unit)) % unit)]);
}

/** Header and content of one entry. A name beyond 100 bytes is stated the way real programs do. */
export function entry(name: string, content: string | Uint8Array, options: HeadOptions = {}): Buffer {
  const bytes = Buffer.from(content as Uint8Array);
  const long = Buffer.byteLength(name) > 100 ? [extended({ path: name })] : [];
  return Buffer.concat([...long, head(name, { size: bytes.length, ...options }), padded(bytes)]);
}

/** A PAX header with these records, for the next entry ("x") or for all ("g"). */
export function extended(records: Readonly<Record<string, string>>, type = "x"): Buffer {
  const lines = Object.entries(records).map(([key, value]) => {
    const body = Buffer.byteLength(` ${key}=${value}\n`);
    let length = body + String(body).length;
    if (String(length).length !== String(body).length) length = body + String(length).length;
    return `${length} ${key}=${value}\n`;
  });
  const bytes = Buffer.from(lines.join(""));
  return Buffer.concat([head("PaxHeader/x", { type, size: bytes.length }), padded(bytes)]);
}

export function tar(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([...parts, Buffer.alloc(1024)]);
}

export function packed(...parts: readonly Uint8Array[]): Buffer {
  return gzipSync(tar(...parts));
}

export function crcOf(bytes: Uint8Array): number {
  return crc32(bytes);
}

export interface ZipPart {
  readonly name: string | Buffer;
  readonly data: string | Uint8Array;
  readonly mode?: number;
  readonly flags?: number;
  readonly method?: number;
  readonly crc?: number;
  /** Stated size, in both places. */
  readonly size?: number;
  readonly localSize?: number;
  readonly localName?: string;
  readonly raw?: Buffer;
  readonly extra?: Buffer;
  /** Sizes stand behind the data. */
  readonly later?: boolean;
  /** Its data is that of the first entry. */
  readonly shared?: boolean;
}

/** A zip file with what its entries say of themselves. */
export function zip(
  parts: readonly ZipPart[],
  end: { readonly count?: number; readonly comment?: Buffer } = {},
): Buffer {
  const [local, central]: [Buffer[], Buffer[]] = [[], []];
  let at = 0;
  for (const part of parts) {
    const name = Buffer.from(part.name as string);
    const data = Buffer.from(part.data as Uint8Array);
    const raw = part.raw ?? deflateRawSync(data);
    const [crc, size, extra] = [
      part.crc ?? crc32(data),
      part.size ?? data.length,
      part.extra ?? Buffer.alloc(0),
    ];
    const flags = part.flags ?? (part.later === true ? 0x808 : 0x800);
    const fixed = Buffer.alloc(22);
    fixed.writeUInt16LE(flags, 0);
    fixed.writeUInt16LE(part.method ?? 8, 2);
    fixed.writeUInt32LE(crc, 8);
    fixed.writeUInt32LE(raw.length, 12);
    fixed.writeUInt32LE(size, 16);
    fixed.writeUInt16LE(name.length, 20);
    const stated = Buffer.from(fixed);
    if (part.later === true) stated.fill(0, 8, 20);
    if (part.localSize !== undefined) stated.writeUInt32LE(part.localSize, 16);
    const localName = part.localName === undefined ? name : Buffer.from(part.localName);
    stated.writeUInt16LE(localName.length, 20);
    const behind =
      part.later === true
        ? Buffer.concat([Buffer.from("PK\x07\x08", "latin1"), fixed.subarray(8, 20)])
        : Buffer.alloc(0);
    const record = Buffer.alloc(18);
    record.writeUInt16LE(extra.length, 0);
    record.writeUInt32LE(((part.mode ?? 0o100644) << 16) >>> 0, 8);
    record.writeUInt32LE(part.shared === true ? 0 : at, 12);
    central.push(
      Buffer.from("PK\x01\x02\x14\x03\x14\x00", "latin1"),
      fixed,
      record.subarray(0, 16),
      name,
      extra,
    );
    if (part.shared === true) continue;
    const whole = Buffer.concat([
      Buffer.from("PK\x03\x04\x14\x00", "latin1"),
      stated,
      Buffer.alloc(2),
      localName,
      raw,
      behind,
    ]);
    local.push(whole);
    at += whole.length;
  }
  const directory = Buffer.concat(central);
  const comment = end.comment ?? Buffer.alloc(0);
  const last = Buffer.alloc(18);
  last.writeUInt16LE(end.count ?? parts.length, 4);
  last.writeUInt16LE(end.count ?? parts.length, 6);
  last.writeUInt32LE(directory.length, 8);
  last.writeUInt32LE(at, 12);
  last.writeUInt16LE(comment.length, 16);
  return Buffer.concat([...local, directory, Buffer.from("PK\x05\x06", "latin1"), last, comment]);
}
