import type { SkillFile } from "../digest/skill-file.ts";
import { ArchiveFault } from "./archive-fault.ts";

/** Archives in archives that are still plausible: a template in a package. */
const deepest = 3;

/**
 * Refuses archives packed into each other again and again, which only serve to tire out scanners (row D18). What lies
 * inside is looked at for its depth and stays closed: an archive in a skill is installed as the file it is.
 */
export function refuseDeepNesting(
  files: readonly SkillFile[],
  open: (bytes: Uint8Array) => readonly SkillFile[],
): void {
  let level = files;
  for (let depth = 1; level.length > 0; depth++) {
    const inner = level.filter(({ bytes }) => bytes[0] === 0x1f && bytes[1] === 0x8b);
    if (inner.length > 0 && depth > deepest) {
      throw new ArchiveFault(
        "archive/too-large",
        `Archives are packed into each other more than ${deepest} times.`,
      );
    }
    level = inner.flatMap(({ bytes }) => open(bytes));
  }
}
