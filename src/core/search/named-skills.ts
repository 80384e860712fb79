import { looseKey } from "../text/loose-key.ts";
import { nameRemarks } from "./name-remarks.ts";
import type { NameTable } from "./name-table.ts";

/** How directly a query asks for a skill by name; higher comes first. */
export type Directness = 0 | 1 | 2;

/** The query is the name. */
export const exactName: Directness = 2;
/** The query is an alias, or names the skill on purpose. */
export const mentionedName: Directness = 1;

/** What a query wants of a skill that it names: the skill, to know about it, or anything but it. */
export type Wish = "wanted" | "known" | "refused";

/** What a query says of a skill's name. */
export interface Naming {
  readonly directness: Directness;
  /** The name stands there, but perhaps not as a wish: it adds to the score. */
  readonly passing: boolean;
  /** It stands there as the ending of a file's name ("budget.xlsx"): strong evidence, whatever the file is called. */
  readonly ending?: boolean;
  readonly wish: Wish;
}

export interface NamedSkills {
  /** By document number. */
  readonly naming: ReadonlyMap<number, Naming>;
  /** The query without the names of skills that it says are not meant; places stay. */
  readonly wanted: string;
  /** Single words that the query says it does not mean, in lower case: skills with one in their name are not meant either. */
  readonly refusedWords: ReadonlySet<string>;
}

const asked: Naming = { directness: mentionedName, passing: false, wish: "wanted" };
const passing: Naming = { directness: 0, passing: true, wish: "wanted" };
export const refused: Naming = { directness: 0, passing: false, wish: "refused" };

/** UTF-16 units of a query that are searched for names. */
const longestQuery = 4_000;

const slash = /(?<![\p{L}\p{N}/.:~])\/([\p{L}\p{N}][\p{L}\p{N}\p{M}:._-]*)/gu;
const quoted =
  /"([^"\n]{1,80})"|'([^'\n]{1,80})'|`([^`\n]{1,80})`|“([^”\n]{1,80})”|「([^」\n]{1,80})」|『([^』\n]{1,80})』/gu;
