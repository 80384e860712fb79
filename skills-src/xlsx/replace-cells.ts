import { editPieces, findEdits, type Search } from "../common/find-edits.ts";
import { escapeXml } from "../common/xml.ts";
import type { Workbook } from "./read-workbook.ts";
import { unescapeXml } from "./sheet-text.ts";

/** Replaces text in cells, shared or their own, also where its look changes in the middle; gives how often. */
export function replaceInCells({ pack, part, sheets }: Workbook, search: Search): number {
  let count = 0;
  const inText = (all: string): string => {
    // Hints of how a word is read belong to the old text: they stay while it does.
    const bare = all.replace(/<((?:\w+:)?)(rPh|phoneticPr)\b[^>]*?(?:\/>|>[\s\S]*?<\/\1\2>)/g, "");
    const pieces = [...bare.matchAll(piece)].map(([, , text = ""]) => unescapeXml(text));
    const edits = findEdits(pieces.join(""), [search]);
    if (edits.length === 0) return all;
    count += edits.length;
    const made = editPieces(pieces, edits);
    let at = -1;
    return bare.replace(piece, (_, open: string, _text: string, close: string) => {
      at += 1;
      return `${open.includes("xml:space") ? open : open.replace(/>$/, ' xml:space="preserve">')}${escapeXml(made[at] ?? "")}${close}`;
    });
  };
  const strings = pack.related(part, "sharedStrings");
  const parts = sheets.map((sheet) => sheet.part).filter((name) => pack.text(name).includes("inlineStr"));
  for (const name of [...(strings === null ? [] : [strings]), ...parts]) {
    const before = count;
    const made = pack.text(name).replace(/<((?:\w+:)?)(si|is)\b[^>]*(?<!\/)>[\s\S]*?<\/\1\2>/g, inText);
    if (count > before) pack.set(name, made);
  }
  return count;
}

const piece = /(<(?:\w+:)?t\b[^>]*(?<!\/)>)([^<]*)(<\/(?:\w+:)?t>)/g;
