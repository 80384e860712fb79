import type { ArchiveLink } from "../archive/judge-entries.ts";
import type { SkillFile } from "../digest/skill-file.ts";

/** The content of one skill folder of a source, paths relative to it, not yet judged. */
export interface Candidate {
  /** Folder inside the source; `""` = its top. */
  readonly folder: string;
  /** Name of that folder, or of the source itself. */
  readonly folderName: string;
  readonly files: readonly SkillFile[];
  readonly links: readonly ArchiveLink[];
  /** Entries that are neither: submodules, devices, pipes. */
  readonly others?: readonly string[];
  /** Why not all of it was read, as the end of a sentence; it is refused then. */
  readonly excess?: string | null;
}
