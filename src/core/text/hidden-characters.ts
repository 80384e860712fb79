/** Families of characters that a reader of the text cannot see, or that change how other characters appear. */
export type HiddenKind =
  | "control"
  | "line-break"
  | "bidi"
  | "zero-width"
  | "tag"
  | "variation-selector"
  | "soft-hyphen"
  | "filler"
  | "surrogate"
  | "unassigned";

/** One hidden character; `index` counts UTF-16 units. */
export interface HiddenCharacter {
  readonly index: number;
  readonly codePoint: number;
  readonly kind: HiddenKind;
}

/**
 * Everything that needs a closer look; ordinary text (also with accents, CJK and emoji) never matches for long. Sixteen
 * ranges at most, so some of them span rare letters too: with more the engine calls a function for every character,
 * which made this look eight times slower.
 */
const suspect =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: single code points are meant.
  /[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4-\u180f\u200b-\u200f\u2028-\u206f\u2800\u3164\ud800-\ufe0f\ufeff\uffa0\ufff0-\uffff]/;

const emoji = /^\p{Extended_Pictographic}|^\p{Emoji_Modifier}/u;
/** Scripts whose spelling needs the zero-width joiner and non-joiner. */
const joiningLetter =
  /^(?:\p{Script=Arabic}|\p{Script=Syriac}|\p{Script=Nko}|\p{Script=Mongolian}|\p{Script=Devanagari}|\p{Script=Bengali}|\p{Script=Gurmukhi}|\p{Script=Gujarati}|\p{Script=Oriya}|\p{Script=Tamil}|\p{Script=Telugu}|\p{Script=Kannada}|\p{Script=Malayalam}|\p{Script=Sinhala}|\p{Script=Myanmar}|\p{Script=Khmer})/u;
const ideograph = /^\p{Ideographic}/u;

/** The only tag sequences in general use: the flags of England, Scotland and Wales. */
const tagFlags = ["gbeng", "gbsct", "gbwls"].map((letters) => [
  ...Array.from(letters, (letter) => 0xe0000 + letter.charCodeAt(0)),
  0xe007f,
]);

/** Every code point of one kind, whatever stands around it. Tab and line feed are ordinary text. */
function kindOf(codePoint: number): HiddenKind | null {
  if (codePoint < 0x20) {
    if (codePoint === 0x09 || codePoint === 0x0a) return null;
    return codePoint === 0x0d || codePoint === 0x0b || codePoint === 0x0c ? "line-break" : "control";
  }
  if (codePoint < 0x7f) return null;
  if (codePoint === 0x85 || codePoint === 0x2028 || codePoint === 0x2029) return "line-break";
  if (codePoint <= 0x9f) return "control";
  if (codePoint === 0xad) return "soft-hyphen";
  if (codePoint === 0x061c || codePoint === 0x200e || codePoint === 0x200f) return "bidi";
  if ((codePoint >= 0x202a && codePoint <= 0x202e) || (codePoint >= 0x2066 && codePoint <= 0x2069))
    return "bidi";
  if ((codePoint >= 0x200b && codePoint <= 0x200d) || codePoint === 0x034f || codePoint === 0xfeff)
    return "zero-width";
  if ((codePoint >= 0x2060 && codePoint <= 0x206f) || codePoint === 0x180e) return "zero-width";
  if (codePoint >= 0x180b && codePoint <= 0x180f) return "variation-selector";
  if (codePoint === 0x115f || codePoint === 0x1160 || codePoint === 0x3164 || codePoint === 0xffa0)
    return "filler";
  if (codePoint === 0x17b4 || codePoint === 0x17b5 || codePoint === 0x2800) return "filler";
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f) return "variation-selector";
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef) return "variation-selector";
  if (codePoint >= 0xe0000 && codePoint <= 0xe0fff) return "tag";
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return "surrogate";
  if (codePoint >= 0xfff0 && codePoint <= 0xfffb) return "control";
  if ((codePoint & 0xfffe) === 0xfffe || (codePoint >= 0xfdd0 && codePoint <= 0xfdef)) return "unassigned";
  return null;
}

