/** One file of a skill that came from elsewhere, wholly in memory. */
export interface SkillFile {
  /** Relative to the skill's folder, with slashes: `references/a.md`. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly executable: boolean;
}
