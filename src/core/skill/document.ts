import type { Diagnostic } from "../diagnostic.ts";
import type { TextCodec } from "../file-system.ts";

/** Values of unknown frontmatter keys, as data. */
export type FrontmatterValue =
  | string
  | number
  | boolean
  | null
  | readonly FrontmatterValue[]
  | { readonly [key: string]: FrontmatterValue };

/** What one SKILL.md says, after repair and normalisation (features O1, O6, M7, X4, X5). */
export interface SkillDocument {
  readonly name: string;
  /** Where `name` came from. */
  readonly nameFrom: "frontmatter" | "folder" | "file";
  /** Null when there is none. Inner line breaks are kept. */
  readonly description: string | null;
  readonly descriptionFrom: "frontmatter" | "body" | null;
  readonly title: string | null;
  readonly license: string | null;
  readonly compatibility: string | null;
  readonly whenToUse: string | null;
  readonly argumentHint: string | null;
  /** Names for positional arguments, in order. */
  readonly argumentNames: readonly string[];
  readonly allowedTools: readonly string[];
  readonly aliases: readonly string[];
  /** File patterns; null = not tied to files. */
  readonly paths: readonly string[] | null;
  /** Facts that must hold before the skill is offered, e.g. `{bins: ["git"]}`; kept as data, decided by gates. */
  readonly requires: SkillRequirements | null;
  readonly disableModelInvocation: boolean;
  /** False hides the skill from `/`. */
  readonly userInvocable: boolean;
  /** By language tag. */
  readonly displayNames: Readonly<Record<string, string>>;
  readonly descriptions: Readonly<Record<string, string>>;
  /** String values only, in file order. */
  readonly metadata: Readonly<Record<string, FrontmatterValue>>;
  /** Keys that the profile has no meaning for, kept as data. */
  readonly extra: Readonly<Record<string, FrontmatterValue>>;
}

export interface SkillRequirements {
  readonly bins: readonly string[];
  readonly anyBins: readonly string[];
  readonly env: readonly string[];
  readonly os: readonly string[];
  readonly tools: readonly string[];
  readonly features: readonly string[];
  readonly mcpServers: readonly string[];
}

/** One SKILL.md as bytes. `bytes` may be overwritten after the call. */
export interface SkillSource {
  /** Location as found, for diagnostics. */
  readonly path: string;
  /** Name of the folder that holds it. */
  readonly folder: string;
  /** For a flat `NAME.md` at a root's top: NAME; else null. */
  readonly file: string | null;
  readonly bytes: Uint8Array;
}

export interface ReadLimits {
  /** Bytes of the frontmatter block. */
  readonly frontmatterBytes: number;
  readonly depth: number;
  readonly keys: number;
  /** How many alias expansions are allowed; 0 = none. */
  readonly aliases: number;
}

export interface ReadContext {
  readonly codec: TextCodec;
  readonly limits: ReadLimits;
}

export type SkillRead =
  | { readonly document: SkillDocument; readonly diagnostics: readonly Diagnostic[]; readonly skip: null }
  | {
      readonly document: null;
      readonly diagnostics: readonly Diagnostic[];
      /** Why there is no document: a stable code and a sentence; `name` when the file declared one all the same. */
      readonly skip: { readonly code: string; readonly message: string; readonly name: string | null };
    };

/** How one profile reads SKILL.md. Pure; never throws. */
export interface SkillReader {
  read(source: SkillSource, context: ReadContext): SkillRead;
  /** The Markdown after the frontmatter, exactly as a load would use it (before trimming by a renderer). */
  body(source: SkillSource, context: ReadContext): string;
}
