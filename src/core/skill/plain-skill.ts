import { noTexts, nothing } from "./build-document.ts";
import type { FrontmatterValue, ReadContext, SkillDocument, SkillSource } from "./document.ts";
import { emptyRecord, typedScalar } from "./frontmatter-value.ts";
import { isUnremarkable } from "./note-body.ts";
import { type PlainScan, plainValue } from "./plain-value.ts";
import { isOrdinaryName } from "./resolve-name.ts";
import { misspeltKey, skillKey } from "./skill-keys.ts";
import { toolList } from "./tool-list.ts";

/** All that can be hidden in ASCII. */
const control = /[\0-\x09\x0b-\x1f\x7f]/;

/** Bytes at the start of a file that must hold the whole frontmatter. */
const headBytes = 4096;

/**
 * The document of a file that nothing can be said of: fields of the common shapes with ordinary texts, an ordinary name,
 * a text that is neither long nor takes arguments. Null for every other file, which the thorough way then reads. What
 * this gives equals what that gives (property test); it only saves the nodes, places and tables that a file without a
 * problem needs nobody for. Nearly every search in it is one of the system's own, which is quick from a process's first
 * file on.
 */
export function plainSkill(source: SkillSource, { codec, limits }: ReadContext): SkillDocument | null {
  const { bytes } = source;
  const fence = fenceLength(bytes, 0);
  const end = fence > 0 ? closingFence(bytes, fence) : -1;
  if (end < 0 || end - fence > limits.frontmatterBytes || limits.depth < 3) return null;
  if (bytes.indexOf(0) >= 0) return null;
  const ascii = codec.isAscii(bytes);
  if (!(ascii || codec.isUtf8(bytes)) || !isUnremarkable(bytes, end + fence)) return null;
  // With the first dash of the fence: a look behind the last line stays inside the text, and compiled code stays valid.
  const block = ascii ? codec.ascii(bytes, fence, end + 1) : codec.decode(bytes, fence, end + 1);
  const text = fence === lineFeedFence ? block : block.replaceAll("\r\n", "\n");
  if (text.includes(" #") || text.includes("---")) return null;
  if (ascii ? control.test(text) : text.includes("\t") || text.includes("\r")) return null;
  return readFields(
    { text, at: 0, line: 0, end: 0, count: 0, clean: ascii, style: "word" },
    { source, most: limits.keys / 2 },
  );
}

function readFields(
  scan: PlainScan,
  { source, most }: { readonly source: SkillSource; readonly most: number },
): SkillDocument | null {
  const { text } = scan;
  let name: string | null = null;
  let description: string | null = null;
  let title: string | null = null;
  let license: string | null = null;
  let compatibility: string | null = null;
  let whenToUse: string | null = null;
  let argumentHint: string | null = null;
  let tools: readonly string[] | null = null;
  let manual: boolean | null = null;
  let invocable: boolean | null = null;
  let extra: Record<string, FrontmatterValue> | null = null;
  while (scan.at < text.length - 1) {
    const start = scan.at;
    const colon = text.indexOf(":", start);
    if (colon < 0 || colon - start > 100) return null;
    const next = text.charCodeAt(colon + 1);
    if (next !== 0x20 && next !== 0x0a) return null;
    const key = text.slice(start, colon);
    const value = plainValue(scan, colon);
    scan.count++;
    if (value === null || scan.count > most) return null;
    switch (key) {
      case "name":
        if (name !== null || typeof value !== "string" || !isOrdinaryName(value, source)) return null;
        name = source.folder;
        break;
      case "description":
        if (description !== null) return null;
        description = textOf(value, scan);
        if (description === null || description.length > 1024) return null;
        break;
      case "title":
        if (title !== null) return null;
        title = textOf(value, scan);
        if (title === null) return null;
        break;
      case "license":
        if (license !== null) return null;
        license = textOf(value, scan);
        if (license === null) return null;
        break;
      case "compatibility":
        if (compatibility !== null) return null;
        compatibility = textOf(value, scan);
        if (compatibility === null) return null;
        break;
      case "when_to_use":
        if (whenToUse !== null) return null;
        whenToUse = textOf(value, scan);
        if (whenToUse === null) return null;
        break;
      case "argument-hint":
        if (argumentHint !== null) return null;
        argumentHint = textOf(value, scan);
        if (argumentHint === null) return null;
        break;
      case "allowed-tools":
        if (tools !== null) return null;
        tools = toolsOf(value);
        break;
      case "disable-model-invocation":
        if (manual !== null) return null;
        manual = flagOf(value, scan);
        if (manual === null) return null;
        break;
      case "user-invocable":
        if (invocable !== null) return null;
        invocable = flagOf(value, scan);
        if (invocable === null) return null;
        break;
      default:
        if (!isForeign(key)) return null;
        extra ??= emptyRecord<FrontmatterValue>();
        if (key in extra) return null;
        extra[key] = dataOf(value, scan);
    }
  }
  if (name === null || description === null) return null;
  return {
    name,
    nameFrom: "frontmatter",
    description,
    descriptionFrom: "frontmatter",
    title,
    license,
    compatibility,
    whenToUse,
    argumentHint,
    argumentNames: noTexts,
    allowedTools: tools ?? noTexts,
    aliases: noTexts,
    paths: null,
    requires: null,
    disableModelInvocation: manual ?? false,
    userInvocable: invocable ?? true,
    displayNames: nothing,
    descriptions: nothing,
    metadata: nothing,
    extra: extra ?? nothing,
  };
}

