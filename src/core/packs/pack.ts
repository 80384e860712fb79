/** Texts of one bundled skill in another language (feature M16). Empty where a language has none. */
export interface LocalizedTexts {
  readonly title: string | null;
  readonly description: string | null;
  readonly aliases: readonly string[];
}

/** One file of a bundled skill, as it was when the pack was made (feature M1). */
export interface PackFile {
  /** Below the skill's folder, with `/`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly executable: boolean;
  /** SHA-256, 64 lower-case hexadecimal digits. */
  readonly digest: string;
  /** Where its bytes begin in the pack's blob. */
  readonly offset: number;
}

export interface PackSkill {
  /** Name of its folder; the frontmatter may say another one (`compose:plan` in `plan`). */
  readonly name: string;
  /** Programs that must be on PATH, else the skill is left out (feature M4). */
  readonly bins: readonly string[];
  /** By language tag. */
  readonly locales: Readonly<Record<string, LocalizedTexts>>;
  /** Sorted by path in code-unit order; never empty. */
  readonly files: readonly PackFile[];
}

/** A set of skills that comes with the product (DESIGN word "pack"). */
export interface Pack {
  readonly name: string;
  /** SHA-256 over everything in it. */
  readonly digest: string;
  /** Bytes of all files, one after the other. */
  readonly blob: { readonly name: string; readonly size: number };
  /** Sorted by name in code-unit order. */
  readonly skills: readonly PackSkill[];
}

/** What the build writes beside the code: small, so that reading it costs next to nothing. */
export interface PackManifest {
  readonly format: 1;
  /** Of the product. */
  readonly version: string;
  readonly packs: readonly Pack[];
}

/** Names that systems and tools leave behind; never part of a pack and never anybody's edit (feature M1). */
export function isLeftOver(name: string): boolean {
  return name === ".DS_Store" || name === "Thumbs.db" || name === "__pycache__" || name.endsWith(".pyc");
}
