import { editDistance } from "../text/closest-names.ts";

/** Keys that profile `skillet` has a meaning for, in their usual spelling. */
export type SkillKey =
  | "name"
  | "description"
  | "license"
  | "compatibility"
  | "metadata"
  | "allowed-tools"
  | "title"
  | "when_to_use"
  | "argument-hint"
  | "arguments"
  | "aliases"
  | "paths"
  | "requires"
  | "disable-model-invocation"
  | "user-invocable"
  | "displayNames"
  | "descriptions";

/**
 * What kind of value a key takes. `prose`: free text, everything on the line belongs to it, also behind a `#`.
 * `word`: one short text, where ` #` starts a comment. `list`: texts. `map`: keys with texts. `flag`: a boolean.
 */
export type KeyShape = "prose" | "word" | "list" | "map" | "flag";

export const keyShapes: Readonly<Record<SkillKey, KeyShape>> = {
  name: "word",
  description: "prose",
  license: "word",
  compatibility: "prose",
  metadata: "map",
  "allowed-tools": "list",
  title: "prose",
  when_to_use: "prose",
  "argument-hint": "prose",
  arguments: "list",
  aliases: "list",
  paths: "list",
  requires: "map",
  "disable-model-invocation": "flag",
  "user-invocable": "flag",
  displayNames: "map",
  descriptions: "map",
};

/** The six keys of the published standard (field.md A1). */
export const standardKeys: readonly SkillKey[] = [
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
];

const usual: ReadonlyMap<string, SkillKey> = new Map(
  (Object.keys(keyShapes) as SkillKey[]).map((key) => [key, key]),
);

const folded: ReadonlyMap<string, SkillKey> = new Map([
  ...Array.from(usual.values(), (key): [string, SkillKey] => [fold(key), key]),
  ["licence", "license"],
  ["alias", "aliases"],
  ["argument", "arguments"],
  ["args", "arguments"],
  ["displayname", "title"],
  ["whentouseit", "when_to_use"],
  ["userinvokable", "user-invocable"],
  ["disablemodelinvokation", "disable-model-invocation"],
]);

/** Keys of other agents (field.md B4) and common extras; never taken for a slip. */
const foreign: ReadonlySet<string> = new Set(
  (
    "path globs glob tools tool model effort context agent agents background hooks hook shell triggers trigger " +
    "repo_scope modeSlugs mode modes disabled enabled icon color type version author authors tag tags category " +
    "categories keywords keyword homepage repository listed requires_beta requiresBeta priority scope always " +
    "language locale url source id slug status date created updated summary domain risk tile file names names " +
    "disallowed-tools allowed-paths dependencies dependency inputs outputs input output examples example mcp " +
    "permissions permission env namespace require prerequisites"
  )
    .split(" ")
    .map(fold),
);

function fold(key: string): string {
  return key.toLowerCase().replace(/[-_ ]/g, "");
}

/** The known key that a spelling stands for: the usual one, or with other case and separators; else null. */
export function skillKey(key: string): SkillKey | null {
  return usual.get(key) ?? (key.length > 40 ? null : (folded.get(fold(key)) ?? null));
}

/** Answers for keys met before; the same few foreign keys stand in thousands of files. Bounded. */
const answered = new Map<string, SkillKey | null>();

/** The known key that an unknown one is most likely a slip of (`descripton`), else null. */
export function misspeltKey(key: string): SkillKey | null {
  const before = answered.get(key);
  if (before !== undefined) return before;
  const answer = nearestKey(key);
  if (answered.size < 1000) answered.set(key, answer);
  return answer;
}

function nearestKey(key: string): SkillKey | null {
  const wanted = fold(key);
  if (wanted.length < 4 || wanted.length > 40 || foreign.has(wanted)) return null;
  // `description_en`, `name-zh`: a translation, not a slip.
  const suffix = /^(.+?)[-_.](?:[a-z]{2,3}|[a-z]{2}[-_][A-Za-z]{2,4})$/.exec(key);
  if (suffix !== null && skillKey(suffix[1] as string) !== null) return null;
  const limit = wanted.length >= 8 ? 2 : 1;
  let best: SkillKey | null = null;
  let bestEdits = limit + 1;
  for (const [spelling, known] of folded) {
    if (spelling.length < 4) continue;
    const edits = editDistance(wanted, spelling, limit);
    if (edits < bestEdits) {
      best = known;
      bestEdits = edits;
    }
  }
  return best;
}
