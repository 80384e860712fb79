/** English order whatever the machine's locale; what `localeCompare` gives in the mirrored program. */
const collator = new Intl.Collator("en");

export function compareNames(a: string, b: string): number {
  return collator.compare(a, b);
}

/** How selectors and plugin names meet: trimmed, NFKC, lower case. */
export function selectorKey(name: string): string {
  return name.trim().normalize("NFKC").toLowerCase();
}
