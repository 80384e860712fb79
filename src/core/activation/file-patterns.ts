import { compilePattern, type PatternProgram, runPattern } from "./file-pattern-program.ts";

/** UTF-16 units of a path; a longer one matches nothing. */
const longestPath = 4_096;

/** Slashes forward, no `./` or `/` in front: paths are relative to the project. */
function normalPath(path: string): string {
  return path.replaceAll("\\", "/").replace(/^(?:\.?\/)+/, "");
}

/** Why a pattern of `paths` cannot be used, as a sentence without full stop, or null when it can. */
export function patternProblem(pattern: string): string | null {
  const compiled = compilePattern(pattern);
  return compiled.kind === "problem" ? compiled.message : null;
}

/**
 * A test for many paths against one list of patterns (case d-path-globs): a path matches when any pattern does.
 * `**` is any folders, `*` and `?` stay inside one name, `[a-z]` and `[!a-z]` are sets, `{a,b}` alternatives; `\` is a
 * slash. A pattern without a slash matches at any depth, one that ends in a slash everything below. Case-sensitive.
 * Patterns that cannot be read match nothing. Time is at most pattern length times path length.
 */
export function pathMatcher(patterns: readonly string[]): (path: string) => boolean {
  const programs: PatternProgram[] = [];
  for (const pattern of patterns) {
    const compiled = compilePattern(pattern);
    if (compiled.kind === "program") programs.push(compiled);
  }
  return (path) => {
    if (path.length > longestPath) return false;
    const normal = normalPath(path);
    return programs.some((program) => runPattern(program, normal));
  };
}

/** `pathMatcher` for a single path; `path` is relative to the project, with `/` or `\`. */
export function matchesPath(patterns: readonly string[], path: string): boolean {
  return pathMatcher(patterns)(path);
}
