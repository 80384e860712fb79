import { type Diagnostic, noDiagnostics } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { DiagnosticCode } from "../../diagnostics/table.ts";
import type {
  ReadContext,
  SkillDocument,
  SkillRead,
  SkillReader,
  SkillSource,
} from "../../skill/document.ts";
import { extraFields } from "../../skill/matter/frontmatter-data.ts";
import { type MatterProblem, type MatterRead, readMatter } from "../../skill/matter/matter.ts";
import type { YamlMap, YamlValue } from "../../skill/matter/yaml-value.ts";
import { plainDocument } from "../../skill/plain-document.ts";
import { misspeltKey } from "../../skill/skill-keys.ts";
import { printable } from "../../text/printable.ts";
import { readAsUtf8 } from "../read-as-utf8.ts";

/** In what programs of the family and their generations read SKILL.md differently. */
export interface ReaderRules {
  /** The program, for messages. */
  readonly program: string;
  /** One byte order mark is taken off before anything else; otherwise it keeps unquoted colons from being forgiven. */
  readonly stripMark: boolean;
  /** A Markdown file at a root's top is named after itself, and `slash` is a field. */
  readonly fileNames: boolean;
  /** Names are keys of a plain object there: `__proto__` is lost and inherited names count as taken. */
  readonly objectNames: boolean;
  /** A file without `description` is dropped. */
  readonly described: boolean;
  /** `aliases` (a list of texts) and `disable-model-invocation` (true or false) are fields (feature M7). */
  readonly callFields: boolean;
}

type Skip = Extract<SkillRead, { document: null }>;

/** Names that every plain object has already (row B09; golden `name.constructor`, `name.toString`). */
const inheritedNames = new Set(Object.getOwnPropertyNames(Object.prototype));

const textFields = new Set(["name", "description"]);

const aliasField = "aliases";
const manualField = "disable-model-invocation";
const callFields = new Set([...textFields, aliasField, manualField]);

/**
 * Reads SKILL.md as OpenCode does (features O1, O6, O7; spec mimo-opencode 1.5–1.7; golden `fm.*`, `name.*`): names are
 * never checked, a value of the wrong type drops the file, unquoted colons are forgiven. What the program drops
 * without a word is still a skip with a reason here.
 */
export function createOpenCodeReader(rules: ReaderRules): SkillReader {
  const reader: SkillReader = {
    read: (source, context) => readSkill(source, context, rules),
    body: (source, context) => {
      const text = decode(source.bytes, context, rules.stripMark);
      const matter = readMatter(text, limitsOf(context));
      return matter.ok ? matter.content : text.replace(/^\ufeff/, "");
    },
  };
  return readAsUtf8(reader, rules.program);
}

function limitsOf({ limits }: ReadContext) {
  return { block: limits.frontmatterBytes, depth: limits.depth, keys: limits.keys, aliases: limits.aliases };
}

/** UTF-8 with U+FFFD for what is none; marks are counted by hand so that no decoder decides about them. */
function decode(bytes: Uint8Array, { codec }: ReadContext, stripMark: boolean): string {
  let marks = 0;
  const isMark = (at: number): boolean =>
    bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;
  while (isMark(marks * 3)) marks++;
  const text = codec.decode(bytes, marks * 3, bytes.length);
  return "\ufeff".repeat(stripMark ? Math.max(0, marks - 1) : marks) + text;
}

function readSkill(source: SkillSource, context: ReadContext, rules: ReaderRules): SkillRead {
  const text = decode(source.bytes, context, rules.stripMark);
  if (text === "") return skipped(source, "file/empty", { message: "The file is empty." });
  const matter = readMatter(text, limitsOf(context));
  if (!matter.ok) return unreadable(source, matter, rules);
  if (!(matter.data instanceof Map)) {
    const what = Array.isArray(matter.data) ? "a list" : "a single value";
    return skipped(source, "frontmatter/not-a-mapping", {
      message: `The frontmatter is ${what}, not fields.`,
    });
  }
  return fromFields(source, matter.data, { fenced: matter.fenced, repaired: matter.repaired, rules });
}