const compound = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_:][\p{L}\p{N}]+)+/gu;
/** The ending of a file's name. */
const ending = /(?<=[\p{L}\p{N}]\.)([a-z][a-z0-9]{1,7})(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])/giu;
/** A message that only says to use something. */
const command =
  /^(?:please\s+|请)?(?:(?:use|run|load|open|invoke|start|call|apply|activate)\s+|使用|运行|加载|调用|打开|用)?(?:the\s+)?\/?["'`“]?(.+?)["'`”]?(?:\s+skill|\s*技能)?\s*[.!。！]?$/iu;
/** Told before a name: the skill was used before. */
const past = /(?:\b(?:already|just|finished|ran|used|after|did|since)\b|刚|已经)[^.!?;。！？；\n]{0,48}$/iu;
/** Told before a name: it is not the one that is meant. */
const refusal =
  /(?:\b(?:not|never|instead\s+of|unlike|rather\s+than|other\s+than|without|isn['’]t|don['’]t\s+(?:use|want|need))\s+(?:(?:use|using|for|a|an|the|with|to)\s+){0,3}|(?:不是|不要用?|别用|除了|而不是)\s*)["'`“]?\/?$/iu;
/** Told before a name: the question is about the skill ("what does X do", "explain when to use X"). */
const question =
  /(?:\b(?:what\s+(?:does|is|can)|explain|describe|compare|(?:when|why)\s+(?:should|would|do|to))\s+(?:(?:when|what|how|why|i|we|you|one|should|would|to|can|the|a|use|is|does|do)\s+){0,5}|(?:什么是|介绍一?下?|解释一?下?)\s*)["'`“]?$/iu;
/** Things that are told to be absent. */
const absent = /\bno\s+([^.,;:()\n]{1,40}?)\s+(?:anywhere|at\s+all|involved)\b/giu;
/** Told next to a name in quotes: it is a skill. */
const skillBefore =
  /(?:\b(?:use|using|run|load|invoke|call|apply|activate|start|skill|skills)\b|使用|调用|加载|运行|技能|用)\W{0,12}(?:the\W+)?$/iu;
/** Marks and joining words around what is left of a query without what it refuses. */
const looseEnds =
  /^(?:[\s,.;:!?，。；：！？、-]|(?:and|but|please|just)\b)+|(?:[\s,.;:!?，。；：！？、-]|\b(?:and|but|please|instead))+$/giu;
const latinWord = /[\p{Script=Latin}\p{N}]+/gu;
const skillAfter = /^\W{0,3}(?:skill\b|技能)/iu;

/**
 * Which skills a query asks for by name, by document number. Case, separators and width do not matter (case s-rank:
 * exact name first). The name alone is exact. `/name`, a quoted name that few descriptions hold (`rare`), and a compound
 * name that is told to be used are mentions; other quoted and compound names only add to the score. Where the text says
 * that a skill was used before, its name counts as words alone; where it says that it is not meant, against it, and its
 * words are taken out of the query.
 */
export function namedSkills(
  table: NameTable,
  rare: (key: string) => boolean,
): (query: string) => NamedSkills {
  const named = (key: string): readonly number[] => table.find(key);

  return (query) => {
    const found = new Map<number, Naming>();
    const mark = (entries: readonly number[], naming: Naming): void => {
      for (const entry of entries) {
        const known = found.get(entry >>> 1);
        if (known === undefined || known.directness < naming.directness || naming.wish === "refused")
          found.set(entry >>> 1, naming);
      }
    };
    const searched = query.slice(0, longestQuery);
    const whole = named(looseKey(searched.trim().replace(/^\//, "")));
    for (const entry of whole)
      mark([entry], { ...asked, directness: entry % 2 === 0 ? exactName : mentionedName });
    if (whole.length === 0) {
      const wanted = command.exec(searched.trim())?.[1];
      if (wanted !== undefined && wanted.length <= 80) mark(named(looseKey(wanted)), asked);
    }
    let wanted = query;
    const takeOut = (start: number, end: number): void => {
      wanted = blanked(wanted, start, end);
    };
    /** Notes a name at a place of the query, if it is not told as something past. */
    const add = (key: string, [start, end]: readonly [number, number], sure: boolean): void => {
      const entries = named(key);
      if (entries.length === 0) return;
      const before = searched.slice(Math.max(0, start - 80), start);
      if (refusal.test(before)) {
        mark(entries, refused);
        takeOut(start, end);
      } else if (!past.test(before)) {
        const naming = sure ? asked : passing;
        const about = searched[start] !== "/" && question.test(before);
        mark(entries, about ? { ...naming, wish: "known" } : naming);
      }
    };
    for (const match of searched.matchAll(slash))
      add(looseKey(match[1] ?? ""), [match.index, match.index + match[0].length], true);
    for (const match of searched.matchAll(quoted)) {
      const text = match.slice(1).find((group) => group !== undefined) ?? "";
      const key = looseKey(text);
      const end = match.index + match[0].length;
      const called =
        skillBefore.test(searched.slice(Math.max(0, match.index - 24), match.index)) ||
        skillAfter.test(searched.slice(end, end + 12));
      const several = /[\p{L}\p{N}][-_:\s][\p{L}\p{N}]/u.test(text);
      add(key, [match.index, end], called || (rare(key) && (several || key.length > 2)));
    }
    for (const match of searched.matchAll(compound)) {
      const end = match.index + match[0].length;
      let key = looseKey(match[0]);
      // "nv-segment-ct finetune" means the longer name.
      const next = /^[\s_-]+([\p{L}\p{N}]+)/u.exec(searched.slice(end, end + 40))?.[1];
      if (next !== undefined && named(key + looseKey(next)).length > 0) key += looseKey(next);
      const called = skillBefore.test(searched.slice(Math.max(0, match.index - 24), match.index));
      add(key, [match.index, end], called || skillAfter.test(searched.slice(end, end + 12)));
    }
    for (const match of searched.matchAll(ending))
      mark(named(looseKey(match[1] ?? "")), { ...passing, ending: true });
    for (const { 0: whole, 1: things = "", index } of searched.matchAll(absent)) {
      const start = index + whole.indexOf(things);
      takeOut(start, start + things.length);
    }
    const refusedWords = heed(searched, { found, mark, takeOut, text: () => wanted });
    return { naming: found, wanted, refusedWords };
  };

  /** Applies what a query says of names, common words among them; gives the single words that it refuses. */
  function heed(searched: string, query: Heeded): ReadonlySet<string> {
    const refusedWords = new Set<string>();
    const remarks = nameRemarks(searched, (text) => named(looseKey(text)).length > 0);
    if (remarks.length === 0) return refusedWords;
    const refusals = remarks.filter(({ wish }) => wish === "refused");
    let rest = query.text().slice(0, longestQuery);
    for (const { start, words } of refusals) rest = blanked(rest, start, words.at(-1)?.end ?? start);
    // What is called elsewhere in the query, by its name or an alias, is not refused as a whole.
    const others = new Set(rest.toLowerCase().match(latinWord));
    const called = new Set([...others].flatMap((text) => named(looseKey(text)).map((entry) => entry >>> 1)));
    for (const { wish, words, thing } of remarks) {
      const text = words.map(({ text }) => text).join(" ");
      const entries = named(looseKey(text)).filter((entry) => wish === "known" || !called.has(entry >>> 1));
      if (wish === "known") {
        for (const entry of entries) {
          const naming = query.found.get(entry >>> 1) ?? passing;
          if (naming.wish === "wanted") query.found.set(entry >>> 1, { ...naming, wish });
        }
        continue;
      }
      if (others.has(text.toLowerCase())) continue;
      if (thing) refusedWords.add(text.toLowerCase());
      query.mark(entries, refused);
      const [first] = words;
      if (entries.length > 0 && first !== undefined)
        query.takeOut(first.start, words.at(-1)?.end ?? first.end);
    }
    if (refusals.length > 0) {
      const left = rest.replace(looseEnds, "").trim();
      const wanted = named(looseKey(left)).length > 0 ? left : command.exec(left)?.[1];
      if (wanted !== undefined && wanted.length <= 80)
        for (const entry of named(looseKey(wanted)))
          if (!query.found.has(entry >>> 1) || query.found.get(entry >>> 1)?.wish === "wanted")
            query.mark([entry], asked);
    }
    return refusedWords;
  }
}

interface Heeded {
  readonly found: Map<number, Naming>;
  mark(entries: readonly number[], naming: Naming): void;
  takeOut(start: number, end: number): void;
  text(): string;
}

function blanked(text: string, start: number, end: number): string {
  return text.slice(0, start) + " ".repeat(end - start) + text.slice(end);
}
