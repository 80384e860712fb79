import { existsSync } from "node:fs";
import { SkilletError } from "../../core/error.ts";
import { contains, join } from "../../core/path.ts";
import { printable } from "../../core/text/printable.ts";
import { toNative } from "../../host/native-path.ts";
import type { Skills } from "../../host/skills.ts";
import { differences, diskSkill } from "../../remote/install/disk-skill.ts";
import { installScope } from "../../remote/install/install-scope.ts";
import { namedEdits } from "../../remote/install/kept-edits.ts";
import { loadLock } from "../../remote/install/load-lock.ts";

/** What a lock knows about a skill, for `show` and `why`. */
export interface InstalledFrom {
  readonly lockPath: string;
  /** As it was named to `add`. */
  readonly source: string;
  readonly url: string | null;
  readonly ref: string | null;
  readonly revision: string | null;
  /** "no": as it came; "kept": with edits that the lock knows; "yes": with others. */
  readonly edited: "no" | "kept" | "yes";
  /** `SKILL.md (changed), notes.md (added)`; empty without edits. */
  readonly edits: string;
}

/**
 * Where a skill was installed from, by the lock of the project or the user whose folder of skills it lies in, also when
 * an agent's link or copy of it is meant; null for a skill that was not installed. Reads that one skill anew.
 */
export function installedFrom(
  { environment }: Pick<Skills, "environment">,
  skill: { readonly name: string; readonly directory: string | null; readonly realPath: string },
): InstalledFrom | null {
  for (const name of ["workspace", "user"]) {
    const scope = installScope(name, environment);
    if (!existsSync(toNative(scope.lockPath))) continue;
    let skills: ReturnType<typeof loadLock>["data"]["skills"];
    try {
      skills = loadLock(scope).data.skills;
    } catch (error) {
      // `verify` and `doctor` say what is wrong with the lock.
      if (error instanceof SkilletError) continue;
      throw error;
    }
    for (const [installed, locked] of skills) {
      const places = [scope.store, ...locked.agents.flatMap((agent) => scope.agentFolder(agent) ?? [])];
      const place = places
        .map((folder) => join(folder, installed))
        .find((folder) => contains(folder, skill.realPath) || skill.directory === folder);
      if (place === undefined) continue;
      const disk = diskSkill(place);
      const found = disk.kind === "folder" ? differences(disk.files, locked) : [];
      const words = found.map(({ path, action }) => `${printable(path)} (${action})`);
      const more = words.length > 5 ? ` and ${words.length - 5} more` : "";
      const edits = words.length > 0 ? `${words.slice(0, 5).join(", ")}${more}` : namedEdits(locked);
      return {
        lockPath: scope.lockPath,
        source: locked.source,
        url: locked.url,
        ref: locked.ref,
        revision: locked.revision,
        edited: words.length > 0 ? "yes" : locked.edits.size > 0 ? "kept" : "no",
        edits,
      };
    }
  }
  return null;
}

/** `owner/repo 1a2b3c4d5e6f, branch main`. */
export function installedText({ source, ref, revision }: InstalledFrom): string {
  const short = revision === null ? "" : ` @ ${revision.replace(/^sha256:/, "").slice(0, 12)}`;
  return `${printable(source)}${short}${ref === null ? "" : `, ${printable(ref)}`}`;
}

/** `as it came`, `edited: notes.md (added), kept by the lock`. */
export function editedText({ edited, edits }: InstalledFrom): string {
  if (edited === "no") return "as it came";
  return edited === "kept" ? `with your edits, which the lock knows: ${edits}` : `edited by hand: ${edits}`;
}
