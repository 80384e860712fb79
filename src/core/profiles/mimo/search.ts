import { normalizeText, tokenizeMimo } from "./tokenize.ts";

/** A skill as the mirrored search sees it, in the order in which the search gets it. */
export interface MimoSearchSkill {
  readonly name: string;
  readonly description: string;
  readonly aliases?: readonly string[] | undefined;
  readonly bundled?: boolean | undefined;
  /** Chinese names; they count for bundled skills outside the workflow pack only. */
  readonly localizedAliases?: readonly string[] | undefined;
}

export interface MimoSearchResult {
  readonly skill_id: string;
  readonly name: string;
  /** 0 to 1, four decimals. */
  readonly score: number;
  readonly reason: string;
}

export interface MimoSearchAnswer {
  readonly results: readonly MimoSearchResult[];
  readonly loaded_skill_id: string | null;
}

/** The mirrored system's constants (seed 000, "skill_search"). */
const exactScore = 1;
const k1 = 1.5;
const lengthNormalization = 0.75;
const idfSmoothing = 0.5;
const scoreWeight = 0.55;
const coverageWeight = 0.35;
const autoLoadThreshold = 0.85;
const decimals = 4;
const maxResults = 3;

/** Skills of the workflow pack are never searched. */
export const workflowPrefix = "compose:";

const han = /\p{Script=Han}/u;
const wordCharacter = /[\p{L}\p{N}]/u;

/** English collation whatever the machine's locale; decides between equal scores. */
const collator = new Intl.Collator("en");

/**
 * Exact mentions first, then BM25 blended with the share of query words found; the best three (features M14, M15; golden
 * `mimo.search`). Order of the ranked part is by raw BM25, not by the printed score, as in the mirrored system. An empty
 * alias matches nearly everything there, and so it does here. Cost: linear in pool and query.
 */
export function searchMimo(query: string, pool: readonly MimoSearchSkill[]): MimoSearchAnswer {
  const skills = pool.filter(({ name }) => !name.startsWith(workflowPrefix));
  const normalized = normalizeText(query);
  const exact = skills.filter((skill) =>
    names(skill).some((name) => mentions(normalized, normalizeText(name))),
  );
  const exactNames = new Set(exact.map(({ name }) => name));
  const ranked = rank(query, skills).filter(({ skill }) => !exactNames.has(skill.name));
  const results = [
    ...exact.map((skill) => result(skill, exactScore, mentionReason(skill))),
    ...ranked.map(({ skill, score, matched }) => result(skill, score, wordReason(matched))),
  ].slice(0, maxResults);
  const [first] = results;
  return {
    results,
    loaded_skill_id: first !== undefined && first.score >= autoLoadThreshold ? first.skill_id : null,
  };
}

function result(skill: MimoSearchSkill, score: number, reason: string): MimoSearchResult {
  return { skill_id: skill.name, name: skill.name, score, reason };
}

function mentionReason(skill: MimoSearchSkill): string {
  return `The query explicitly mentions the skill ID, name, or alias for ${skill.name}.`;
}

function wordReason(words: readonly string[]): string {
  return `The skill description matches these query terms: ${words.join(", ")}.`;
}

function localized(skill: MimoSearchSkill): readonly string[] {
  return skill.bundled === true ? (skill.localizedAliases ?? []) : [];
}

function names(skill: MimoSearchSkill): readonly string[] {
  return [skill.name, ...(skill.aliases ?? []), ...localized(skill)];
}

/** Whether a normalised query holds a normalised name: anywhere for one with Han, else between characters that are no letter or digit. */
function mentions(query: string, name: string): boolean {
  if (query === name) return true;
  if (han.test(name)) return query.includes(name);
  for (let at = query.indexOf(name); at >= 0; at = at < query.length ? query.indexOf(name, at + 1) : -1) {
    if (!isWordBefore(query, at) && !isWordAt(query, at + name.length)) return true;
  }
  return false;
}

function isWordAt(text: string, at: number): boolean {
  const point = text.codePointAt(at);
  return point !== undefined && wordCharacter.test(String.fromCodePoint(point));
}

function isWordBefore(text: string, at: number): boolean {
  if (at === 0) return false;
  const unit = text.charCodeAt(at - 1);
  const isLow = unit >= 0xdc00 && unit <= 0xdfff && at >= 2;
  return isWordAt(text, isLow ? at - 2 : at - 1);
}

interface Ranked {
  readonly skill: MimoSearchSkill;
  readonly raw: number;
  readonly score: number;
  readonly matched: readonly string[];
}

interface Words {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  readonly description: ReadonlySet<string>;
}

/** A text is cut into words once, however often it is searched. */
const known = new WeakMap<MimoSearchSkill, Words>();

function wordsOf(skill: MimoSearchSkill): Words {
  const before = known.get(skill);
  if (before !== undefined) return before;
  const tokens = tokenizeMimo([...names(skill), skill.description].join(" "));
  const counts = new Map<string, number>();
  for (const token of tokens) counts.set(token, (counts.get(token) ?? 0) + 1);
  const words = { counts, length: tokens.length, description: new Set(tokenizeMimo(skill.description)) };
  known.set(skill, words);
  return words;
}

function rank(query: string, skills: readonly MimoSearchSkill[]): readonly Ranked[] {
  const terms = [...new Set(tokenizeMimo(query))];
  const documents = skills.map((skill) => ({ skill, ...wordsOf(skill) }));
  const total = documents.reduce((sum, { length }) => sum + length, 0);
  const averageLength = total / documents.length || 1;
  const idf = new Map(
    terms.map((term) => {
      const frequency = documents.reduce((sum, { counts }) => sum + (counts.has(term) ? 1 : 0), 0);
      return [term, Math.log(1 + (documents.length - frequency + idfSmoothing) / (frequency + idfSmoothing))];
    }),
  );
  const scored = documents.map(({ skill, counts, length }) => {
    let raw = 0;
    let covered = 0;
    // Summed in query order: floating point makes the order count.
    for (const term of terms) {
      const frequency = counts.get(term) ?? 0;
      if (frequency === 0) continue;
      covered += 1;
      const norm =
        frequency + k1 * (1 - lengthNormalization + (lengthNormalization * length) / averageLength);
      raw += ((idf.get(term) ?? 0) * (frequency * (k1 + 1))) / norm;
    }
    return { skill, raw, coverage: terms.length === 0 ? 0 : covered / terms.length };
  });
  const highest = scored.reduce((best, { raw }) => Math.max(best, raw), 0);
  return scored
    .filter(({ raw }) => raw > 0)
    .sort((a, b) => b.raw - a.raw || collator.compare(a.skill.name, b.skill.name))
    .map(({ skill, raw, coverage }) => {
      const { description } = wordsOf(skill);
      return {
        skill,
        raw,
        score: Number(((raw / highest) * scoreWeight + coverage * coverageWeight).toFixed(decimals)),
        matched: terms.filter((term) => description.has(term)),
      };
    });
}

/** The tool's JSON text, two spaces of indentation (spec mimo-opencode 2.3). */
export function mimoSearchText(answer: MimoSearchAnswer): string {
  const status = answer.results.length === 0 ? "no_match" : "matched";
  return JSON.stringify(
    { status, results: answer.results, loaded_skill_id: answer.loaded_skill_id },
    null,
    2,
  );
}
