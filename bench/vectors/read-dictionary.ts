import type { Entry } from "./entry.ts";

/** Signs of sources, pronunciations and origins, which say nothing of a meaning. */
const noise =
  /\[[^\]]*\]|\\[^\\]*\\|\((?:[A-Z][a-z]*\.)+\)|--[A-Z][\w. ]+|[{}<>]|https?:\S+|\(\d{4}-\d\d-\d\d\)/g;
const longest = 1_200;

/**
 * Headwords and their explanations from the text of a dictd dictionary: a headword begins at the margin, what is said of
 * it is indented. Words without an explanation of some length are left out.
 */
export function readDictionary(source: string): readonly Entry[] {
  const entries: Entry[] = [];
  let title: string[] = [];
  let text: string[] = [];
  const close = (): void => {
    const said = text.join(" ").replace(noise, " ").replace(/\s+/g, " ").trim().slice(0, longest);
    const named = title.join(", ").replace(/\\.*$/, "").replace(noise, " ").trim();
    if (said.length > 30 && named !== "" && !named.startsWith("00-database"))
      entries.push({ title: named, text: said });
    title = [];
    text = [];
  };
  for (const line of source.split("\n")) {
    if (line.trim() === "") continue;
    if (/^\s/.test(line)) text.push(line.trim());
    else {
      if (text.length > 0) close();
      title.push(line);
    }
  }
  close();
  return entries;
}
