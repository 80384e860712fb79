import { crc32, deflateRawSync } from "node:zlib";

const fixedDate = 0x5a21; // 2025-01-01: equal input gives equal bytes

/** A ZIP file with these files in this order. Pictures and other packed files are stored as they are. */
export function writeZip(files: ReadonlyMap<string, Uint8Array | string>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of files) {
    const bytes = typeof content === "string" ? Buffer.from(content, "utf8") : content;
    const stored = /\.(png|jpe?g|gif|mp4|zip)$/i.test(name);
    const packed = stored ? Buffer.from(bytes) : deflateRawSync(bytes, { level: bytes.length > 8e6 ? 3 : 6 });
    const path = Buffer.from(name, "utf8");
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x0800, 2); // names are UTF-8
    fields.writeUInt16LE(stored ? 0 : 8, 4);
    fields.writeUInt16LE(fixedDate, 8);
    fields.writeUInt32LE(crc32(bytes), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(bytes.length, 18);
    fields.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from([0x50, 0x4b, 3, 4]), fields, path]);
    parts.push(local, packed);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), fields, tail, path]));
    offset += local.length + packed.length;
  }
  const index = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.size, 8);
  end.writeUInt16LE(files.size, 10);
  end.writeUInt32LE(index.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, index, end]);
}