function fromFields(
  source: SkillSource,
  fields: YamlMap,
  facts: { readonly fenced: boolean; readonly repaired: MatterProblem | null; readonly rules: ReaderRules },
): SkillRead {
  const { rules } = facts;
  const written = fields.get("name");
  const declared = typeof written === "string" ? written : null;
  for (const key of textFields) {
    const value = fields.get(key);
    if (value === undefined || typeof value === "string") continue;
    return skipped(source, "frontmatter/wrong-shape", {
      message: `\`${key}\` is ${kindOf(value)}, not a text, so ${rules.program} drops the file without a word.`,
      hint: value === null ? `Give \`${key}\` a text` : `Put the value of \`${key}\` in quotes`,
      name: declared,
    });
  }
  const slash = fields.get("slash");
  if (rules.fileNames && slash !== undefined && typeof slash !== "boolean")
    return skipped(source, "frontmatter/wrong-shape", {
      message: `\`slash\` is ${kindOf(slash)}, not true or false, so ${rules.program} drops the file without a word.`,
      hint: "Write true or false without quotes",
      name: declared,
    });
  const call = rules.callFields ? readCallFields(fields) : noCallFields;
  if ("problem" in call) {
    const message = `${call.problem}, so ${rules.program} drops the file without a word.`;
    return skipped(source, "frontmatter/wrong-shape", { message, hint: call.hint, name: declared });
  }

  const fileName = rules.fileNames && source.file !== null ? source.file || ".md" : null;
  const name = declared ?? fileName;
  if (name === null)
    return facts.fenced
      ? skipped(source, "name/missing", {
          message: `The frontmatter has no \`name\`${insteadOf("name", fields)}, so ${rules.program} drops the file.`,
        })
      : skipped(source, "frontmatter/absent", {
          message: `The file has no frontmatter between two --- lines, so it has no name for ${rules.program}.`,
        });
  if (name === "" && rules.fileNames)
    return skipped(source, "name/missing", {
      message: `\`name\` is empty, so ${rules.program} drops the file.`,
    });
  if (name === "__proto__" && rules.objectNames)
    return skipped(source, "name/unsafe", {
      message: `${rules.program} cannot hold a skill of this name; it loses it.`,
      name,
      profileCode: duplicateWarning,
    });

  const description = fields.get("description");
  if (rules.described && typeof description !== "string")
    return skipped(source, "description/missing", {
      message: `The frontmatter has no \`description\`${insteadOf("description", fields)}, so ${rules.program} drops the file without a word.`,
      hint: "Say in `description` when to use the skill",
      name,
    });
  const document: SkillDocument = {
    ...plainDocument(name, typeof description === "string" ? description : null),
    nameFrom: declared === null ? "file" : "frontmatter",
    aliases: call.aliases,
    disableModelInvocation: call.manual,
    extra: extraFields(fields, rules.callFields ? callFields : textFields),
  };
  if (facts.repaired !== null) secondTries.add(document.extra);
  const known = rules.callFields ? callFields : textFields;
  const diagnostics = [...slipsOf(source, fields, { known, rules }), ...notesOf(source, document, facts)];
  return { document, diagnostics: diagnostics.length === 0 ? noDiagnostics : diagnostics, skip: null };
}

/** Keys that look like a slip of one that counts and is missing: the program passes over them without a word. */
function slipsOf(
  source: SkillSource,
  fields: YamlMap,
  { known, rules }: { readonly known: ReadonlySet<string>; readonly rules: ReaderRules },
): readonly Diagnostic[] {
  const slips: Diagnostic[] = [];
  for (const key of fields.keys()) {
    if (known.has(key)) continue;
    const meant = misspeltKey(key);
    if (meant === null || !known.has(meant) || fields.has(meant)) continue;
    slips.push(
      makeDiagnostic("frontmatter/misspelt-key", {
        path: source.path,
        message: `${rules.program} does not know the key \`${printable(key)}\` and ignores it: did you mean \`${meant}\`?`,
        hint: `Write it as \`${meant}\``,
      }),
    );
  }
  return slips;
}

/** A clause about a key that looks like a slip of a missing one; "" when there is none. */
function insteadOf(missing: string, fields: YamlMap): string {
  const slip = [...fields.keys()].find((key) => misspeltKey(key) === missing);
  return slip === undefined ? "" : ` (there is \`${printable(slip)}\`, which looks like a slip of it)`;
}

interface CallFields {
  readonly aliases: readonly string[];
  readonly manual: boolean;
}

const noCallFields: CallFields = { aliases: Object.freeze([]), manual: false };

/** Both fields, or what the program's schema refuses about them. */
function readCallFields(fields: YamlMap): CallFields | { readonly problem: string; readonly hint: string } {
  const aliases = fields.get(aliasField);
  const manual = fields.get(manualField);
  if (manual !== undefined && typeof manual !== "boolean")
    return {
      problem: `\`${manualField}\` is ${kindOf(manual)}, not true or false`,
      hint: "Write true or false without quotes",
    };
  if (aliases === undefined) return { aliases: noCallFields.aliases, manual: manual ?? false };
  const texts = Array.isArray(aliases) ? aliases.filter((alias) => typeof alias === "string") : [];
  if (!Array.isArray(aliases) || texts.length < aliases.length)
    return {
      problem: `\`${aliasField}\` is ${Array.isArray(aliases) ? "a list that does not hold texts only" : kindOf(aliases)}, not a list of texts`,
      hint: `Write ${aliasField}: [one, two]`,
    };
  return { aliases: texts, manual: manual ?? false };
}