/** The judgement needs the neighbours: a joiner inside a family emoji is ordinary, the same joiner in a word is not. */
function allowed(text: string, index: number, codePoint: number, kept: number): boolean {
  if (codePoint >= 0x180b && codePoint <= 0x180f) return kept > 0x1800 && kept < 0x18b0;
  if (codePoint === 0x200c || codePoint === 0x200d) {
    if (kept < 0) return false;
    const before = String.fromCodePoint(kept);
    const after = text.slice(index + 1, index + 3);
    if (joiningLetter.test(before) || (/^\p{M}/u.test(before) && joiningLetter.test(after))) return true;
    if (codePoint === 0x200c) return false;
    return (kept === 0xfe0f || emoji.test(before)) && emoji.test(after);
  }
  if (codePoint >= 0xfe00 && codePoint <= 0xfe0f) {
    if (kept < 0) return false;
    const before = String.fromCodePoint(kept);
    if (codePoint >= 0xfe0e) return emoji.test(before) || /^[#*0-9\p{S}\p{P}]/u.test(before);
    return ideograph.test(before) || /^\p{Sm}/u.test(before);
  }
  if (codePoint >= 0xe0100 && codePoint <= 0xe01ef)
    return kept >= 0 && ideograph.test(String.fromCodePoint(kept));
  return false;
}

/** Length in UTF-16 units of a flag's tag sequence that starts at `index`, else 0. */
function flagLength(text: string, index: number): number {
  for (const flag of tagFlags) {
    if (flag.every((expected, offset) => text.codePointAt(index + offset * 2) === expected))
      return flag.length * 2;
  }
  return 0;
}

/** True when the text holds nothing hidden. Much cheaper than the list for ordinary text. */
export function isPlainText(text: string): boolean {
  return !suspect.test(text) || hiddenCharacters(text).length === 0;
}

/**
 * Hidden characters of a text, in order: controls, direction marks, zero-width characters, tag characters, runs of
 * variation selectors, soft hyphens, fillers, lone surrogates, non-characters, and line breaks other than line feed.
 * Emoji sequences (joiners, keycaps, flags), joiners of scripts that need them and single ideographic variation
 * selectors are ordinary text (security.md B01, B02). Linear.
 */
export function hiddenCharacters(text: string): readonly HiddenCharacter[] {
  const found: HiddenCharacter[] = [];
  if (!suspect.test(text)) return found;
  // The last character that was kept and stands directly before this one; -1 after a hidden one.
  let kept = -1;
  for (let index = 0; index < text.length; ) {
    const codePoint = text.codePointAt(index) as number;
    const kind = kindOf(codePoint);
    if (kind === "tag" && kept === 0x1f3f4) {
      const length = flagLength(text, index);
      if (length > 0) {
        index += length;
        kept = 0xe007f;
        continue;
      }
    }
    if (kind === null || allowed(text, index, codePoint, kept)) {
      kept = codePoint;
    } else {
      found.push({ index, codePoint, kind });
      kept = -1;
    }
    index += codePoint > 0xffff ? 2 : 1;
  }
  return found;
}

/** `U+202E` form of a code point, at least four digits. */
export function showCodePoint(codePoint: number): string {
  return `U+${codePoint.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * The hidden characters of a text for a message: `U+202E, U+200B ×3`, distinct, in order of appearance, at most
 * `limit` different ones. A run of tag characters that spells ASCII text is decoded and shown in quotes.
 */
export function showCodePoints(found: readonly HiddenCharacter[], limit = 6): string {
  const counts = new Map<number, number>();
  let spelled = "";
  for (const { codePoint, kind } of found) {
    if (kind === "tag") {
      const ascii = codePoint - 0xe0000;
      if (ascii >= 0x20 && ascii < 0x7f) spelled += String.fromCharCode(ascii);
      continue;
    }
    counts.set(codePoint, (counts.get(codePoint) ?? 0) + 1);
  }
  const shown = Array.from(counts).slice(0, limit);
  const parts = shown.map(([codePoint, count]) => showCodePoint(codePoint) + (count > 1 ? ` ×${count}` : ""));
  const tags = found.filter((one) => one.kind === "tag").length;
  if (tags > 0) {
    const text = spelled.length > 60 ? `${spelled.slice(0, 60)}…` : spelled;
    parts.push(`${tags} tag characters${text === "" ? "" : ` that spell "${text}"`}`);
  }
  if (counts.size > shown.length) parts.push(`${counts.size - shown.length} more`);
  return parts.join(", ");
}

/**
 * The text without its hidden characters; line breaks of every kind become a line feed (a break must stay a break).
 * Returns the same string when there is nothing to do.
 */
export function withoutHidden(
  text: string,
  found: readonly HiddenCharacter[] = hiddenCharacters(text),
): string {
  if (found.length === 0) return text;
  let result = "";
  let from = 0;
  for (const { index, codePoint, kind } of found) {
    result += text.slice(from, index);
    from = index + (codePoint > 0xffff ? 2 : 1);
    if (kind === "line-break" && !(codePoint === 0x0d && text.charCodeAt(from) === 0x0a)) result += "\n";
  }
  return result + text.slice(from);
}
