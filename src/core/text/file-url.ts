const kept = /[A-Za-z0-9!$&'()*+,\-./:;=@_]/;

/**
 * `file:` URL of a path with `/` separators, as Node 20's `pathToFileURL` writes it: all but letters, digits and
 * ``!$&'()*+,-./:;=@_`` is percent-encoded as UTF-8. A text that is no path, such as `<built-in>`, stays as
 * it is behind `file:///` (seed 004, decisions D1 and D2).
 */
export function fileUrl(path: string): string {
  if (/^<[^/<>]*>$/.test(path)) return `file:///${path}`;
  let encoded = "";
  for (const character of path.replace(/\p{Surrogate}/gu, "\ufffd"))
    encoded += kept.test(character) ? character : percent(character);
  return encoded.startsWith("/") ? `file://${encoded}` : `file:///${encoded}`;
}

/** `encodeURIComponent` leaves `~` alone. */
function percent(character: string): string {
  return character === "~" ? "%7E" : encodeURIComponent(character);
}
