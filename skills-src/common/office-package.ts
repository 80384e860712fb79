import { posix } from "node:path";
import { Failure } from "./failure.ts";
import { all, attr, children, type Document, type Element, parseXml, serializeXml } from "./xml.ts";
import { readZip } from "./zip-read.ts";
import { writeZip } from "./zip-write.ts";

/** A relation of a part to another part, or to an address outside when `external`. */
export interface Relation {
  readonly id: string;
  readonly type: string;
  /** Part name from the package's root, or the address. */
  readonly target: string;
  readonly external: boolean;
}

const relationsNamespace = "http://schemas.openxmlformats.org/package/2006/relationships";

/** An Office file in memory. Parts that nobody changed are written back byte for byte. */
export class OfficePackage {
  readonly what: string;
  readonly #parts = new Map<string, Uint8Array | (() => Uint8Array)>();
  readonly #documents = new Map<string, Document>();
  readonly #changed = new Set<string>();

  constructor(what: string) {
    this.what = what;
  }

  /** Opens the bytes of a .docx, .xlsx or .pptx. */
  static open(bytes: Buffer, what: string): OfficePackage {
    const zip = readZip(bytes, what);
    if (!zip.has("[Content_Types].xml")) throw new Failure(`${what} is a ZIP file, but no Office document`);
    const opened = new OfficePackage(what);
    for (const name of zip.names) opened.#parts.set(name, () => zip.bytes(name));
    return opened;
  }

  names(): readonly string[] {
    return [...this.#parts.keys()];
  }

  has(name: string): boolean {
    return this.#parts.has(name);
  }

  bytes(name: string): Uint8Array {
    const part = this.#parts.get(name);
    if (part === undefined) throw new Failure(`${this.what} has no part "${name}"`);
    const bytes = typeof part === "function" ? part() : part;
    if (typeof part === "function") this.#parts.set(name, bytes);
    return bytes;
  }

  /** The part's text as it would be saved now. */
  text(name: string): string {
    const document = this.#documents.get(name);
    if (document !== undefined && this.#changed.has(name)) return serializeXml(document);
    return new TextDecoder("utf-8").decode(this.bytes(name));
  }

  /** The part's tree; a caller that changes it says so with `touch`. */
  xml(name: string): Document {
    let document = this.#documents.get(name);
    if (document === undefined) {
      document = parseXml(this.text(name), `${this.what} (${name})`);
      this.#documents.set(name, document);
    }
    return document;
  }

  touch(name: string): void {
    this.#changed.add(name);
  }

  set(name: string, content: Uint8Array | string): void {
    this.#parts.set(name, typeof content === "string" ? Buffer.from(content, "utf8") : content);
    this.#documents.delete(name);
    this.#changed.delete(name);
  }

  remove(name: string): void {
    this.#parts.delete(name);
    this.#documents.delete(name);
    this.#changed.delete(name);
  }

  /** Name of the main part, from the package's relations. */
  main(): string {
    const main = this.relations("").find(({ type }) => type.endsWith("/officeDocument"));
    if (main === undefined || !this.has(main.target)) throw new Failure(`${this.what} has no main part`);
    return main.target;
  }

  relations(part: string): readonly Relation[] {
    const name = relationsName(part);
    if (!this.has(name)) return [];
    return children(this.xml(name).documentElement as Element, "Relationship").map((element) => {
      const external = attr(element, "TargetMode") === "External";
      const target = attr(element, "Target") ?? "";
      return {
        id: attr(element, "Id") ?? "",
        type: attr(element, "Type") ?? "",
        target: external ? target : posix.resolve("/", posix.dirname(part), target).slice(1),
        external,
      };
    });
  }

  /** The part a relation leads to, if it is there. */
  related(part: string, typeEnd: string): string | null {
    const found = this.relations(part).find(
      ({ type, external }) => !external && type.endsWith(`/${typeEnd}`),
    );
    return found !== undefined && this.has(found.target) ? found.target : null;
  }

  /** Adds a relation and gives its id; `target` is a part name or, with `external`, an address. */
  relate(
    part: string,
    relation: { readonly type: string; readonly target: string; readonly external?: boolean },
  ): string {
    const name = relationsName(part);
    if (!this.has(name))
      this.set(
        name,
        `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${relationsNamespace}"/>`,
      );
    const document = this.xml(name);
    const used = new Set(this.relations(part).map(({ id }) => id));
    let number = used.size + 1;
    while (used.has(`rId${number}`)) number += 1;
    const element = document.createElementNS(relationsNamespace, "Relationship");
    element.setAttribute("Id", `rId${number}`);
    element.setAttribute("Type", relation.type.includes("://") ? relation.type : officeType(relation.type));
    element.setAttribute("Target", relation.external ? relation.target : `/${relation.target}`);
    if (relation.external) element.setAttribute("TargetMode", "External");
    document.documentElement?.appendChild(element);
    this.touch(name);
    return `rId${number}`;
  }

  unrelate(part: string, id: string): void {
    const name = relationsName(part);
    for (const element of all(this.xml(name), "Relationship"))
      if (attr(element, "Id") === id) element.parentNode?.removeChild(element);
    this.touch(name);
  }

  contentType(part: string): string | null {
    const types = this.xml("[Content_Types].xml");
    const own = all(types, "Override").find((one) => attr(one, "PartName") === `/${part}`);
    if (own !== undefined) return attr(own, "ContentType");
    const ending = posix.extname(part).slice(1).toLowerCase();
    const byEnding = all(types, "Default").find((one) => attr(one, "Extension")?.toLowerCase() === ending);
    return byEnding === undefined ? null : attr(byEnding, "ContentType");
  }

  /** Says what a new part is: by its ending for pictures, else by its name. */
  setContentType(part: string, type: string): void {
    const types = this.xml("[Content_Types].xml");
    if (this.contentType(part) === type) return;
    const byEnding = type.startsWith("image/");
    const namespace = types.documentElement?.namespaceURI ?? "";
    const element = types.createElementNS(namespace, byEnding ? "Default" : "Override");
    if (byEnding) element.setAttribute("Extension", posix.extname(part).slice(1).toLowerCase());
    else element.setAttribute("PartName", `/${part}`);
    element.setAttribute("ContentType", type);
    const root = types.documentElement;
    if (byEnding) root?.insertBefore(element, root.firstChild);
    else root?.appendChild(element);
    this.touch("[Content_Types].xml");
  }

  /** Forgets what a removed part was. */
  dropContentType(part: string): void {
    for (const one of all(this.xml("[Content_Types].xml"), "Override"))
      if (attr(one, "PartName") === `/${part}`) one.parentNode?.removeChild(one);
    this.touch("[Content_Types].xml");
  }

  /** A part name that is free, such as `word/media/image3.png`. */
  freeName(prefix: string, ending: string): string {
    let number = 1;
    while (this.has(`${prefix}${number}${ending}`)) number += 1;
    return `${prefix}${number}${ending}`;
  }

  save(): Buffer {
    const files = new Map<string, Uint8Array | string>();
    for (const name of this.#parts.keys())
      files.set(name, this.#changed.has(name) ? this.text(name) : this.bytes(name));
    return writeZip(files);
  }
}

export function relationsName(part: string): string {
  if (part === "") return "_rels/.rels";
  return `${posix.join(posix.dirname(part), "_rels", posix.basename(part))}.rels`;
}

export function officeType(name: string): string {
  return `http://schemas.openxmlformats.org/officeDocument/2006/relationships/${name}`;
}