/** `---` and a line feed; a file that ends its lines with CRLF has a byte more. */
const lineFeedFence = 4;

/** Bytes of the fence at this place with its line end; 0 = there is none in its plain form. */
function fenceLength(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== 0x2d || bytes[at + 1] !== 0x2d || bytes[at + 2] !== 0x2d) return 0;
  if (bytes[at + 3] === 0x0a) return lineFeedFence;
  return bytes[at + 3] === 0x0d && bytes[at + 4] === 0x0a ? lineFeedFence + 1 : 0;
}

/** Where the first line begins that is a fence as long as the first one, near the top of the file; -1 = none. */
function closingFence(bytes: Uint8Array, fence: number): number {
  let at = fence;
  while (at < headBytes && fenceLength(bytes, at) !== fence) {
    const lineEnd = bytes.indexOf(0x0a, at);
    if (lineEnd < 0) return -1;
    at = lineEnd + 1;
  }
  return at < headBytes ? at : -1;
}

/** A field that is a text; null for what is none, or may be another thing than a text for YAML. */
function textOf(value: string | readonly string[], scan: PlainScan): string | null {
  if (typeof value !== "string") return null;
  if (scan.style === "block") return value.trim() || null;
  if (scan.style === "quoted") return value;
  const first = value.charCodeAt(0);
  // Texts that begin with a digit or are short and begin with these letters may be numbers, dates, booleans or null.
  if (first < 0x3a && first >= 0x2f) return null;
  return value.length < 6 && "tTfFnNyYoO".includes(value.charAt(0)) ? null : value;
}

/** Lists of tools that were met before; the same few stand in thousands of files. Bounded. */
const toolLists = new Map<string, readonly string[]>();

function toolsOf(value: string | readonly string[]): readonly string[] {
  if (typeof value !== "string") return toolsIn(value);
  const known = toolLists.get(value);
  if (known !== undefined) return known;
  const tools = Object.freeze(toolsIn(value));
  if (toolLists.size < 256) toolLists.set(value, tools);
  return tools;
}

function toolsIn(value: string | readonly string[]): readonly string[] {
  const list = typeof value !== "string" ? value : isWordList(value) ? value.split(", ") : null;
  if (list?.every(isWord) === true) return unique(list);
  // The places in the source are only needed for parentheses, which lists of the short way don't have.
  const scalar = (text: string) =>
    ({ kind: "scalar", style: "plain", text, start: 0, end: text.length }) as const;
  const node =
    typeof value === "string"
      ? scalar(value)
      : ({ kind: "list", flow: false, items: value.map(scalar), start: 0, end: 0 } as const);
  const tools = toolList(node, "");
  return tools.length === 0 ? noTexts : tools;
}

function isWordList(text: string): boolean {
  return /^[A-Za-z][\w.-]*(?:, [A-Za-z][\w.-]*)*$/.test(text);
}

function isWord(text: string): boolean {
  return !text.includes(" ");
}

function unique(list: readonly string[]): readonly string[] {
  return list.some((one, index) => list.indexOf(one) !== index) ? [...new Set(list)] : list;
}

function flagOf(value: string | readonly string[], scan: PlainScan): boolean | null {
  if (scan.style !== "word") return null;
  return value === "true" ? true : value === "false" ? false : null;
}

function dataOf(value: string | readonly string[], scan: PlainScan): FrontmatterValue {
  if (typeof value !== "string") return value;
  return scan.style === "word" ? typedScalar(value, []) : scan.style === "block" ? value.trimEnd() : value;
}

/** Answers for keys met before; the same few stand in thousands of files. Bounded. */
const answers = new Map<string, boolean>();

/** A key that has no meaning here and is no slip of one that has. */
function isForeign(key: string): boolean {
  const known = answers.get(key);
  if (known !== undefined) return known;
  const foreign =
    /^[A-Za-z][\w-]*$/.test(key) &&
    skillKey(key) === null &&
    misspeltKey(key) === null &&
    key !== "__proto__";
  if (answers.size < 1000) answers.set(key, foreign);
  return foreign;
}
