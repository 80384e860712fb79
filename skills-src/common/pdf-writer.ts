import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";

/** A PDF file that is being made: objects with numbers, written out at the end. */
export class PdfWriter {
  readonly #objects: (Buffer | null)[] = [];

  /** A number for an object that comes later. */
  reserve(): number {
    return this.#objects.push(null);
  }

  set(id: number, content: string | Buffer): void {
    this.#objects[id - 1] = typeof content === "string" ? Buffer.from(content, "latin1") : content;
  }

  add(content: string): number {
    const id = this.reserve();
    this.set(id, content);
    return id;
  }

  /** A stream; `dictionary` without brackets. `packed` bytes are written as they are, others are compressed. */
  addStream(
    dictionary: string,
    bytes: Uint8Array,
    options: { readonly packed?: boolean; readonly id?: number } = {},
  ): number {
    const body = options.packed ? bytes : deflateSync(bytes);
    const filter = options.packed ? "" : " /Filter /FlateDecode";
    const id = options.id ?? this.reserve();
    this.set(
      id,
      Buffer.concat([
        Buffer.from(`<< ${dictionary}${filter} /Length ${body.length} >>\nstream\n`, "latin1"),
        body,
        Buffer.from("\nendstream", "latin1"),
      ]),
    );
    return id;
  }

  /** The whole file. Equal content gives equal bytes. */
  finish(root: number, info: number): Buffer {
    const parts: Buffer[] = [Buffer.from("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n", "latin1")];
    let offset = parts[0]?.length ?? 0;
    const offsets: number[] = [];
    const hash = createHash("md5");
    this.#objects.forEach((content, index) => {
      const bytes = Buffer.concat([
        Buffer.from(`${index + 1} 0 obj\n`, "latin1"),
        content ?? Buffer.from("null"),
        Buffer.from("\nendobj\n", "latin1"),
      ]);
      offsets.push(offset);
      offset += bytes.length;
      hash.update(bytes);
      parts.push(bytes);
    });
    const id = hash.digest("hex");
    const rows = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
    const size = this.#objects.length + 1;
    parts.push(
      Buffer.from(
        `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root ${root} 0 R /Info ${info} 0 R /ID [<${id}> <${id}>] >>\nstartxref\n${offset}\n%%EOF\n`,
        "latin1",
      ),
    );
    return Buffer.concat(parts);
  }
}

/** A number as PDF writes it. */
export function num(value: number): string {
  return Number.isFinite(value) ? String(Math.round(value * 1000) / 1000) : "0";
}

/** Text of metadata, bookmarks and addresses. */
export function pdfString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replace(/[\\()]/g, "\\$&")})`;
  return `<feff${Buffer.from(text, "utf16le").swap16().toString("hex")}>`;
}

/** RRGGBB as three numbers of a colour operator. */
export function rgb(color: string): string {
  const value = /^[\da-f]{6}$/i.test(color) ? Number.parseInt(color, 16) : 0;
  return [value >> 16, (value >> 8) & 255, value & 255].map((part) => num(part / 255)).join(" ");
}
