import type { Entry } from "./entry.ts";

/** Words with their synonyms from a MyThes file: `word|count`, then as many lines `(kind)|synonym|…`. */
export function readThesaurus(source: string): readonly Entry[] {
  const entries: Entry[] = [];
  const lines = source.split("\n").slice(1);
  for (let at = 0; at < lines.length; ) {
    const [word = "", count = "0"] = (lines[at++] ?? "").split("|");
    for (let left = Number(count); left > 0; left--) {
      const others = (lines[at++] ?? "").split("|").slice(1);
      const near = others
        .filter((one) => !one.includes("(antonym)"))
        .map((one) => one.replace(/ \(.*\)$/, ""));
      if (near.length > 0) entries.push({ title: word, text: near.slice(0, 12).join(", ") });
    }
  }
  return entries;
}
