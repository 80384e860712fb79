import type { SemanticSetting } from "../core/configuration.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import { SkilletError } from "../core/error.ts";
import { basename } from "../core/path.ts";
import type { SearchDocument, SearchResult } from "../core/search/search-index.ts";
import { searchDocument } from "../host/search-documents.ts";
import type { Meaning } from "../host/semantic/prepare-meaning.ts";
import type { SearchHit, Skills } from "../host/skills.ts";
import type { Context } from "./command.ts";
import { safeLine } from "./output/safe-text.ts";
import { noteIgnoredFiles, noteSetting } from "./views/notes.ts";

/** Hits by words that meaning may move. */
export const movedByMeaning = 50;

/** A hit with what its meaning brought; absent = words alone. */
export type MeantHit = SearchHit & {
  readonly meaning?: { readonly similarity: number; readonly share: number };
};

interface SemanticJson {
  readonly model: string;
  readonly file?: string;
  readonly used: boolean;
}

export interface MeantAnswer {
  readonly results: readonly MeantHit[];
  readonly autoLoad: string | null;
  /** For JSON: `semantic`, where the setting asks for it. */
  readonly semantic: { readonly semantic?: SemanticJson };
}

/** The setting, where this profile's search is ours. */
export function semanticSetting({ configuration, profile }: Skills): SemanticSetting | null {
  const { semantic } = configuration.search;
  return profile.search !== undefined || semantic === null || semantic.weight === 0 ? null : semantic;
}

/** In JSON: the model's name at its address or that of its folder, and which file of the folder was used. */
export function semanticJson(setting: SemanticSetting, meaning: Meaning | null): SemanticJson {
  const model = "folder" in setting ? basename(setting.folder) : setting.model;
  return {
    model,
    ...(meaning === null || meaning.file === null ? {} : { file: meaning.file }),
    used: meaning !== null,
  };
}

/** Says what is wrong with the setting, where this profile's search would use it. */
export function noteSemanticSetting(context: Context, skills: Skills): void {
  if (skills.profile.search === undefined) noteSetting(context, skills, "search.semantic");
}

/** `skills.search`, with meaning where the setting `search.semantic` asks for it; what fails there is said once. */
export async function searchMeaning(
  context: Context,
  skills: Skills,
  asked: { readonly query: string; readonly limit?: number; readonly explain?: boolean },
): Promise<MeantAnswer> {
  const { query, limit, explain = false } = asked;
  noteIgnoredFiles(context, skills);
  if (skills.profile.search === undefined) noteSetting(context, skills, "search");
  const setting = semanticSetting(skills);
  const words = (most: number | undefined) =>
    skills.search(query, { ...(most === undefined ? {} : { limit: most }), explain });
  if (setting === null || query.trim() === "") return { ...words(limit), semantic: {} };
  const meaning = await preparedMeaning(context, skills, {
    documents: visibleDocuments(skills),
    queries: [query],
  });
  const semantic = { semantic: semanticJson(setting, meaning) };
  if (meaning === null) return { ...words(limit), semantic };
  const most = limit ?? skills.configuration.search.limit;
  const answer = words(Math.max(most, movedByMeaning));
  // The profile has no search of its own, so these are hits of our index.
  const results = meaning.fuse(query, answer.results as readonly SearchResult[], most);
  return { results, autoLoad: stillFirst(answer.autoLoad, results), semantic };
}

/** The one that may be loaded at once by words, where it is first by meaning too. */
export function stillFirst(
  autoLoad: string | null,
  results: readonly { readonly name: string }[],
): string | null {
  return results[0]?.name === autoLoad ? autoLoad : null;
}

/** What a model may see, as far as meaning is concerned. */
export function visibleDocuments({ entries }: Skills): readonly SearchDocument[] {
  return entries
    .filter(({ modelInvocable }) => modelInvocable)
    .map(({ skill }) => searchDocument(skill, { body: "" }));
}

/** Vectors for these requests; null, after a warning, where there are none in time. */
export async function preparedMeaning(
  context: Context,
  skills: Skills,
  wanted: {
    readonly documents: readonly SearchDocument[];
    readonly queries: readonly string[];
    readonly patient?: boolean;
  },
): Promise<Meaning | null> {
  const setting = semanticSetting(skills);
  if (setting === null) return null;
  const { prepareMeaning } = await import("../host/semantic/prepare-meaning.ts");
  try {
    return await prepareMeaning(wanted, {
      setting,
      environment: skills.environment,
      patient: wanted.patient === true,
    });
  } catch (error) {
    if (!(error instanceof SkilletError)) throw error;
    const { message, hint, code } = makeDiagnostic("search/words-alone", {
      path: null,
      message: `Ranked by words alone: ${error.message}`,
      ...(error.hint === null ? {} : { hint: error.hint }),
    });
    context.note(`${safeLine(message)} ${hint} [${code}]`, "warning");
    return null;
  }
}
