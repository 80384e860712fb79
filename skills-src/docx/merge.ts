import { posix } from "node:path";
import { type OfficePackage, officeType } from "../common/office-package.ts";
import { all, attr, child, children, type Element, parseXml } from "../common/xml.ts";

const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** Appends the text of other documents, each on a new page, with its pictures, links, lists, notes and own styles. */
export function mergeDocx(target: OfficePackage, others: readonly OfficePackage[]): void {
  others.forEach((source, index) => {
    new Appending(target, source, index + 1).run();
  });
}

class Appending {
  readonly #target: OfficePackage;
  readonly #source: OfficePackage;
  readonly #to: string;
  readonly #from: string;
  readonly #suffix: string;

  constructor(target: OfficePackage, source: OfficePackage, index: number) {
    this.#target = target;
    this.#source = source;
    this.#to = target.main();
    this.#from = source.main();
    this.#suffix = `M${index}`;
  }

  run(): void {
    const tree = this.#target.xml(this.#to);
    const body = child(tree.documentElement, "body") as Element;
    const from = child(this.#source.xml(this.#from).documentElement, "body");
    if (from === null) return;
    const styles = this.#styles();
    const lists = this.#lists();
    const end = child(body, "sectPr");
    const pageBreak = parseXml(`<w:p xmlns:w="${main}"><w:r><w:br w:type="page"/></w:r></w:p>`, "break")
      .documentElement as Element;
    body.insertBefore(tree.importNode(pageBreak, true), end);
    for (const one of children(from)) {
      if (one.localName === "sectPr") continue;
      const copy = tree.importNode(one, true);
      this.#adapt(copy, { styles, lists });
      body.insertBefore(copy, end);
    }
    this.#target.touch(this.#to);
  }

  #adapt(
    copy: Element,
    {
      styles,
      lists,
    }: { readonly styles: ReadonlyMap<string, string>; readonly lists: ReadonlyMap<string, string> },
  ): void {
    const each = (name: string): Element[] =>
      copy.localName === name ? [copy, ...all(copy, name)] : all(copy, name);
    for (const name of ["pStyle", "rStyle", "tblStyle"])
      for (const one of each(name)) replaceValue(one, styles);
    for (const one of each("numId")) replaceValue(one, lists);
    for (const name of ["sectPr", "commentRangeStart", "commentRangeEnd", "commentReference"])
      for (const one of all(copy, name)) one.parentNode?.removeChild(one);
    const relations = new Map(this.#source.relations(this.#from).map((relation) => [relation.id, relation]));
    const moved = new Map<string, string>();
    for (const element of [copy, ...all(copy, "*")])
      for (let at = 0; at < element.attributes.length; at += 1) {
        const attribute = element.attributes.item(at);
        const relation =
          attribute?.namespaceURI === officeType("").slice(0, -1)
            ? relations.get(attribute.value)
            : undefined;
        if (!attribute || relation === undefined) continue;
        let id = moved.get(relation.id);
        if (id === undefined) {
          id = relation.external
            ? this.#target.relate(this.#to, { type: relation.type, target: relation.target, external: true })
            : this.#target.relate(this.#to, { type: relation.type, target: this.#copyPart(relation.target) });
          moved.set(relation.id, id);
        }
        attribute.value = id;
      }
    this.#notes(each("footnoteReference"), "footnotes");
    this.#notes(each("endnoteReference"), "endnotes");
  }

  #copyPart(name: string): string {
    const ending = posix.extname(name);
    const free = this.#target.freeName(
      name.slice(0, name.length - ending.length).replace(/\d*$/, `${this.#suffix}_`),
      ending,
    );
    if (this.#source.has(name)) this.#target.set(free, this.#source.bytes(name));
    const type = this.#source.contentType(name);
    if (type) this.#target.setContentType(free, type);
    return free;
  }

