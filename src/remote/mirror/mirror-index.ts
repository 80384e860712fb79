import { join } from "node:path";
import { isSegment } from "../../core/remote/mirror-notes.ts";
import type { MirrorCache } from "../../core/remote/remote-source.ts";
import { printable } from "../../core/text/printable.ts";
import { readJson } from "../index/read-json.ts";

/** One entry as the mirrored agents read it. */
interface ListedEntry {
  readonly name: string;
  readonly files: readonly string[];
  readonly version?: string;
}

/** An entry that may be fetched. */
export interface MirrorEntry {
  readonly name: string;
  readonly version: string | null;
  /** Folder of the entry, native. */
  readonly root: string;
  /** Path below `root`, and where it comes from. */
  readonly files: readonly { readonly path: string; readonly url: string }[];
}

export interface MirrorIndex {
  readonly entries: readonly MirrorEntry[];
  readonly refused: readonly { readonly name: string; readonly message: string }[];
}

/**
 * The index as the mirrored agents have it: one entry of a wrong form spoils all of it, as with them; an entry that could
 * write or fetch elsewhere is refused whole, whatever the agent itself does (decision D9).
 */
export function readMirrorIndex(
  bytes: Uint8Array,
  at: { readonly base: URL; readonly written: string; readonly folder: string; readonly cache: MirrorCache },
): MirrorIndex | { readonly problem: string } {
  const json = readJson(bytes);
  if ("problem" in json) return json;
  const list = listOf(json.value);
  if (list === null) return { problem: "it does not have the form {skills: [{name, files}]}" };
  const entries: MirrorEntry[] = [];
  const refused: { name: string; message: string }[] = [];
  for (const item of list) {
    const entry = entryOf(item, at);
    if (typeof entry === "string") refused.push({ name: item.name.slice(0, 100), message: entry });
    else entries.push(entry);
  }
  return { entries, refused };
}

function listOf(value: unknown): readonly ListedEntry[] | null {
  if (!isFields(value) || !Array.isArray(value.skills)) return null;
  const fits = value.skills.every(
    (item: unknown) =>
      isFields(item) &&
      typeof item.name === "string" &&
      Array.isArray(item.files) &&
      item.files.every((file) => typeof file === "string") &&
      (item.version === undefined || typeof item.version === "string"),
  );
  return fits ? (value.skills as readonly ListedEntry[]) : null;
}

function entryOf(
  item: ListedEntry,
  at: { readonly base: URL; readonly written: string; readonly folder: string; readonly cache: MirrorCache },
): MirrorEntry | string {
  const { name, files } = item;
  const { cache } = at;
  const main = cache.mainFile === "SKILL.md" ? ["SKILL.md"] : ["SKILL.md", `${name}.md`];
  if (!isSegment(name) || printable(name) !== name) return "its name cannot be a folder";
  if (!main.some((file) => files.includes(file))) return "it lists no SKILL.md";
  const folder = folderAddress(name, at);
  if (folder === null) return "its name cannot be part of an address";
  const found: { path: string; url: string }[] = [];
  for (const path of files) {
    const shown = printable(path.slice(0, 100));
    if (!isSafePath(path)) return `the path "${shown}" leads out of its folder or to another server`;
    if (cache.versionFile !== null && path === cache.versionFile)
      return `the path "${shown}" is one that the agent keeps for itself`;
    if (!URL.canParse(path, folder)) return `the path "${shown}" cannot be part of an address`;
    const url = new URL(path, folder);
    if (url.origin !== at.base.origin) return `the path "${shown}" leads to another server`;
    found.push({ path, url: url.href });
  }
  return { name, version: item.version ?? null, root: join(at.folder, name), files: found };
}

/** Where the entry's files are counted from; the first generation joins texts, the second resolves (golden `url_hash`). */
function folderAddress(
  name: string,
  { base, written, cache }: { readonly base: URL; readonly written: string; readonly cache: MirrorCache },
): string | null {
  try {
    return cache.addressing === "joined"
      ? new URL(`${written.slice(0, -1)}/${name}/`).href
      : new URL(`${encodeURIComponent(name)}/`, base).href;
  } catch {
    return null;
  }
}

function isSafePath(path: string): boolean {
  if (path === "" || /[\\\0?#]/.test(path) || URL.canParse(path) || path.startsWith("/")) return false;
  if (/^[A-Za-z]:/.test(path) || printable(path) !== path) return false;
  return path.split("/").every((segment) => {
    let decoded: string;
    try {
      decoded = decodeURIComponent(segment);
    } catch {
      return false;
    }
    return isSegment(decoded) && isSegment(segment);
  });
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
