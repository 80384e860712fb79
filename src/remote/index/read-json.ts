import { isUtf8 } from "node:buffer";

const deepest = 32;

/**
 * JSON from a server, or a sentence why it is none. A byte order mark is fine; other encodings, deep nesting and a web page are not.
 * Of repeated keys the last counts, as JSON has it; `__proto__` is a key like any other.
 */
export function readJson(bytes: Uint8Array): { readonly value: unknown } | { readonly problem: string } {
  if (bytes.length === 0) return { problem: "it is empty" };
  if (!isUtf8(bytes) || bytes.includes(0)) return { problem: "it is not UTF-8 text" };
  const text = new TextDecoder("utf-8").decode(bytes);
  if (/^\s*</.test(text)) return { problem: "it is a web page" };
  if (isDeeper(text, deepest)) return { problem: `it is nested deeper than ${deepest} levels` };
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return { problem: "it is not valid JSON" };
  }
}

/** Counts brackets outside of texts; linear. */
function isDeeper(text: string, limit: number): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) {
      for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++)
        if (text.charCodeAt(at) === 0x5c) at++;
    } else if (unit === 0x7b || unit === 0x5b) {
      if (++depth > limit) return true;
    } else if (unit === 0x7d || unit === 0x5d) depth--;
  }
  return false;
}
