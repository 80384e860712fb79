import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { printable } from "../../core/text/printable.ts";
import { comparePaths } from "../digest/compare-paths.ts";
import type { SkillFile } from "../digest/skill-file.ts";
import type { Candidate } from "./candidate.ts";

export interface ResolvedLinks {
  readonly files: readonly SkillFile[];
  /** Links that came as their file: path and target as written. */
  readonly links: ReadonlyMap<string, string>;
  /** Links to elsewhere, and what is no file at all: paths. */
  readonly leftOut: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Links followed one after the other before it counts as a circle. */
const longest = 8;

/**
 * A link to a file of the same skill becomes that file; every other link, and what is no file at all, is left out and
 * named. Nothing outside the candidate is looked at. Files come ordered by path.
 */
export function resolveLinks(candidate: Candidate, place: string): ResolvedLinks {
  const files = new Map(candidate.files.map((file) => [file.path, file]));
  const targets = new Map(candidate.links.map(({ path, target }) => [path, target]));
  const links = new Map<string, string>();
  const diagnostics: Diagnostic[] = [];
  const leftOut: string[] = [...(candidate.others ?? [])];
  const added: SkillFile[] = [];
  for (const { path, target } of candidate.links) {
    let at: string | null = path;
    for (let step = 0; at !== null && targets.has(at) && step < longest; step++) {
      at = joined(at, targets.get(at) as string);
    }
    const file = at === null ? undefined : files.get(at);
    if (file === undefined) {
      leftOut.push(path);
      continue;
    }
    added.push({ ...file, path });
    links.set(path, target);
    const message = `${printable(path)} came as the file that it leads to, ${printable(target)}.`;
    diagnostics.push(makeDiagnostic("install/link-resolved", { path: place, message }));
  }
  if (leftOut.length > 0) {
    const shown = leftOut.slice(0, 5).map(printable).join(", ");
    const message = `Left out: ${shown}${leftOut.length > 5 ? ` and ${leftOut.length - 5} more` : ""}.`;
    diagnostics.push(makeDiagnostic("install/link-left-out", { path: place, message }));
  }
  const all = [...candidate.files, ...added].sort((a, b) => comparePaths(a.path, b.path));
  return { files: all, links, leftOut, diagnostics };
}

/** Where a relative link at `path` leads inside the skill; null when it is absolute or climbs out. */
function joined(path: string, target: string): string | null {
  if (target === "" || target.startsWith("/") || /^[A-Za-z]:|\\|\0/.test(target)) return null;
  const segments = path.split("/").slice(0, -1);
  for (const segment of target.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.join("/");
}
