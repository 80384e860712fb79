import type { ReadLimits } from "../../skill/document.ts";

/** Far above anything real: the program has no bounds of its own, so these must never show. */
export const openCodeReadLimits: ReadLimits = {
  frontmatterBytes: 1_048_576,
  depth: 100,
  keys: 20_000,
  aliases: 2_000,
};

/** Bytes of one SKILL.md. */
export const openCodeFileLimit = 16 * 1_048_576;
