/**
 * The interface language as a BCP 47 tag from POSIX locale values (`zh_CN.UTF-8` → `zh-CN`, `sr_RS@latin` →
 * `sr-Latn-RS`); `C` and `POSIX` are English. Null when the value is no language.
 */
export function languageTag(locale: string): string | null {
  const [name = "", modifier] = locale.trim().split("@");
  const plain = (name.split(".")[0] ?? "").replaceAll("_", "-");
  if (plain === "C" || plain === "POSIX") return "en";
  const script = modifier === "latin" ? "Latn" : modifier === "cyrillic" ? "Cyrl" : null;
  const tag = script === null ? plain : plain.replace(/^([A-Za-z]{2,3})(?=-|$)/, `$1-${script}`);
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? null;
  } catch {
    return null;
  }
}

/** The first of `LC_ALL`, `LC_MESSAGES`, `LANG` that is set; English when none is or it is no language. */
export function languageFrom(variables: Readonly<Record<string, string>>): string {
  for (const name of ["LC_ALL", "LC_MESSAGES", "LANG"]) {
    const value = variables[name];
    if (value !== undefined && value !== "") return languageTag(value) ?? "en";
  }
  return "en";
}
