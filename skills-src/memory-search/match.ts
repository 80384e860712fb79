/** What a query looks for: words of spaced scripts, pairs of signs of the others. */
export interface Query {
  readonly terms: readonly string[];
  /** The whole query, for texts that hold it as it is. */
  readonly phrase: string;
}

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

export function queryOf(text: string): Query {
  const phrase = folded(text).trim().replace(/\s+/g, " ");
  const terms = new Set<string>();
  for (const [run] of phrase.matchAll(unspaced)) {
    const signs = [...run];
    if (signs.length === 1) terms.add(run);
    for (let at = 0; at + 1 < signs.length; at++) terms.add(`${signs[at]}${signs[at + 1]}`);
  }
  for (const [word] of phrase.replace(unspaced, " ").matchAll(/[\p{L}\p{N}_][\p{L}\p{N}_.+#/-]*/gu)) {
    const plain = word.replace(/[./-]+$/, "");
    if (plain !== "" && !common.has(plain)) terms.add(plain);
  }
  return { terms: [...terms], phrase };
}

const common = new Set(
  "a an and are as at be by did do for from had has have how i in is it its me my of on or our so that the this to us was we were what when where which who why with you your".split(
    " ",
  ),
);

export function folded(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

/**
 * 0 to 1: the share of the query's terms that the text holds, longer ones counting more, and a bonus for the phrase as
 * a whole. 0 = none of them.
 */
export function score(query: Query, text: string): number {
  const where = folded(text);
  let [found, all] = [0, 0];
  for (const term of query.terms) {
    const weight = Math.min(term.length, 8);
    all += weight;
    if (where.includes(term)) found += weight;
  }
  if (all === 0) return 0;
  const whole = query.terms.length > 1 && where.replace(/\s+/g, " ").includes(query.phrase) ? 0.2 : 0;
  return Math.min(
    1,
    (found / all) * 0.8 + (found === 0 ? 0 : whole + (found === all ? 0.2 - whole * 0.5 : 0)),
  );
}

/** The part of a text around the first term, at most `length` characters. */
export function excerpt(query: Query, text: string, length: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  const where = folded(flat);
  const at = Math.min(
    ...query.terms.map((term) => where.indexOf(term)).filter((place) => place >= 0),
    flat.length,
  );
  const from = Math.max(0, Math.min(at - Math.floor(length / 3), flat.length - length));
  // A cut must not leave half of a sign.
  const part = flat.slice(from, from + length).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
  return `${from > 0 ? "…" : ""}${part}${from + length < flat.length ? "…" : ""}`;
}
