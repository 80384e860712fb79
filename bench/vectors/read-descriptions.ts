import type { Entry } from "./entry.ts";

/** Parts of a package that only split it: their texts repeat one another. */
const part = /^(?:lib.*|.*-(?:dev|dbg|dbgsym|doc|data|common|locale-.*|l10n-.*|lang-.*))$/;

/**
 * Short and long descriptions of Debian's packages, from lists of the form `Translation-en`: paragraphs with
 * `Package` and `Description-en`. Each long text comes once, packages that are only parts of others come last.
 */
export function readDescriptions(lists: readonly string[]): readonly Entry[] {
  const first: Entry[] = [];
  const rest: Entry[] = [];
  for (const list of lists)
    for (const paragraph of list.split("\n\n")) {
      const name = /^Package: (.+)$/m.exec(paragraph)?.[1];
      const at = paragraph.indexOf("\nDescription-en: ");
      if (name === undefined || at < 0) continue;
      const [title = "", ...lines] = paragraph.slice(at + 17).split("\n");
      const text = lines.map((line) => (line.trim() === "." ? "\n" : line.trim())).join(" ");
      const spoken = name
        .replace(/^(?:python3?|ruby|golang|node|r-cran|lib)-|-perl$/, "")
        .replace(/[-_.]/g, " ");
      (part.test(name) ? rest : first).push({ title: `${spoken}: ${title}`, text });
    }
  const seen = new Set<string>();
  return [...first, ...rest].filter(({ text }) => {
    const key = text.slice(0, 120);
    return text.length > 40 && !seen.has(key) && seen.add(key);
  });
}
