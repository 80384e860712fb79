import { writeZip } from "../common/zip-write.ts";

/** The few calls that the presentation writer makes of its packing library. */
export class DeckZip {
  readonly #files = new Map<string, Uint8Array | string>();

  file(name: string, content: string | Uint8Array, options: { readonly base64?: boolean } = {}): this {
    const packed = options.base64 === true && typeof content === "string";
    this.#files.set(name, packed ? Buffer.from(content, "base64") : content);
    return this;
  }

  /** Folders are no entries of their own in an Office file. */
  folder(_name: string): this {
    return this;
  }

  async generateAsync({ type }: { readonly type: string }): Promise<Buffer | string> {
    const bytes = writeZip(this.#files);
    return type === "base64" ? bytes.toString("base64") : bytes;
  }
}
