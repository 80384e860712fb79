import type { Entry } from "./entry.ts";

interface Synset {
  readonly words: string;
  readonly gloss: string;
  /** Ids of more general, whole, topical or similar synsets. */
  readonly related: readonly string[];
}

/** Pointers that keep the subject: more general, whole, topic, similar, also, derived, cause, entailment. */
const near = /^(?:@|@i|#p|#m|#s|;c|&|\^|\+|>|\*)$/;

/** WordNet's synonyms with their explanation, and explanations with those of what they are a kind of. */
export function readWordnet(files: ReadonlyMap<string, string>): readonly Entry[] {
  const synsets = new Map<string, Synset>();
  for (const [kind, source] of files)
    for (const line of source.split("\n")) if (/^\d{8} /.test(line)) addSynset(synsets, kind, line);
  const entries: Entry[] = [];
  for (const { words, gloss } of synsets.values()) entries.push({ title: words, text: gloss });
  for (const { words, gloss, related } of synsets.values()) {
    const other = related.map((id) => synsets.get(id)).filter((one) => one !== undefined);
    const [general] = other;
    if (general !== undefined)
      entries.push({
        title: `${words}: ${gloss}`,
        text: other
          .slice(0, 3)
          .map((one) => `${one.words}: ${one.gloss}`)
          .join("\n"),
      });
  }
  return entries;
}

function addSynset(synsets: Map<string, Synset>, kind: string, line: string): void {
  const bar = line.indexOf(" | ");
  const fields = line.slice(0, bar).split(" ");
  const count = Number.parseInt(fields[3] ?? "0", 16);
  const words = Array.from({ length: count }, (_, number) => fields[4 + number * 2] ?? "");
  const from = 4 + count * 2;
  const related: string[] = [];
  for (let number = 0; number < Number(fields[from]); number++) {
    const [symbol = "", place = "", type = ""] = fields.slice(from + 1 + number * 4);
    if (near.test(symbol)) related.push(`${type}${place}`);
  }
  synsets.set(`${kind}${fields[0]}`, {
    words: words.map((word) => word.replace(/\(\w+\)$/, "").replaceAll("_", " ")).join(", "),
    gloss: line.slice(bar + 3).trim(),
    related,
  });
}
