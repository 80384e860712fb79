import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { DiagnosticCode } from "../../diagnostics/table.ts";
import type { SkillDocument, SkillReader, SkillSource } from "../../skill/document.ts";
import { extraFields } from "../../skill/matter/frontmatter-data.ts";
import { loadYaml } from "../../skill/matter/yaml.ts";
import { jsYaml4, type YamlLimits, type YamlMap, type YamlValue } from "../../skill/matter/yaml-value.ts";
import { plainDocument } from "../../skill/plain-document.ts";
import { printable } from "../../text/printable.ts";
import { readAsUtf8 } from "../read-as-utf8.ts";
import { firstHeading, firstParagraph } from "./body-text.ts";
import { splitFrontmatter } from "./split-frontmatter.ts";

/** What a standalone SKILL.md is read with besides its text. */
export interface MinimaxReading {
  /** For diagnostics. */
  readonly path: string;
  /** Name of the folder that really holds the file. */
  readonly folder: string;
  /** Takes the place of `{{DATA_DIR}}`; null leaves it alone. */
  readonly dataFolder: string | null;
  readonly limits: YamlLimits;
}

/** A standalone SKILL.md as MiniMax Code takes it: it always loads. */
export interface MinimaxRead {
  readonly document: SkillDocument;
  /** In MiniMax Code's order; its own codes are in `profileCode`. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Bounds of ours on the YAML; a real file never meets them. */
export const minimaxYamlLimits: YamlLimits = { depth: 100, keys: 10_000, aliases: 1_000 };

const ownFields = new Set(["name", "title", "description", "displayNames", "descriptions"]);

/**
 * Reads a standalone SKILL.md by MiniMax Code's lenient rules, with every default and diagnostic (features X4, X5; spec
 * minimax 2.1, golden `minimax.frontmatter`): YAML by the rules of js-yaml 4, name from the folder, title from the first
 * level-1 heading, description from the first paragraph. Never throws.
 */
export function readMinimaxSkill(text: string, reading: MinimaxReading): MinimaxRead {
  const diagnostics: Diagnostic[] = [];
  const note = (code: DiagnosticCode, profileCode: string | null, message: string, line?: number): void => {
    const range = line === undefined ? undefined : { line, column: 1 };
    // MiniMax Code's own findings weigh as much as they do there.
    const severity =
      profileCode === null ? "info" : profileCode === "frontmatter_unclosed" ? "error" : "warning";
    diagnostics.push(makeDiagnostic(code, { path: reading.path, message, profileCode, range, severity }));
  };
  const split = splitFrontmatter(text);
  const body = split.kind === "unclosed" ? "" : split.body;
  if (split.kind === "none")
    note(
      "frontmatter/absent",
      null,
      "No frontmatter: name, title and description come from folder and text.",
    );
  if (split.kind === "unclosed")
    note(
      "frontmatter/unclosed",
      "frontmatter_unclosed",
      "The frontmatter is never closed; MiniMax Code reads neither fields nor text of it.",
      1,
    );
  const fields = split.kind === "block" ? readFields(split.block, { ...reading, note }) : new Map();

  const declaredName = filled(fields.get("name"));
  const name = declaredName ?? reading.folder;
  const declaredTitle = filled(fields.get("title"));
  const title = declaredTitle ?? firstHeading(body);
  if (title === null)
    note("title/missing", "missing_title", "Neither `title` nor a level-1 heading; the name is the title.");
  const declared = filled(fields.get("description"));
  const description = declared ?? firstParagraph(body);
  if (description === "")
    note("description/missing", "missing_description", "Neither `description` nor a first paragraph.");

  return {
    document: {
      ...plainDocument(name, withDataFolder(description, reading.dataFolder)),
      nameFrom: declaredName === null ? "folder" : "frontmatter",
      descriptionFrom: declared === null ? "body" : "frontmatter",
      title: title ?? name,
      displayNames: texts(fields.get("displayNames")),
      descriptions: texts(fields.get("descriptions")),
      extra: plainValues(fields, declaredTitle),
    },
    diagnostics,
  };
}

/** Every `{{DATA_DIR}}` replaced, with `/` in the folder's path on every system (feature X5). */
export function withDataFolder(text: string, dataFolder: string | null): string {
  return dataFolder === null ? text : text.replaceAll("{{DATA_DIR}}", () => dataFolder.replaceAll("\\", "/"));
}

/** The reader of one run: a load gives the whole file, frontmatter included. */
export function createMinimaxReader(dataFolder: string | null): SkillReader {
  const textOf = ({ bytes }: SkillSource, codec: Parameters<SkillReader["read"]>[1]["codec"]): string =>
    codec.decode(bytes, 0, bytes.length);
  const reader: SkillReader = {
    read(source, { codec, limits }) {
      const reading = { path: source.path, folder: source.folder, dataFolder, limits };
      const { document, diagnostics } = readMinimaxSkill(textOf(source, codec), reading);
      return { document, diagnostics, skip: null };
    },
    body: (source, { codec }) => withDataFolder(textOf(source, codec), dataFolder),
  };
  return readAsUtf8(reader, "MiniMax Code");
}

function readFields(
  block: string,
  reading: MinimaxReading & {
    readonly note: (code: DiagnosticCode, profileCode: string | null, message: string, line?: number) => void;
  },
): YamlMap {
  const trimmed = block.trim();
  const loaded = loadYaml(trimmed, reading.limits, jsYaml4);
  if (!loaded.ok) {
    const skipped = block.slice(0, block.length - block.trimStart().length).split("\n").length;
    const line = trimmed.slice(0, loaded.offset).split("\n").length + skipped;
    const message = `Not valid YAML (${printable(loaded.message)}); every field is ignored.`;
    reading.note("frontmatter/invalid-yaml", "frontmatter_invalid_yaml", message, line);
    return new Map();
  }
  if (loaded.value instanceof Map) return loaded.value;
  if (loaded.value !== undefined && loaded.value !== null)
    reading.note(
      "frontmatter/not-a-mapping",
      "frontmatter_not_mapping",
      "The frontmatter holds a list or a single value instead of fields, so it is ignored.",
      2,
    );
  return new Map();
}

/** A text with more than blanks in it, trimmed; else null. */
function filled(value: YamlValue | undefined): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

/** Texts with more than blanks in them, by language, not trimmed. */
function texts(value: YamlValue | undefined): Readonly<Record<string, string>> {
  if (!(value instanceof Map)) return {};
  const kept: Record<string, string> = Object.create(null);
  for (const [key, text] of value) if (typeof text === "string" && text.trim() !== "") kept[key] = text;
  return kept;
}

/** The other fields; MiniMax Code keeps texts, truth values and finite numbers only. */
function plainValues(fields: YamlMap, title: string | null): SkillDocument["extra"] {
  const plain = new Map(
    [...fields].filter(
      ([, value]) =>
        typeof value === "string" ||
        typeof value === "boolean" ||
        (typeof value === "number" && Number.isFinite(value)),
    ),
  );
  const extra = extraFields(plain, ownFields);
  return title === null ? extra : { ...extra, title };
}
