import { printable } from "../text/printable.ts";

/** One file of a skill that a server lists. */
export interface ListedFile {
  readonly uri: string;
  readonly digest: string;
  /** Bytes. */
  readonly size: number;
}

/** One skill as a server lists it, checked (SEP-2640, "Skill Entries"). */
export interface ListedSkill {
  /** Of its SKILL.md. */
  readonly uri: string;
  readonly frontmatter: Readonly<Record<string, unknown>> & {
    readonly name: string;
    readonly description: string;
  };
  readonly resources: readonly ListedFile[];
}

/** What one server lists, within bounds. */
export interface Listing {
  readonly skills: readonly ListedSkill[];
  /** What was left out, one sentence each. */
  readonly problems: readonly string[];
}

/** Bounds of one server; the first two of one skill are those of the extension. */
export const listingLimits = {
  files: 512,
  bytes: 16 * 1024 * 1024,
  skills: 500,
  pages: 50,
  /** UTF-16 units of one entry as JSON. */
  entryUnits: 256 * 1024,
  /** The same of all together. */
  units: 4 * 1024 * 1024,
};

/** The entries of a listing that hold every rule; each other one is a problem. Linear, never throws. */
export function checkListing(entries: readonly unknown[]): Listing {
  const skills: ListedSkill[] = [];
  const problems: string[] = [];
  const uris = new Set<string>();
  let units = 0;
  let [left, invalid] = [0, 0];
  for (const entry of entries) {
    if (skills.length >= listingLimits.skills || units > listingLimits.units) {
      left += 1;
      continue;
    }
    const checked = checkEntry(entry);
    if (typeof checked === "string" || uris.has(checked.skill.uri)) {
      invalid += 1;
      const why = typeof checked === "string" ? checked : "its address is listed twice.";
      if (invalid <= 5) problems.push(`${nameOf(entry)} is left out: ${why}`);
      continue;
    }
    units += checked.units;
    uris.add(checked.skill.uri);
    skills.push(checked.skill);
  }
  if (invalid > 5) problems.push(`${invalid - 5} more entries are left out.`);
  if (left > 0)
    problems.push(`${left} skills are left out: at most ${listingLimits.skills} of one server are used.`);
  return { skills, problems };
}

/** One entry, or why it cannot be used. */
export function checkEntry(entry: unknown): { readonly skill: ListedSkill; readonly units: number } | string {
  if (!isRecord(entry)) return "it is no object.";
  const { uri, frontmatter, resources } = entry;
  if (typeof uri !== "string" || uri.length > 2_048 || !/^[a-z][a-z0-9+.-]*:\/\/.+\/SKILL\.md$/.test(uri))
    return "its address does not end in /SKILL.md.";
  if (!isRecord(frontmatter)) return "it has no frontmatter.";
  const { name, description } = frontmatter;
  if (typeof name !== "string" || name.length > 64 || !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name))
    return "its name does not hold the published rules.";
  if (typeof description !== "string" || description.trim() === "" || description.length > 1_024)
    return "its description is missing or too long.";
  if (resources === "dynamic") return "its content has no digests, so it cannot be approved.";
  if (!Array.isArray(resources)) return "it lists no files.";
  if (resources.length > listingLimits.files) return `it has more than ${listingLimits.files} files.`;
  const root = uri.slice(0, -"SKILL.md".length);
  const folder = root.slice(0, -1).slice(root.slice(0, -1).lastIndexOf("/") + 1);
  if (folder !== name) return "its address does not end in its name.";
  const files = filesOf(resources, root);
  if (typeof files === "string") return files;
  if (!files.some((file) => file.uri === uri)) return "its list lacks SKILL.md.";
  const units = JSON.stringify(entry).length;
  if (units > listingLimits.entryUnits) return "its entry is too large.";
  return { skill: { uri, frontmatter: { ...frontmatter, name, description }, resources: files }, units };
}

function filesOf(resources: readonly unknown[], root: string): readonly ListedFile[] | string {
  const files: ListedFile[] = [];
  const seen = new Set<string>();
  let bytes = 0;
  for (const resource of resources) {
    if (!isRecord(resource)) return "an entry of its files is no object.";
    const { uri, digest, size } = resource;
    if (typeof uri !== "string" || !uri.startsWith(root) || pathIn(root, uri) === null)
      return "a file of it lies elsewhere.";
    if (seen.has(uri)) return "a file of it is listed twice.";
    if (typeof digest !== "string" || !/^sha256:[0-9a-f]{64}$/.test(digest))
      return "a file of it has no sha256 digest.";
    if (typeof size !== "number" || !Number.isSafeInteger(size) || size < 0)
      return "a file of it has no size.";
    bytes += size;
    seen.add(uri);
    files.push({ uri, digest, size });
  }
  return bytes > listingLimits.bytes ? `its files have more than ${listingLimits.bytes} bytes.` : files;
}

/** The path of a file below a skill's root, or null where a segment leads elsewhere. */
export function pathIn(root: string, uri: string): string | null {
  const segments: string[] = [];
  for (const written of uri.slice(root.length).split("/")) {
    let segment: string;
    try {
      segment = decodeURIComponent(written);
    } catch {
      return null;
    }
    if (segment === "" || segment === "." || segment === ".." || /[/\\?#\0]/.test(segment)) return null;
    segments.push(segment);
  }
  return segments.join("/");
}

/** A line that is the same exactly for the same set of files; what an approval is bound to. */
export function contentLine({ uri, resources }: ListedSkill): string {
  const files = resources.map((file) => `${file.uri} ${file.digest}`).sort();
  return [uri, ...files].join("\n");
}

function nameOf(entry: unknown): string {
  const name = isRecord(entry) && isRecord(entry.frontmatter) ? entry.frontmatter.name : undefined;
  return typeof name === "string" ? `"${printable(name.slice(0, 60))}"` : "An entry";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
