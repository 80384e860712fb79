import type { FileSystem } from "../file-system.ts";
import { contains, dirname, normalize, resolve } from "../path.ts";
import type { Profile } from "../profile.ts";
import type { Root } from "./root.ts";

/** What an edited path is compared to. */
export interface SkillPlaces {
  readonly profile: Pick<Profile, "reloadsAfterEdit">;
  readonly roots: readonly Root[];
  /** Of every skill that was read, winners and losers. */
  readonly skills: readonly { readonly directory: string | null; readonly realPath: string }[];
  readonly fileSystem: Pick<FileSystem, "realPath">;
  /** Relative paths start here. */
  readonly cwd: string;
}

/**
 * True when a file that a tool wrote, moved or removed can change what the skills are. A mirrored profile decides by its
 * own rule; else everything counts that lies in a searched folder or in a skill's folder, wherever a link led to it, and
 * everything that holds such a folder. Paths may be relative and may have backslashes (feature M9).
 */
export function touchesSkills(path: string, places: SkillPlaces): boolean {
  const { profile, cwd } = places;
  if (profile.reloadsAfterEdit !== undefined) return profile.reloadsAfterEdit(path);
  const spellings = path.includes("\\") ? [path, path.replaceAll("\\", "/")] : [path];
  return spellings.some((spelling) => {
    const edited = normalize(resolve(cwd, spelling));
    return [edited, realPathOf(edited, places.fileSystem)].some((one) => lies(one, places));
  });
}

function lies(path: string, { roots, skills }: SkillPlaces): boolean {
  const near = (folder: string): boolean => contains(folder, path) || contains(path, folder);
  return (
    roots.some((root) => near(root.path)) ||
    skills.some(
      ({ directory, realPath }) => near(dirname(realPath)) || (directory !== null && near(directory)),
    )
  );
}

/** The real path of `path`, or, when it is gone, of the nearest folder above that is there with the rest behind it. */
function realPathOf(path: string, fileSystem: Pick<FileSystem, "realPath">): string {
  let folder = path;
  let rest = "";
  for (;;) {
    const real = fileSystem.realPath(folder);
    if (real.kind === "path") return normalize(`${real.path}${rest}`);
    const above = dirname(folder);
    if (above === folder) return path;
    rest = `${folder.slice(above === "/" ? 0 : above.length)}${rest}`;
    folder = above;
  }
}
