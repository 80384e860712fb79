import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { SkilletError } from "../core/error.ts";
import { type EvaluationCase, readCases } from "../core/evaluation/evaluation-case.ts";
import type { SearchDocument } from "../core/search/search-index.ts";

/** Requests with, where the folder brings one, the skills that they are asked of. */
export interface EvaluationSet {
  readonly name: string;
  /** Null: the skills that are found here. */
  readonly corpus: readonly SearchDocument[] | null;
  readonly cases: readonly EvaluationCase[];
  readonly problems: readonly string[];
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
  return places.flatMap((place) => {
    const path = resolve(place);
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) throw new SkilletError("not-found", `There is no ${place}.`);
    if (found.isDirectory()) return folderSets(path, place);
    return [{ name: place, corpus: null, ...casesOf([path]) }];
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
      cases: cases.cases,
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
  return (path.endsWith(".gz") ? gunzipSync(bytes, { maxOutputLength: 1 << 30 }) : bytes).toString("utf8");
}

function casesOf(paths: readonly string[]): Pick<EvaluationSet, "cases" | "problems"> {
  const cases: EvaluationCase[] = [];
  const problems: string[] = [];
  for (const path of paths) {
    const folder = dirname(path);
    const owner = basename(folder) === "evals" ? basename(dirname(folder)) : null;
    const read = readCases(textOf(path), { place: path, owner });
    cases.push(...read.cases);
    problems.push(...read.problems);
  }
  return { cases, problems };
}

function corpusOf(path: string): {
  readonly documents: readonly SearchDocument[];
  readonly problems: readonly string[];
} {
  const documents: SearchDocument[] = [];
  const problems: string[] = [];
  for (const [index, line] of textOf(path).split("\n").entries()) {
    if (line.trim() === "") continue;
    try {
      const row = JSON.parse(line) as Readonly<Record<string, unknown>>;
      const text = (key: string): string => (typeof row[key] === "string" ? row[key] : "");
      const list = (key: string): readonly string[] =>
        Array.isArray(row[key]) ? row[key].filter((one) => typeof one === "string") : [];
      documents.push({
        name: text("name"),
        location: text("id") || text("name"),
        aliases: list("aliases"),
        localized: list("localized"),
        description: text("description"),
        whenToUse: text("when_to_use"),
        body: text("body"),
      });
    } catch {
      problems.push(`${path}:${index + 1}: is not JSON`);
    }
  }
  return { documents, problems };
}