/** Kept beside the documents, by an object that every record of the skill shares: no other profile has such a fact. */
const secondTries = new WeakSet<object>();

/** True when only the forgiving second try could read a skill's frontmatter. */
export function neededSecondTry({ extra }: Pick<SkillDocument, "extra">): boolean {
  return secondTries.has(extra);
}

/** The program's own words when it meets a name twice. */
export const duplicateWarning = "duplicate skill name";

function notesOf(
  source: SkillSource,
  document: SkillDocument,
  facts: { readonly repaired: MatterProblem | null; readonly rules: ReaderRules },
): readonly Diagnostic[] {
  const notes: Diagnostic[] = [];
  const { repaired } = facts;
  if (repaired !== null)
    notes.push(
      makeDiagnostic("frontmatter/unquoted-colon", {
        path: source.path,
        message: `${sentence(repaired.message)} It was read again with colons taken as text.`,
        range: repaired.range ?? undefined,
      }),
    );
  if (facts.rules.objectNames && inheritedNames.has(document.name))
    notes.push(
      makeDiagnostic("precedence/duplicate-name", {
        path: source.path,
        profileCode: duplicateWarning,
        message: `${facts.rules.program} warns that the name "${printable(document.name)}" is taken: it finds an inherited member of that name. The skill is there all the same.`,
        hint: "Give the skill another name",
      }),
    );
  if (document.aliases.some((alias) => alias.trim() === ""))
    notes.push(
      makeDiagnostic("name/alias", {
        path: source.path,
        message: `An alias is empty, so ${facts.rules.program} finds the skill for nearly every request.`,
        hint: "Remove the empty alias",
      }),
    );
  return notes.length === 0 ? noDiagnostics : notes;
}

/** A block that nothing could read. The second generation gives a file at the top its whole text as body all the same. */
function unreadable(
  source: SkillSource,
  { problem, silent }: Extract<MatterRead, { ok: false }>,
  rules: ReaderRules,
): SkillRead {
  const code = problemCodes[problem.kind];
  const message = `${sentence(problem.message)} ${rules.program} ${silent ? "drops the file without a word" : "reports it and drops the file"}.`;
  const range = problem.range ?? undefined;
  if (silent && rules.fileNames && source.file !== null && source.file !== "") {
    const kept = `${sentence(problem.message)} ${rules.program} takes the whole file as text, under the file's name.`;
    return {
      document: { ...plainDocument(source.file, null), nameFrom: "file" },
      diagnostics: [makeDiagnostic(code, { path: source.path, message: kept, range, severity: "error" })],
      skip: null,
    };
  }
  return skipped(source, code, {
    message,
    range,
    severity: "error",
    profileCode: silent ? null : "failed to load skill",
  });
}

const problemCodes: Readonly<Record<MatterProblem["kind"], DiagnosticCode>> = {
  yaml: "frontmatter/invalid-yaml",
  json: "frontmatter/invalid-yaml",
  language: "frontmatter/unsupported-language",
  script: "frontmatter/unsupported-language",
  block: "frontmatter/too-large",
  unclosed: "frontmatter/unclosed",
  depth: "frontmatter/too-deep",
  keys: "frontmatter/too-many-keys",
  aliases: "frontmatter/alias",
};

function sentence(clause: string): string {
  const text = printable(clause);
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

function kindOf(value: YamlValue): string {
  if (value === null) return "empty";
  if (Array.isArray(value)) return "a list";
  if (value instanceof Map) return "a mapping";
  if (typeof value === "number") return "a number for YAML";
  if (typeof value === "boolean") return "true or false for YAML";
  if (typeof value === "string") return "a text";
  return typeof value === "object" && value.kind === "timestamp" ? "a date for YAML" : "binary data for YAML";
}

function skipped(
  source: SkillSource,
  code: DiagnosticCode,
  details: {
    readonly message: string;
    readonly hint?: string;
    readonly name?: string | null;
    readonly range?: Diagnostic["range"];
    readonly severity?: Diagnostic["severity"];
    readonly profileCode?: string | null;
  },
): Skip {
  const { name = null, ...rest } = details;
  const diagnostic = makeDiagnostic(code, { path: source.path, ...rest });
  return { document: null, diagnostics: [diagnostic], skip: { code, message: details.message, name } };
}
