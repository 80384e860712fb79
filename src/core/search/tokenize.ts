import { hashStart, hashStep } from "./term-table.ts";

/** A text while it is cut. Valid during a sink's call only. */
export interface Scanned {
  readonly text: string;
  /** Its UTF-16 units, at the same places. */
  readonly units: Uint16Array;
  /** Hash of the word that is told, before mixing (`hashEnd`). */
  hash: number;
}

/** Receives the pieces of a text in order. All text is NFKC; words come as written, wholes in lower case. */
export interface TokenSink {
  /** False where compounds in one piece are not wanted. */
  readonly wholes?: boolean;
  /** `scanned.text.slice(start, end)` is one run of letters and digits of a script with spaces. */
  word(scanned: Scanned, start: number, end: number): void;
  /** A compound in one piece, or a word with a mark that belongs to it (`c++`, `.net`). */
  whole(term: string): void;
  /** A run of Han, Kana or Hangul. */
  run(characters: string): void;
  /** Words before and after are no neighbours. */
  gap(): void;
}

const separator = 0;
const lower = 1;
const digit = 2;
const mark = 3;
/** Scripts written without spaces (Hangul too: its words change their ends). */
const glyph = 4;
/** Second half of a surrogate pair, or not looked at yet. */
const unknown = 5;

/** Class by UTF-16 unit of the basic plane, filled as units are met; what a unit is never changes. */
const classes = new Uint8Array(0x1_0000).fill(unknown);

function classOf(character: string): number {
  if (/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u.test(character)) return glyph;
  if (/\p{N}/u.test(character)) return digit;
  if (/[\p{L}\p{M}]/u.test(character)) return lower;
  return /[-_.'’]/.test(character) ? mark : separator;
}

/** The class of a unit that the table does not tell: met for the first time, or half of a pair. */
function newClass(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit >= 0xdc00 && unit <= 0xdfff) return unknown;
  if (unit >= 0xd800 && unit <= 0xdbff) return classOf(String.fromCodePoint(text.codePointAt(at) as number));
  const found = classOf(String.fromCharCode(unit));
  classes[unit] = found;
  return found;
}

/** Units of the text that is cut just now; texts are cut one after the other. */
let buffer = new Uint16Array(1 << 14);

const space = 0x20;
const apostrophe = 0x27;
const dot = 0x2e;

/** Most texts; told first because that takes less time. */
const ascii = /^[\0-\x7f]*$/;
/**
 * ASCII, Han, common punctuation, arrows, lines and pictures: nothing here that NFKC would turn into other letters or
 * joining marks.
 */
const unaffected =
  /^[\0-\x7f\u2010\u2012-\u2023\u2025-\u2027\u2190-\u21ff\u2500-\u27bf\u3001-\u301b\u4e00-\u9fff\u{1f300}-\u{1faff}]*$/u;

/** Longer runs of letters are no words but encoded data; UTF-16 units. */
const longestWord = 48;

const clitics: ReadonlySet<string> = new Set(["s", "t", "re", "ve", "ll", "d", "m"]);

/**
 * Cuts a text into words of any script, after NFKC. Words joined by one `-`, `_`, `.` or `'` come singly and the
 * whole once more without the marks; `c++`, `c#` and `.net` keep theirs; English clitics (`'s`) are dropped. Linear,
 * and the same on every machine.
 */
export function tokenize(text: string, sink: TokenSink): void {
  const normal = ascii.test(text) || unaffected.test(text) ? text : text.normalize("NFKC");
  const wholes = sink.wholes !== false;
  const end = normal.length;
  if (buffer.length < end) buffer = new Uint16Array(end * 2);
  const units = buffer;
  for (let at = 0; at < end; at++) units[at] = normal.charCodeAt(at);
  const scanned: Scanned = { text: normal, units, hash: 0 };
  let compoundStart = 0;
  let compoundEnd = 0;
  let parts = 0;
  const kindAt = (at: number): number => {
    const known = classes[units[at] as number] as number;
    return known === unknown ? newClass(normal, at) : known;
  };
  const flush = (): void => {
    if (wholes && parts > 1 && compoundEnd - compoundStart <= longestWord)
      sink.whole(
        normal
          .slice(compoundStart, compoundEnd)
          .toLowerCase()
          .replace(/[-_.'’]/g, ""),
      );
    parts = 0;
  };
  for (let at = 0; at < end; ) {
    const kind = kindAt(at);
    if (kind === separator || kind === mark || kind === unknown) {
      at++;
      if (kind === mark && parts > 0 && compoundEnd === at - 1) {
        const next = at < end ? kindAt(at) : separator;
        if (next === lower || next === digit) continue;
      }
      flush();
      if (kind === separator && units[at - 1] !== space) sink.gap();
      continue;
    }
    const start = at;
    if (kind === glyph) {
      flush();
      for (; at < end; at++) {
        const next = kindAt(at);
        if (next !== glyph && next !== unknown) break;
      }
      sink.run(normal.slice(start, at));
      continue;
    }
    let hash = hashStep(hashStart, units[at++] as number);
    for (; at < end; at++) {
      const unit = units[at] as number;
      let next = classes[unit] as number;
      if (next === unknown) next = newClass(normal, at);
      if (next !== lower && next !== digit && next !== unknown) break;
      hash = hashStep(hash, unit);
    }
    if (at - start > longestWord) {
      flush();
      sink.gap();
      continue;
    }
    const before = start > 0 ? units[start - 1] : space;
    if (
      parts > 0 &&
      (before === apostrophe || before === 0x2019) &&
      clitics.has(normal.slice(start, at).toLowerCase())
    )
      continue;
    if (parts === 0) compoundStart = start;
    compoundEnd = at;
    scanned.hash = hash;
    sink.word(scanned, start, at);
    parts++;
    if (!wholes) continue;
    if (parts === 1 && before === dot) sink.whole(normal.slice(start - 1, at).toLowerCase());
    if (at - start > 1) continue;
    if (normal[at] === "#") sink.whole(`${normal.slice(start, at).toLowerCase()}#`);
    else if (normal.startsWith("++", at)) sink.whole(`${normal.slice(start, at).toLowerCase()}++`);
  }
  flush();
}
