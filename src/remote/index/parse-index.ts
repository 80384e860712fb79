import { printable } from "../../core/text/printable.ts";
import { artifactEntry } from "./artifact-entry.ts";
import { filesEntry } from "./files-entry.ts";
import type { IndexEntry, IndexProblem, SkillIndex } from "./index-types.ts";
import { readJson } from "./read-json.ts";

/** Identifier of version 0.2 of the published discovery form; never fetched. */
export const indexSchema = "https://schemas.agentskills.io/discovery/0.2.0/schema.json";

export interface ParseIndexOptions {
  /** Where the index was found in the end; addresses in it count from there. */
  readonly url: string;
  readonly limits: { readonly skills: number; readonly files: number };
}

/** What an entry became: an entry, a problem that loses it, or an entry with files left out. */
export interface EntryResult {
  readonly entry: IndexEntry | null;
  readonly problems: readonly IndexProblem[];
}

/**
 * Reads an index of any known form: `{skills: [{name, files, version?}]}` and the published forms 0.1 and 0.2. Each entry
 * stands for itself: one that cannot be used is a problem, and the others go on (rows E01–E12). Never throws; linear.
 */
export function parseIndex(
  bytes: Uint8Array,
  options: ParseIndexOptions,
): { readonly index: SkillIndex } | { readonly problem: string } {
  const json = readJson(bytes);
  if ("problem" in json) return json;
  const { value } = json;
  if (!isFields(value)) return { problem: "it holds no object" };
  const schema = value.$schema;
  const form = schema === undefined ? "0.1" : schema === indexSchema ? "0.2" : null;
  if (form === null)
    return {
      problem: `its version is unknown (${typeof schema === "string" ? printable(schema.slice(0, 100)) : "no text"})`,
    };
  const list = value.skills;
  if (!Array.isArray(list))
    return { problem: list === undefined ? "it has no `skills`" : "`skills` is no list" };
  if (list.length > options.limits.skills)
    return { problem: `it lists ${list.length} skills; ${options.limits.skills} are allowed` };
  const entries: IndexEntry[] = [];
  const problems: IndexProblem[] = [];
  const names = new Set<string>();
  for (const [place, item] of list.entries()) {
    const read = readEntry(item, { place, form, ...options });
    problems.push(...read.problems);
    if (read.entry === null) continue;
    const { name } = read.entry;
    if (names.has(name))
      problems.push({
        name,
        code: "remote/entry",
        message: "an earlier entry has the same name; this one is left out",
      });
    else {
      names.add(name);
      entries.push(read.entry);
    }
  }
  return { index: { form, version: versionOf(value.version), entries, problems } };
}

interface EntryOptions extends ParseIndexOptions {
  readonly place: number;
  readonly form: "0.1" | "0.2";
}

function readEntry(item: unknown, { place, form, url, limits }: EntryOptions): EntryResult {
  if (!isFields(item)) return lost(`entry ${place + 1}`, "it is no object");
  const { name } = item;
  const shown = typeof name === "string" ? name.slice(0, 100) : `entry ${place + 1}`;
  if (typeof name !== "string") return lost(shown, "it has no name that is a text");
  const fault = nameProblem(name);
  if (fault !== null) return lost(shown, `the name is not allowed: ${fault}`);
  const base = { name, version: versionOf(item.version), signatures: signaturesOf(item.signatures) };
  return form === "0.2"
    ? artifactEntry(item, base, url)
    : filesEntry(item, base, { url, files: limits.files });
}

/** Names from elsewhere keep to the standard: what is odd may be made to deceive. */
export function nameProblem(name: string): string | null {
  if (name === "") return "it is empty";
  if (name.length > 64) return "it is longer than 64 characters";
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
    return "only a to z, 0 to 9 and single hyphens inside are allowed";
  return /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])$/.test(name) ? "it is a device of Windows" : null;
}

/** An entry that is lost. */
export function lost(name: string, message: string): EntryResult {
  return { entry: null, problems: [{ name, code: "remote/entry", message }] };
}

function versionOf(value: unknown): string | null {
  if (typeof value === "string" && value.length <= 100) return value;
  return typeof value === "number" && Number.isFinite(value) ? String(value) : null;
}

function signaturesOf(value: unknown): IndexEntry["signatures"] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, 16)
    .flatMap((one: unknown) =>
      isFields(one) && typeof one.key === "string" && typeof one.signature === "string"
        ? [{ key: one.key.slice(0, 200), signature: one.signature.slice(0, 200) }]
        : [],
    );
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
