import { parseDocument } from "yaml";
import type { ReadLimits } from "../../skill/document.ts";
import { guardYaml } from "../../skill/yaml-guard.ts";
import { splitFrontmatter } from "./split-frontmatter.ts";

/** Which of the stricter rules hold for a skill of a plugin. */
export interface PluginSkillRules {
  /** Name of the folder that holds the file. */
  readonly folder: string;
  /** The published standard's fields are checked, and the name has to be declared. */
  readonly agentSkills: boolean;
  /** The name has to be this one. */
  readonly expectedName?: string;
  /** How messages call the file; default `skills/FOLDER/SKILL.md`. */
  readonly file?: string;
}

export type PluginSkillRead =
  | { readonly ok: true; readonly name: string; readonly description: string }
  | { readonly ok: false; readonly code: PluginSkillCode; readonly message: string };

export type PluginSkillCode = "SKILL_SCHEMA_INVALID" | "PLUGIN_TEXT_BOM_NOT_ALLOWED";

/** Uses of aliases in one block, as the library counts them. */
const aliasUses = 20;

/** Bounds of ours; a real file never meets them. */
const limits: ReadLimits = {
  frontmatterBytes: Number.POSITIVE_INFINITY,
  depth: 100,
  keys: 10_000,
  aliases: Number.POSITIVE_INFINITY,
};

class SchemaProblem extends Error {}

/**
 * Reads a SKILL.md inside a plugin by MiniMax Code's strict rules (features X15, X16; spec minimax 2.3, golden
 * `minimax.plugin-skill`): YAML by the package `yaml` with unique keys, at the very start of the file; a description is
 * required, and the first rule that is broken is the answer. Never throws.
 */
export function readPluginSkill(text: string, rules: PluginSkillRules): PluginSkillRead {
  const file = rules.file ?? `skills/${rules.folder}/SKILL.md`;
  const plain = text.startsWith("\ufeff") ? text.slice(1) : text;
  if (plain.startsWith("\ufeff"))
    return {
      ok: false,
      code: "PLUGIN_TEXT_BOM_NOT_ALLOWED",
      message: `${file} starts with a byte order mark`,
    };
  try {
    const fields = readFields(plain, file);
    if (rules.agentSkills) checkStandardFields(fields, file);
    const name = filled(fields.name) ?? (rules.agentSkills ? null : rules.folder);
    if (name === null) throw new SchemaProblem(`${file} has no Skill name`);
    const description = filled(fields.description);
    if (description === null) throw new SchemaProblem(`${file} has no Skill description`);
    if (rules.expectedName !== undefined && rules.expectedName !== name)
      throw new SchemaProblem(`${file} frontmatter name does not match its directory`);
    return { ok: true, name, description };
  } catch (problem) {
    if (!(problem instanceof SchemaProblem)) throw problem;
    return { ok: false, code: "SKILL_SCHEMA_INVALID", message: problem.message };
  }
}

type Fields = Readonly<Record<string, unknown>>;

function readFields(text: string, file: string): Fields {
  const split = splitFrontmatter(text);
  if (split.kind === "none") throw new SchemaProblem(`${file} must start with YAML frontmatter`);
  if (split.kind === "unclosed") throw new SchemaProblem(`${file} has unclosed YAML frontmatter`);
  const value = parse(split.block);
  if (value === undefined) throw new SchemaProblem(`${file} has invalid YAML frontmatter`);
  if (!isMapping(value)) throw new SchemaProblem(`${file} frontmatter must be a mapping`);
  return value;
}

/** Undefined: not valid. */
function parse(block: string): unknown {
  if (guardYaml(block, limits).kind === "refused") return undefined;
  try {
    const document = parseDocument(block, { uniqueKeys: true, logLevel: "silent" });
    return document.errors.length > 0 ? undefined : (document.toJS({ maxAliasCount: aliasUses }) ?? null);
  } catch {
    // What the library throws while it builds values, such as too many aliases, is a fault of the text.
    return undefined;
  }
}

function checkStandardFields(fields: Fields, file: string): void {
  for (const key of ["license", "allowed-tools"]) {
    if (fields[key] !== undefined && typeof fields[key] !== "string")
      throw new SchemaProblem(`${file} ${key} must be a string`);
  }
  const { compatibility, metadata } = fields;
  if (
    compatibility !== undefined &&
    (typeof compatibility !== "string" || compatibility.length < 1 || compatibility.length > 500)
  )
    throw new SchemaProblem(`${file} compatibility must be a string of 1 to 500 characters`);
  if (
    metadata !== undefined &&
    (!isMapping(metadata) || Object.values(metadata).some((value) => typeof value !== "string"))
  )
    throw new SchemaProblem(`${file} metadata must map strings to strings`);
}

function isMapping(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function filled(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}
