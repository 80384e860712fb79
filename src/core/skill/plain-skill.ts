import { isPlainText } from "../text/hidden-characters.ts";
import { noTexts, nothing } from "./build-document.ts";
import type { ReadContext, SkillDocument, SkillSource } from "./document.ts";
import { isOrdinaryName } from "./resolve-name.ts";

/** Bytes at the start of a file that must hold the whole frontmatter. */
const headBytes = 1024;
/** Bytes of a file below which no text is long by any figure (`noteBody`). */
const shortFile = 5000;

/**
 * The document of a file that nothing can be said of: a few fields with one line each, ordinary texts, an ordinary name,
 * a short text without arguments. Null for every other file, which the thorough way then reads. What this gives equals
 * what that gives (property test); it only saves the nodes, places and tables that a file without a problem needs
 * nobody for. Every search in it is one of the system's own, which is quick from a process's first file on.
 */
export function plainSkill(source: SkillSource, { codec, limits }: ReadContext): SkillDocument | null {
  const { bytes } = source;
  if (bytes.length > shortFile || limits.frontmatterBytes < headBytes || limits.keys < 16 || limits.depth < 3)
    return null;
  const end = isFence(bytes, 0) ? closingFence(bytes) : -1;
  if (end < 0 || bytes.indexOf(0) >= 0 || bytes.indexOf(0x24) >= 0) return null;
  if (!codec.isAscii(bytes) && !codec.isUtf8(bytes)) return null;
  const text = codec.decode(bytes, fenceBytes, end);
  let name: string | null = null;
  let description: string | null = null;
  let license: string | null = null;
  let compatibility: string | null = null;
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf("\n", at);
    const colon = text.indexOf(": ", at);
    if (colon < 0 || colon > lineEnd) return null;
    const value = ordinaryText(text.slice(colon + 2, lineEnd));
    if (value === null) return null;
    switch (text.slice(at, colon)) {
      case "name":
        if (name !== null || !isOrdinaryName(value, source)) return null;
        name = value;
        break;
      case "description":
        if (description !== null) return null;
        description = value;
        break;
      case "license":
        if (license !== null) return null;
        license = value;
        break;
      case "compatibility":
        if (compatibility !== null) return null;
        compatibility = value;
        break;
      default:
        return null;
    }
    at = lineEnd + 1;
  }
  if (name === null || description === null) return null;
  return {
    name,
    nameFrom: "frontmatter",
    description,
    descriptionFrom: "frontmatter",
    title: null,
    license,
    compatibility,
    whenToUse: null,
    argumentHint: null,
    argumentNames: noTexts,
    allowedTools: noTexts,
    aliases: noTexts,
    paths: null,
    requires: null,
    disableModelInvocation: false,
    userInvocable: true,
    displayNames: nothing,
    descriptions: nothing,
    metadata: nothing,
    extra: nothing,
  };
}

/** `---` and a line feed. */
const fenceBytes = 4;

function isFence(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x2d && bytes[at + 1] === 0x2d && bytes[at + 2] === 0x2d && bytes[at + 3] === 0x0a;
}

/** Where the first line begins that is a fence in its plain form, near the top of the file; -1 = none. */
function closingFence(bytes: Uint8Array): number {
  let at = fenceBytes;
  while (at < headBytes && !isFence(bytes, at)) {
    const lineEnd = bytes.indexOf(0x0a, at);
    if (lineEnd < 0) return -1;
    at = lineEnd + 1;
  }
  return at < headBytes ? at : -1;
}

/** What a value says that is plain or in double quotes without escapes; null for any other. */
function ordinaryText(value: string): string | null {
  if (!value.startsWith('"')) return isOrdinaryText(value) ? value : null;
  const text = value.slice(1, -1);
  const simple = text !== "" && value.endsWith('"') && !text.includes('"') && !text.includes("\\");
  return simple && isVisible(text) ? text : null;
}

/** A text that begins with a letter and is the same text for YAML, for `trim` and for who looks for hidden characters. */
function isOrdinaryText(text: string): boolean {
  const first = text.charCodeAt(0) | 0x20;
  if (!(first >= 0x61 && first <= 0x7a)) return false;
  // Short texts with these letters in front may be booleans or null.
  if (text.length <= 40 && "tfnyo".includes(String.fromCharCode(first))) return false;
  return !text.includes(": ") && !text.includes(" #") && !text.endsWith(":") && isVisible(text);
}

function isVisible(text: string): boolean {
  return !text.includes("\t") && text.trim().length === text.length && isPlainText(text);
}