  /** Styles the target lacks by name are added; others take the target's look. */
  #styles(): ReadonlyMap<string, string> {
    const ids = new Map<string, string>();
    const [to, from] = [this.#target.related(this.#to, "styles"), this.#source.related(this.#from, "styles")];
    if (to === null || from === null) return ids;
    const tree = this.#target.xml(to);
    const names = new Map(all(tree, "style").map((style) => [nameOf(style), attr(style, "styleId") ?? ""]));
    const taken = new Set(names.values());
    const added: Element[] = [];
    for (const style of all(this.#source.xml(from), "style")) {
      const id = attr(style, "styleId") ?? "";
      const known = names.get(nameOf(style));
      if (known !== undefined) ids.set(id, known);
      else {
        const free = taken.has(id) ? `${id}${this.#suffix}` : id;
        ids.set(id, free);
        const copy = tree.importNode(style, true);
        copy.setAttribute("w:styleId", free);
        copy.removeAttribute("w:default");
        added.push(copy);
      }
    }
    for (const style of added) {
      for (const name of ["basedOn", "next", "link"])
        for (const one of children(style, name)) replaceValue(one, ids);
      for (const one of all(style, "numPr")) one.parentNode?.removeChild(one);
      tree.documentElement?.appendChild(style);
    }
    this.#target.touch(to);
    return ids;
  }

  #lists(): ReadonlyMap<string, string> {
    const ids = new Map<string, string>();
    const from = this.#source.related(this.#from, "numbering");
    if (from === null) return ids;
    let to = this.#target.related(this.#to, "numbering");
    if (to === null) {
      to = "word/numbering.xml";
      this.#target.set(
        to,
        `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:numbering xmlns:w="${main}"/>`,
      );
      this.#target.setContentType(
        to,
        "application/vnd.openxmlformats-officedocument.wordprocessingml.numbering+xml",
      );
      this.#target.relate(this.#to, { type: "numbering", target: to });
    }
    const tree = this.#target.xml(to);
    const root = tree.documentElement as Element;
    const most = (name: string, attribute: string): number =>
      Math.max(0, ...children(root, name).map((one) => Number(attr(one, attribute)) || 0));
    const [abstracts, numbers] = [most("abstractNum", "abstractNumId") + 1, most("num", "numId") + 1];
    const source = this.#source.xml(from).documentElement as Element;
    const firstNumber = children(root, "num")[0] ?? null;
    const moved = new Map<string, string>();
    children(source, "abstractNum").forEach((one, at) => {
      const copy = tree.importNode(one, true);
      moved.set(attr(one, "abstractNumId") ?? "", String(abstracts + at));
      copy.setAttribute("w:abstractNumId", String(abstracts + at));
      for (const name of ["nsid", "tmpl", "styleLink", "numStyleLink"])
        for (const old of children(copy, name)) copy.removeChild(old);
      for (const old of all(copy, "pStyle")) old.parentNode?.removeChild(old);
      for (const old of all(copy, "lvlPicBulletId")) old.parentNode?.removeChild(old);
      root.insertBefore(copy, firstNumber);
    });
    children(source, "num").forEach((one, at) => {
      const copy = tree.importNode(one, true);
      ids.set(attr(one, "numId") ?? "", String(numbers + at));
      copy.setAttribute("w:numId", String(numbers + at));
      for (const reference of children(copy, "abstractNumId")) replaceValue(reference, moved);
      root.appendChild(copy);
    });
    this.#target.touch(to);
    return ids;
  }

  #notes(references: readonly Element[], kind: "footnotes" | "endnotes"): void {
    const from = this.#source.related(this.#from, kind);
    if (references.length === 0 || from === null) return;
    let to = this.#target.related(this.#to, kind);
    if (to === null) {
      to = `word/${kind}.xml`;
      const tag = kind.slice(0, -1);
      this.#target.set(
        to,
        `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:${kind} xmlns:w="${main}"><w:${tag} w:type="separator" w:id="-1"><w:p><w:r><w:separator/></w:r></w:p></w:${tag}><w:${tag} w:type="continuationSeparator" w:id="0"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:${tag}></w:${kind}>`,
      );
      this.#target.setContentType(
        to,
        `application/vnd.openxmlformats-officedocument.wordprocessingml.${kind}+xml`,
      );
      this.#target.relate(this.#to, { type: kind, target: to });
    }
    const tree = this.#target.xml(to);
    const root = tree.documentElement as Element;
    for (const reference of references) {
      const note = children(this.#source.xml(from).documentElement as Element).find(
        (one) => attr(one, "id") === attr(reference, "id"),
      );
      if (note === undefined) continue;
      const id = String(Math.max(0, ...children(root).map((one) => Number(attr(one, "id")) || 0)) + 1);
      const copy = tree.importNode(note, true);
      copy.setAttribute("w:id", id);
      for (const link of all(copy, "hyperlink")) link.removeAttribute("r:id");
      root.appendChild(copy);
      reference.setAttribute("w:id", id);
    }
    this.#target.touch(to);
  }
}

const nameOf = (style: Element): string =>
  `${attr(style, "type")}:${attr(child(style, "name"), "val")?.toLowerCase()}`;

function replaceValue(element: Element, values: ReadonlyMap<string, string>): void {
  const value = values.get(attr(element, "val") ?? "");
  if (value !== undefined) element.setAttribute("w:val", value);
}
