/**
 * The form under which two spellings of a name meet in a lookup: compatibility forms unified (NFKC), lower case,
 * separators (`-`, `_`, `.`, white space) dropped. Never shown, never used as a path (case n-lookup).
 */
export function looseKey(name: string): string {
  if (/^[a-z0-9]*$/.test(name)) return name;
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[-_.\s]/g, "");
}
