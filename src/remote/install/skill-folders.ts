import { anySkillFile } from "./with-skill-file.ts";

const never = new Set(["node_modules", ".git", "__MACOSX"]);

/**
 * The folders that hold a skill, from the paths of a source's files: each folder with a SKILL.md (in any case) that lies in no
 * other such folder (a SKILL.md further down is an example or a part; case r-archive-shapes). `""` is the source's top.
 * Shallow ones first, then in code-unit order. `inner` gives the others, which can be asked for by name. Linear.
 */
export function skillFolders(paths: Iterable<string>): {
  readonly outer: readonly string[];
  readonly inner: readonly string[];
} {
  const folders = Array.from(paths)
    .filter((path) => anySkillFile.test(path))
    .map((path) => path.slice(0, -"/SKILL.md".length));
  const all = [...new Set(folders)]
    .filter((folder) => !folder.split("/").some((segment) => never.has(segment)))
    .sort(byDepth);
  const known = new Set(all);
  const isInner = (folder: string): boolean => {
    if (folder === "") return false;
    if (known.has("")) return true;
    for (let cut = folder.lastIndexOf("/"); cut > 0; cut = folder.lastIndexOf("/", cut - 1)) {
      if (known.has(folder.slice(0, cut))) return true;
    }
    return false;
  };
  return { outer: all.filter((folder) => !isInner(folder)), inner: all.filter(isInner) };
}

function byDepth(a: string, b: string): number {
  const depth = (path: string) => (path === "" ? 0 : path.split("/").length);
  return depth(a) - depth(b) || (a < b ? -1 : a > b ? 1 : 0);
}

/** What of `paths` lies in `folder`, relative to it. */
export function inside(folder: string, path: string): string | null {
  if (folder === "") return path;
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}
