import { escapeXml } from "../text/escape-xml.ts";
import { withoutHidden } from "../text/hidden-characters.ts";
import { singleLine } from "../text/single-line.ts";

/** Any text as one line of visible characters: white space becomes single spaces, outer space goes (rows B01, B04). */
export function inlineText(text: string): string {
  return singleLine(withoutHidden(text));
}

/** A name on one line without hidden characters, otherwise exactly as it is: it must be possible to give it back. */
export function inlineName(name: string): string {
  return withoutHidden(name).replace(/[\t\n]/g, " ");
}

/** Escapes for element content and double quotes. Apostrophes stay: they are frequent, harmless there and cost tokens. */
export function escapeCatalog(text: string): string {
  return /[&<>"]/.test(text) ? escapeXml(text).replaceAll("&apos;", "'") : text;
}
