/**
 * Two paths with one key are one file on some system: without regard to capitals (with full folding, so `straße` and
 * `STRASSE` meet), to composed and decomposed letters, and to compatibility forms.
 */
export function collisionKey(path: string): string {
  if (/^[a-z0-9\-_./]*$/.test(path)) return path;
  return path.normalize("NFKC").toLowerCase().toUpperCase().toLowerCase().normalize("NFKC");
}
