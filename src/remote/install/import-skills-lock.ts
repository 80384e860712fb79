import { SkilletError } from "../../core/error.ts";
import { printable } from "../../core/text/printable.ts";
import { isSkillName } from "../lock/safe-names.ts";

/** True for the file names under which the `skills` command keeps its locks. */
export function isSkillsLock(path: string): boolean {
  return /(?:^|[/\\])(?:skills-lock\.json|\.skill-lock\.json)$/.test(path);
}

/**
 * The sources that a lock of the `skills` command names (`skills-lock.json` of a project, `.skill-lock.json` of a user),
 * as `add` takes them, in the lock's order. Its digests can't be compared, since it hashes files that it does not
 * install. Entries that are not understood are in `unknown`. Throws "config" for what is no such lock.
 */
export function sourcesOfSkillsLock(text: string): {
  readonly sources: readonly string[];
  readonly unknown: readonly string[];
} {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const skills = isRecord(value) ? value.skills : null;
  if (!isRecord(skills)) {
    throw new SkilletError("config", "This is no lock of the skills command: it has no `skills`.");
  }
  const sources: string[] = [];
  const unknown: string[] = [];
  for (const [name, entry] of Object.entries(skills)) {
    const source = isRecord(entry) && isSkillName(name) ? sourceOf(name, entry) : null;
    if (source === null) unknown.push(printable(name).slice(0, 100));
    else sources.push(source);
  }
  return { sources, unknown };
}

function sourceOf(name: string, entry: Readonly<Record<string, unknown>>): string | null {
  const word = (key: string): string | null => {
    const text = entry[key];
    return typeof text === "string" && text !== "" ? text : null;
  };
  const [source, type, ref, address] = [word("source"), word("sourceType"), word("ref"), word("sourceUrl")];
  if (source === null) return null;
  const branch = ref === null ? "" : `#${ref}`;
  if (type === "local") return source;
  if (type === "well-known" || type === "mintlify") {
    // That lock holds the host alone.
    const site = address ?? source;
    return `${/^https?:/.test(site) ? site : `https://${site}`}#${name}`;
  }
  if (/^[\w-]+\/[\w.-]+$/.test(source) && (type === "github" || type === null))
    return `${source}${branch}@${name}`;
  // Other repositories have no way to name one skill, so that all of it would come; the caller keeps the one.
  return `${address ?? source}${branch}`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
