import type { AttachedFile } from "../../activation/expand.ts";
import type { VisibleSkill } from "../../profile.ts";

/** One kind of document: what files of it look like, and the words by which a skill says that it covers it. */
interface DocumentKind {
  /** Ends of file names, lower case. */
  readonly endings: readonly string[];
  /** Beginnings of media types, lower case. */
  readonly types: readonly string[];
  readonly words: RegExp;
}

const office = "application/vnd.openxmlformats-officedocument";

const kinds: readonly DocumentKind[] = [
  { endings: [".pdf"], types: ["application/pdf"], words: /\bpdfs?\b/i },
  {
    endings: [".docx", ".dotx", ".docm", ".doc"],
    types: [`${office}.wordprocessingml.`, "application/msword", "application/vnd.ms-word."],
    words: /\b(?:docx|(?:microsoft|ms) word|word (?:documents?|files?))\b/i,
  },
  {
    endings: [".xlsx", ".xlsm", ".xltx", ".xls", ".csv", ".tsv"],
    types: [`${office}.spreadsheetml.`, "application/vnd.ms-excel", "text/csv", "text/tab-separated-values"],
    words: /\b(?:xlsx|excel|spreadsheets?)\b/i,
  },
  {
    endings: [".pptx", ".potx", ".pptm", ".ppt"],
    types: [`${office}.presentationml.`, "application/vnd.ms-powerpoint"],
    words: /\b(?:pptx|powerpoint|slide decks?|presentations?)\b/i,
  },
];

/**
 * Offered skills for the kinds of document among a message's files, at most one a kind, each once, in the order of
 * kinds. A skill whose name says the kind comes before one whose description does; then the order of the list.
 */
export function attachedSkills(
  files: readonly AttachedFile[],
  offered: readonly VisibleSkill[],
): readonly VisibleSkill[] {
  const found = kinds
    .filter((kind) => files.some((file) => isOfKind(file, kind)))
    .flatMap(({ words }) => {
      const byName = offered.find(({ skill }) =>
        [skill.name, ...skill.aliases].some((name) => words.test(name.replaceAll(/[-_]/g, " "))),
      );
      return byName ?? offered.find(({ skill }) => words.test(skill.description ?? "")) ?? [];
    });
  return [...new Set(found)];
}

function isOfKind({ path, mime }: AttachedFile, { endings, types }: DocumentKind): boolean {
  const name = path.toLowerCase();
  const type = mime?.toLowerCase() ?? "";
  return (
    endings.some((ending) => name.endsWith(ending)) ||
    types.some((begin) => begin === type || type.startsWith(begin))
  );
}
