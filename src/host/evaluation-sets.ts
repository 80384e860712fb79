import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { SkilletError } from "../core/error.ts";
import { type EvaluationCase, readCases } from "../core/evaluation/evaluation-case.ts";
import type { SearchDocument } from "../core/search/search-index.ts";
import { closestNames } from "../core/text/closest-names.ts";

/** Requests with, where the folder brings one, the skills that they are asked of. */
export interface EvaluationSet {
  readonly name: string;
  /** Null: the skills that are found here. */
  readonly corpus: readonly SearchDocument[] | null;
  readonly cases: readonly EvaluationCase[];
  /** What could not be used, one sentence each. */
  readonly problems: readonly string[];
  /** What was used, but is hardly meant so, one sentence each. */
  readonly notes: readonly string[];
}

/** Folders below a given one are looked at to this depth. */
const depth = 6;
const corpusFile = /^(?:(.+)[.-])?corpus\.jsonl(?:\.gz)?$/;
const caseFile = /^(?:(.+)[.-])?(?:queries|negatives|requests|triggers?|trigger[-_]evals?)\.jsonl?(?:\.gz)?$/;

/**
 * Evaluation sets at the given places. A file is one set. A folder gives one set for each `corpus.jsonl` with the
 * requests beside it (`queries.jsonl`, `negatives.jsonl`; with a common beginning such as `meta.` they go together), and
 * one more for all requests in `evals/` folders of skills below it. Throws `SkilletError` for a place that isn't there.
 */
export function evaluationSets(places: readonly string[]): readonly EvaluationSet[] {
  return places
    .flatMap((place): readonly EvaluationSet[] => {
      const path = resolve(place);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found === undefined) throw new SkilletError("not-found", `There is no ${place}.`);
      if (found.isDirectory()) return folderSets(path, place);
      return [{ name: place, corpus: null, ...casesOf([path]) }];
    })
    .map((set) => {
      if (set.cases.length > 0 || set.problems.length > 0) return set;
      const empty = `${set.name}: has no requests beside it (queries.jsonl, negatives.jsonl)`;
      return { ...set, problems: set.notes.length > 0 ? set.notes : [empty], notes: [] };
    });
}

function folderSets(folder: string, place: string): readonly EvaluationSet[] {
  const names = readdirSync(folder).sort();
  const sets: EvaluationSet[] = [];
  const corpora = names.flatMap((name) => {
    const match = corpusFile.exec(name);
    return match === null ? [] : [{ name, stem: match[1] ?? "" }];
  });
  for (const { name, stem } of corpora) {
    const files = names.filter((other) => {
      const match = caseFile.exec(other);
      if (match === null) return false;
      const own = corpora.filter((one) => one.stem !== "" && other.startsWith(one.stem));
      return stem === "" ? own.length === 0 : other.startsWith(stem);
    });
    const read = corpusOf(join(folder, name));
    const cases = casesOf(files.map((file) => join(folder, file)));
    sets.push({
      name: join(place, name),
      corpus: read.documents,
      ...cases,
      problems: [...read.problems, ...cases.problems],
    });
  }
  if (sets.length > 0) return sets;
  const files = evaluationFiles(folder, depth);
  if (files.length === 0)
    throw new SkilletError(
      "not-found",
      `${place} holds no requests (queries.jsonl, negatives.jsonl or evals/*.json).`,
    );
  return [{ name: place, corpus: null, ...casesOf(files) }];
}

function evaluationFiles(folder: string, left: number): readonly string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = join(folder, entry.name);
    if (entry.isFile() && caseFile.test(entry.name)) found.push(path);
    if (!entry.isDirectory() || left === 0 || entry.name === "node_modules" || entry.name === ".git")
      continue;
    found.push(...evaluationFiles(path, left - 1));
  }
  return found;
}

function textOf(path: string): string {
  const bytes = readFileSync(path);
  if (!path.endsWith(".gz")) return bytes.toString("utf8");
  try {
    return gunzipSync(bytes, { maxOutputLength: 1 << 30 }).toString("utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new SkilletError("failed", `${path} cannot be unpacked: ${why}.`);
  }
}

function casesOf(paths: readonly string[]): Pick<EvaluationSet, "cases" | "problems" | "notes"> {
  const cases: EvaluationCase[] = [];
  const problems: string[] = [];
  const notes: string[] = [];
  for (const path of paths) {
    const folder = dirname(path);
    const owner = basename(folder) === "evals" ? basename(dirname(folder)) : null;
    const read = readCases(textOf(path), { place: path, owner });
    cases.push(...read.cases);
    problems.push(...read.problems);
    notes.push(...read.notes);
    if (read.cases.length + read.problems.length === 0) notes.push(`${path}: holds no requests`);
  }
  return { cases, problems, notes };
}

function corpusOf(path: string): {
  readonly documents: readonly SearchDocument[];
  readonly problems: readonly string[];
} {
  const documents: SearchDocument[] = [];
  const problems: string[] = [];
  const lines = new Map<string, number>();
  for (const [index, line] of textOf(path)
    .replace(/^\ufeff/, "")
    .split("\n")
    .entries()) {
    if (line.trim() === "") continue;
    const read = documentOf(line);
    const problem = typeof read === "string" ? read : taken(lines.get(read.location));
    if (typeof read !== "string" && problem === null) {
      lines.set(read.location, index + 1);
      documents.push(read);
    } else problems.push(`${path}:${index + 1}: ${problem}`);
  }
  return { documents, problems };
}

/** A skill counts once, however often it stands in a corpus. */
function taken(line: number | undefined): string | null {
  return line === undefined ? null : `has the \`id\` of line ${line}; no second skill is made of it`;
}

/** A line of a corpus, or what is wrong with it. */
function documentOf(line: string): SearchDocument | string {
  let row: Readonly<Record<string, unknown>>;
  try {
    row = JSON.parse(line);
  } catch {
    return "is not JSON";
  }
  if (typeof row !== "object" || row === null) return "is no object";
  const text = (key: string): string => (typeof row[key] === "string" ? row[key] : "");
  const list = (key: string): readonly string[] =>
    Array.isArray(row[key]) ? row[key].filter((one) => typeof one === "string") : [];
  if (text("name").trim() === "") {
    const meant = closestNames("name", Object.keys(row).slice(0, 40), 1)[0];
    return `has no \`name\`${meant === undefined || meant === "name" ? "" : `, but \`${meant.slice(0, 40)}\``}; no skill is made of it`;
  }
  return {
    name: text("name"),
    location: text("id") || text("name"),
    aliases: list("aliases"),
    localized: list("localized"),
    description: text("description"),
    whenToUse: text("when_to_use"),
    body: text("body"),
  };
}
