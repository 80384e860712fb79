import { printable } from "../../core/text/printable.ts";
import { collisionKey } from "../archive/collision-key.ts";
import { pathProblem } from "../archive/path-problem.ts";
import type { FilesEntry, IndexedFile, IndexProblem } from "./index-types.ts";
import type { EntryResult } from "./parse-index.ts";

/** Names that programs which pull skills keep for themselves. */
const markers = /^\.(?:opencode-version|complete|extracted|lock)$/i;

/**
 * An entry that lists its files. A path that is unsafe, or the same as another one on some system, is left out alone (case r-index);
 * without SKILL.md there is no entry. File addresses are built from encoded names, so no name can change host or folder.
 */
export function filesEntry(
  item: Readonly<Record<string, unknown>>,
  base: Pick<FilesEntry, "name" | "version" | "signatures">,
  at: { readonly url: string; readonly files: number },
): EntryResult {
  const { name } = base;
  const lost = (message: string): EntryResult => ({
    entry: null,
    problems: [{ name, code: "remote/entry", message }],
  });
  const list = item.files;
  if (!Array.isArray(list)) return lost("it has no list of `files`");
  if (list.length > at.files) return lost(`it lists ${list.length} files; ${at.files} are allowed`);
  if (!list.every((path) => typeof path === "string"))
    return lost("its `files` hold something that is no text");
  const folder = new URL(`${encodeURIComponent(name)}/`, at.url);
  const problems: IndexProblem[] = [];
  const files: IndexedFile[] = [];
  const taken = new Set<string>();
  for (const path of list as readonly string[]) {
    const fault = fileProblem(path) ?? twin(path, taken);
    if (fault !== null) {
      const message = `the path "${printable(path.slice(0, 100))}" is left out: ${fault}`;
      problems.push({ name, code: "remote/unsafe-file", message });
      continue;
    }
    const key = collisionKey(path);
    taken.add(key);
    for (let cut = key.lastIndexOf("/"); cut > 0; cut = key.lastIndexOf("/", cut - 1))
      taken.add(`${key.slice(0, cut)}/`);
    const address = path.split("/").map(encodeURIComponent).join("/");
    files.push({ path, url: new URL(address, folder).href });
  }
  if (!files.some(({ path }) => path.toLowerCase() === "skill.md"))
    return {
      entry: null,
      problems: [...problems, { name, code: "remote/entry", message: "it lists no SKILL.md" }],
    };
  return { entry: { ...base, kind: "files", files }, problems };
}

function fileProblem(path: string): string | null {
  if (Buffer.byteLength(path) > 400) return "it is too long";
  if (path.includes("#")) return "it has a # in it";
  if (/%[0-9a-f]{2}/i.test(path)) return "it has a percent-encoded character in it";
  if (markers.test(path)) return "programs that pull skills keep this name for themselves";
  if (path.split("/").length > 17) return "it lies too deep";
  const problem = pathProblem(path);
  return problem === null ? null : `it leaves the skill's folder or is unsafe (${problem})`;
}

/** One file and one folder of a name, in any case and form of its letters. */
function twin(path: string, taken: ReadonlySet<string>): string | null {
  const key = collisionKey(path);
  if (taken.has(key) || taken.has(`${key}/`))
    return "another file or folder has the same name on some system";
  for (let cut = key.indexOf("/"); cut > 0; cut = key.indexOf("/", cut + 1))
    if (taken.has(key.slice(0, cut))) return "a file stands where it needs a folder";
  return null;
}
