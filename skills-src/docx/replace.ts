import type { OfficePackage } from "../common/office-package.ts";
import type { Element } from "../common/xml.ts";
import {
  editParagraph,
  paragraphsOf,
  paragraphText,
  type TextEdit,
  type Tracking,
  trackParagraph,
} from "./text-spans.ts";

export interface Replacement {
  readonly find: RegExp;
  /** `$1` and so on stand for groups where the search is an expression. */
  readonly with: string;
  readonly literal: boolean;
}

/** Parts with text that people see: body, headers, footers, notes. */
export function textParts(pack: OfficePackage): readonly string[] {
  const main = pack.main();
  const others = pack
    .relations(main)
    .filter(({ type, external }) => !external && /\/(?:header|footer|footnotes|endnotes)$/.test(type))
    .map(({ target }) => target);
  return [main, ...new Set(others)].filter((part) => pack.has(part));
}

/** Replaces in all text parts; gives how often each was found. */
export function replaceText(
  pack: OfficePackage,
  replacements: readonly Replacement[],
  tracking: Tracking | null,
): readonly number[] {
  const counts = replacements.map(() => 0);
  for (const part of textParts(pack)) {
    let changed = false;
    for (const paragraph of paragraphsOf(pack.xml(part).documentElement as Element))
      replacements.forEach((replacement, index) => {
        const edits = editsOf(paragraphText(paragraph).text, replacement);
        if (edits.length === 0) return;
        if (tracking) trackParagraph(paragraph, edits, tracking);
        else editParagraph(paragraph, edits);
        counts[index] = (counts[index] ?? 0) + edits.length;
        changed = true;
      });
    if (changed) pack.touch(part);
  }
  return counts;
}

function editsOf(text: string, { find, with: replacement, literal }: Replacement): readonly TextEdit[] {
  return [...text.matchAll(find)].flatMap((match) => {
    if (match[0] === "") return [];
    const value = literal
      ? replacement
      : replacement.replace(/\$(\$|&|\d)/g, (_, what: string) =>
          what === "$" ? "$" : what === "&" ? match[0] : (match[Number(what)] ?? ""),
        );
    return [{ from: match.index, to: match.index + match[0].length, text: value }];
  });
}

export function literalPattern(text: string, ignoreCase: boolean): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"), ignoreCase ? "giu" : "gu");
}
