/** One line of an ignore file. */
interface IgnoreRule {
  readonly negated: boolean;
  /** Applies to folders only. */
  readonly folder: boolean;
  /** Counts from the file's own folder; otherwise the last segment alone is compared, at any depth. */
  readonly anchored: boolean;
  /** Segments; `**` stands for any number of them. */
  readonly segments: readonly string[];
}

/** The rules of one ignore file, in order. */
export type IgnoreRules = readonly IgnoreRule[];

/** What a set of rules says of a path; null = nothing. */
export type IgnoreVerdict = "ignored" | "kept" | null;

/** Parses a `.gitignore`, `.ignore` or `info/exclude`. Every text is valid; lines that cannot match are dropped. */
export function parseIgnoreRules(text: string): IgnoreRules {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r?\n/)
    .flatMap((line) => {
      let pattern = withoutTrailingBlanks(line);
      if (pattern === "" || pattern.startsWith("#")) return [];
      const negated = pattern.startsWith("!");
      if (negated) pattern = pattern.slice(1);
      const folder = pattern.endsWith("/");
      if (folder) pattern = pattern.slice(0, -1);
      const anchored = pattern.includes("/");
      if (pattern.startsWith("/")) pattern = pattern.slice(1);
      const segments = pattern.split("/");
      return segments.some((segment) => segment === "") ? [] : [{ negated, folder, anchored, segments }];
    });
}

/** Blanks at the end do not count unless a backslash stands before them. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " " && line[end - 2] !== "\\") end--;
  return line.slice(0, end);
}

/** `path` is relative to the rules' folder. The last rule that fits decides; parents are the caller's business. */
export function ignoreVerdict(rules: IgnoreRules, path: string, isFolder: boolean): IgnoreVerdict {
  const segments = path.split("/");
  const last = segments.slice(-1);
  for (let index = rules.length - 1; index >= 0; index--) {
    const rule = rules[index];
    if (rule === undefined || (rule.folder && !isFolder)) continue;
    if (matchSegments(rule.segments, rule.anchored ? segments : last))
      return rule.negated ? "kept" : "ignored";
  }
  return null;
}

/**
 * Whole match of a path by segments. Only the last `**` met is ever retried (an earlier one could not reach further),
 * so the cost is bounded by pattern times path.
 */
function matchSegments(pattern: readonly string[], path: readonly string[]): boolean {
  let p = 0;
  let s = 0;
  let star = -1;
  let resume = 0;
  while (s < path.length) {
    const wanted = pattern[p];
    if (wanted === "**") {
      star = p++;
      resume = s;
      // A trailing `**` is everything inside a folder, not the folder itself.
      if (p === pattern.length) return true;
    } else if (wanted !== undefined && matchGlob(wanted, path[s] ?? "")) {
      p++;
      s++;
    } else if (star >= 0) {
      p = star + 1;
      s = ++resume;
    } else return false;
  }
  return p === pattern.length;
}

/** One segment: `*`, `?`, `[a-z]`, `[!a]`, backslash escapes; `**` beside other characters is `*`. */
function matchGlob(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let resume = 0;
  while (t < text.length) {
    const step = p < pattern.length ? matchOne(pattern, p, text[t] ?? "") : null;
    if (pattern[p] === "*") {
      star = p++;
      resume = t;
    } else if (step !== null) {
      p = step;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++resume;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p === pattern.length;
}

/** Matches the pattern element at `at` against one unit; gives where the next element starts, or null. */
function matchOne(pattern: string, at: number, unit: string): number | null {
  const element = pattern[at];
  if (element === "?") return at + 1;
  if (element === "[") {
    const found = matchClass(pattern, at, unit);
    if (found !== undefined) return found;
  }
  if (element === "\\" && at + 1 < pattern.length) return pattern[at + 1] === unit ? at + 2 : null;
  return element === unit ? at + 1 : null;
}

/** A bracket class; undefined when it never closes and so is literal. */
function matchClass(pattern: string, at: number, unit: string): number | null | undefined {
  let index = at + 1;
  const negated = pattern[index] === "!" || pattern[index] === "^";
  if (negated) index++;
  let matched = false;
  for (let first = true; index < pattern.length; first = false) {
    if (pattern[index] === "]" && !first) return matched === negated ? null : index + 1;
    if (pattern[index] === "\\") index++;
    const from = pattern[index] ?? "";
    let to = from;
    if (pattern[index + 1] === "-" && (pattern[index + 2] ?? "]") !== "]") {
      index += 2;
      if (pattern[index] === "\\") index++;
      to = pattern[index] ?? from;
    }
    if (from <= unit && unit <= to) matched = true;
    index++;
  }
  return undefined;
}
