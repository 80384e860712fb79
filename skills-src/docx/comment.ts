import { type OfficePackage, officeType } from "../common/office-package.ts";
import { attr, children, type Element, escapeXml, parseXml } from "../common/xml.ts";
import { paragraphsOf, paragraphText, splitRunAt, type Tracking } from "./text-spans.ts";

const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

/** Puts a comment on the first place of a text; false when the text is nowhere in one paragraph. */
export function addComment(
  pack: OfficePackage,
  comment: { readonly on: string; readonly text: string } & Tracking,
): boolean {
  const part = pack.main();
  const root = pack.xml(part).documentElement as Element;
  const paragraph = paragraphsOf(root).find((one) => paragraphText(one).text.includes(comment.on));
  if (paragraph === undefined) return false;
  const from = paragraphText(paragraph).text.indexOf(comment.on);
  const to = from + comment.on.length;
  splitRunAt(paragraph, to);
  splitRunAt(paragraph, from);
  const inside = paragraphText(paragraph).spans.filter(
    (span) => span.from >= from && span.to <= to && span.to > span.from,
  );
  const [first, last] = [inside[0]?.node.parentNode, inside.at(-1)?.node.parentNode];
  if (!first || !last) return false;
  const id = addText(pack, comment);
  const make = (xml: string): Element => {
    const element = parseXml(xml.replace(/^<(w:\w+)/, `<$1 xmlns:w="${main}"`), "mark")
      .documentElement as Element;
    return paragraph.ownerDocument?.importNode(element, true) as Element;
  };
  first.parentNode?.insertBefore(make(`<w:commentRangeStart w:id="${id}"/>`), first);
  const end = make(`<w:commentRangeEnd w:id="${id}"/>`);
  last.parentNode?.insertBefore(end, last.nextSibling);
  end.parentNode?.insertBefore(make(`<w:r><w:commentReference w:id="${id}"/></w:r>`), end.nextSibling);
  pack.touch(part);
  return true;
}

function addText(pack: OfficePackage, comment: { readonly text: string } & Tracking): number {
  const part = pack.main();
  let name = pack.related(part, "comments");
  if (name === null) {
    name = "word/comments.xml";
    pack.set(
      name,
      `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="${main}"/>`,
    );
    pack.setContentType(name, "application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml");
    pack.relate(part, { type: officeType("comments"), target: name });
  }
  const tree = pack.xml(name);
  const root = tree.documentElement as Element;
  const id = Math.max(-1, ...children(root).map((one) => Number(attr(one, "id")) || 0)) + 1;
  const paragraphs = comment.text
    .split("\n")
    .map((line) => `<w:p><w:r><w:t xml:space="preserve">${escapeXml(line)}</w:t></w:r></w:p>`);
  const initials = escapeXml([...comment.author][0] ?? "");
  const xml = `<w:comment xmlns:w="${main}" w:id="${id}" w:author="${escapeXml(comment.author)}" w:date="${comment.date}" w:initials="${initials}">${paragraphs.join("")}</w:comment>`;
  root.appendChild(tree.importNode(parseXml(xml, "comment").documentElement as Element, true));
  pack.touch(name);
  return id;
}
