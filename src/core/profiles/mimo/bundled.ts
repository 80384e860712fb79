/**
 * Facts about the packs that come with MiMo Code v0.1.14 (seed 000). The skills themselves are read from where the
 * program put them.
 */

/** Dropped by `MIMOCODE_DISABLE_OFFICIAL_SKILLS`, and once more by path after the scan (feature M4). */
export const officialSkills: ReadonlySet<string> = new Set([
  "docx-official",
  "pdf-official",
  "pptx-official",
  "xlsx-official",
  "html-to-video-pipeline",
]);

/** Skills of Skillet's own pack by the names that MiMo Code gates; a switch for those is one for these (`--pack`). */
export const ownCounterparts: ReadonlyMap<string, string> = new Map([
  ["docx-official", "docx"],
  ["pdf-official", "pdf"],
  ["pptx-official", "pptx"],
  ["xlsx-official", "xlsx"],
]);

const ownOfficial = new Set(ownCounterparts.values());

/** Official by its own name or as the counterpart of an official one. */
export const isOfficial = (name: string): boolean => officialSkills.has(name) || ownOfficial.has(name);

/** Skills that are there only where a program is on PATH. */
export const neededPrograms: ReadonlyMap<string, string> = new Map([
  ["claude-code", "claude"],
  ["codex", "codex"],
]);

/** Workflows of the program: a `skill` call for such a name is told to use the `workflow` tool (feature M17). */
export const builtInWorkflows: ReadonlySet<string> = new Set([
  "compose",
  "deep-research",
  "fact-check",
  "research-experiment",
]);

/** `source` of the two packs' roots. */
export const builtinPack = "builtin-pack";
export const composePack = "compose-pack";
