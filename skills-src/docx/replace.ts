import { findEdits, type Search } from "../common/find-edits.ts";
import type { OfficePackage } from "../common/office-package.ts";
import type { Element } from "../common/xml.ts";
import { editParagraph, paragraphsOf, paragraphText, type Tracking, trackParagraph } from "./text-spans.ts";

/** Parts with text that people see: body, headers, footers, notes. */
export function textParts(pack: OfficePackage): readonly string[] {
  const main = pack.main();
  const others = pack
    .relations(main)
    .filter(({ type, external }) => !external && /\/(?:header|footer|footnotes|endnotes)$/.test(type))
    .map(({ target }) => target);
  return [main, ...new Set(others)].filter((part) => pack.has(part));
}

/** Replaces in all text parts, all searches in one pass; gives how often each was found. */
export function replaceText(
  pack: OfficePackage,
  searches: readonly Search[],
  tracking: Tracking | null,
): readonly number[] {
  const counts = searches.map(() => 0);
  for (const part of textParts(pack)) {
    let changed = false;
    for (const paragraph of paragraphsOf(pack.xml(part).documentElement as Element)) {
      const edits = findEdits(paragraphText(paragraph).text, searches);
      if (edits.length === 0) continue;
      if (tracking) trackParagraph(paragraph, edits, tracking);
      else editParagraph(paragraph, edits);
      for (const { search } of edits) counts[search] = (counts[search] ?? 0) + 1;
      changed = true;
    }
    if (changed) pack.touch(part);
  }
  return counts;
}

/** What takes the place of an expression's find: `$1` and so on stand for its groups, `$&` for all of it. */
export function expand(replacement: string, match: readonly string[]): string {
  return replacement.replace(/\$(\$|&|\d)/g, (_, what: string) =>
    what === "$" ? "$" : what === "&" ? (match[0] ?? "") : (match[Number(what)] ?? ""),
  );
}
