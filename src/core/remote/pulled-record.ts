import type { FileSystem, TextCodec } from "../file-system.ts";
import { join } from "../path.ts";
import { nameFault } from "../skill/skill-name.ts";
import type { RemoteSource } from "./remote-source.ts";

/** One file of a pulled skill, as it was when it arrived. */
export interface PulledFile {
  readonly path: string;
  /** `sha256:…` of its bytes. */
  readonly digest: string;
  readonly bytes: number;
  readonly script: boolean;
  /** For a conditional request of this file alone; null = unknown. */
  readonly etag: string | null;
}

/** One skill of a source, as the record of its last pull says. */
export interface PulledSkill {
  /** The name under which it is offered: the index's, where there is one. */
  readonly name: string;
  /** Tree digest of its files, as a lock records it. */
  readonly tree: string;
  /** Digest of its files to the byte; with the name the key of its folder in the store. */
  readonly content: string;
  readonly files: readonly PulledFile[];
  /** Digest that the source states of what is fetched; null = none. */
  readonly stated: string | null;
  readonly version: string | null;
  /** Name of the publisher whose signature was checked. */
  readonly publisher: string | null;
  /** Public key of that signature; the policy is asked about it again when skills are found. */
  readonly key: string | null;
  /** When it arrived, ISO 8601. */
  readonly arrived: string;
}

/** Why an entry of a source is not there. */
export interface PulledProblem {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** What is kept of a source between two pulls. Replaced as a whole. */
export interface PulledRecord {
  readonly version: 1;
  readonly kind: string;
  readonly address: string;
  /** Form of the index; null = the source has none. */
  readonly form: "0.1" | "0.2" | null;
  /** Where the index or the artifact was found. */
  readonly found: string | null;
  readonly etag: string | null;
  readonly modified: string | null;
  /** Of the index. */
  readonly digest: string | null;
  /** Highest version of the index seen. */
  readonly newest: string | null;
  /** The commit of a repository. */
  readonly revision: string | null;
  /** When the source last answered, ISO 8601. */
  readonly pulled: string;
  /** Why the last try failed; null = it did not. */
  readonly stale: string | null;
  readonly skills: readonly PulledSkill[];
  readonly problems: readonly PulledProblem[];
}

/** What makes two sources the same one. */
export type SourceIdentity = Pick<RemoteSource, "kind" | "address" | "ref" | "folder" | "only">;

/** Equal for sources that give the same. */
export function sourceKey({ kind, address, ref, folder, only }: SourceIdentity): string {
  return JSON.stringify([kind, address, ref, folder, only === null ? null : [...only].sort()]);
}

/** File that holds the record of a source, named by the digest of its key. */
export function recordPath(folder: string, source: SourceIdentity, codec: TextCodec): string {
  const bytes = new TextEncoder().encode(sourceKey(source));
  return join(
    folder,
    "sources",
    `${codec.digest(bytes).slice("sha256:".length, "sha256:".length + 32)}.json`,
  );
}

/** Folder of a skill in the store. */
export function storedFolder(folder: string, skill: Pick<PulledSkill, "content" | "name">): string {
  // Half of the digest is enough to tell contents apart; models read these paths.
  const hex = skill.content.slice("sha256:".length, "sha256:".length + 32);
  return join(folder, "store", `${hex}-${skill.name}`, skill.name);
}

const largest = 64 * 1_048_576;

/** The record of a source, or null when there is none or it cannot be used; entries that cannot be are left out. */
export function readPulledRecord(
  fileSystem: FileSystem,
  path: string,
  codec: TextCodec,
): PulledRecord | null {
  const read = fileSystem.readFile(path, { limit: largest, follow: false });
  if (read.kind !== "file") return null;
  return parsePulledRecord(codec.decode(read.bytes, 0, read.bytes.length));
}

/** See `readPulledRecord`. */
export function parsePulledRecord(text: string): PulledRecord | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isFields(value) || value.version !== 1 || !Array.isArray(value.skills)) return null;
  const { kind, address, pulled } = value;
  if (typeof kind !== "string" || typeof address !== "string" || typeof pulled !== "string") return null;
  return {
    version: 1,
    kind,
    address,
    form: value.form === "0.1" || value.form === "0.2" ? value.form : null,
    found: textOrNull(value.found),
    etag: textOrNull(value.etag),
    modified: textOrNull(value.modified),
    digest: textOrNull(value.digest),
    newest: textOrNull(value.newest),
    revision: textOrNull(value.revision),
    pulled,
    stale: textOrNull(value.stale),
    skills: value.skills.flatMap((entry) => skillOf(entry) ?? []),
    problems: (Array.isArray(value.problems) ? value.problems : []).flatMap((entry) =>
      isFields(entry) &&
      typeof entry.name === "string" &&
      typeof entry.code === "string" &&
      typeof entry.message === "string"
        ? [{ name: entry.name, code: entry.code, message: entry.message }]
        : [],
    ),
  };
}

const digestForm = /^sha256:[0-9a-f]{64}$/;

function skillOf(value: unknown): PulledSkill | null {
  if (!isFields(value)) return null;
  const { name, tree, content, arrived } = value;
  // A record that somebody wrote by hand must not lead out of the store.
  if (typeof name !== "string" || nameFault(name) !== null) return null;
  if (typeof tree !== "string" || !digestForm.test(tree) || typeof arrived !== "string") return null;
  if (typeof content !== "string" || !digestForm.test(content)) return null;
  if (!Array.isArray(value.files)) return null;
  const files: PulledFile[] = [];
  for (const file of value.files) {
    if (!isFields(file)) return null;
    const { path, digest, bytes, script } = file;
    if (
      typeof path !== "string" ||
      path.split("/").some((part) => part === "" || part === "." || part === "..")
    )
      return null;
    if (typeof digest !== "string" || !digestForm.test(digest) || typeof bytes !== "number") return null;
    files.push({ path, digest, bytes, script: script === true, etag: textOrNull(file.etag) });
  }
  return {
    name,
    tree,
    content,
    files,
    stated: textOrNull(value.stated),
    version: textOrNull(value.version),
    publisher: textOrNull(value.publisher),
    key: textOrNull(value.key),
    arrived,
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
