import type { FileSystem, TextCodec } from "../file-system.ts";
import { join } from "../path.ts";
import type { MirrorCache } from "./remote-source.ts";

/** What is kept about the last pull of one address into a mirrored agent's cache. */
export interface MirrorNote {
  readonly version: 1;
  readonly base: string;
  /** Names of the entries' folders that the agent would offer, in order. */
  readonly folders: readonly string[];
  /** When it was pulled, ISO 8601. */
  readonly pulled: string;
  /** Why the index could not be used; null = it could. */
  readonly failed: string | null;
  /** What was refused, for `why`. */
  readonly refused: readonly { readonly name: string; readonly message: string }[];
}

/** The address that entries count from: with a slash at its end. */
export function baseOf(address: string): string {
  return address.endsWith("/") ? address : `${address}/`;
}

/** The folder that an address's entries lie in. */
export function mirrorFolder(cache: MirrorCache, base: string, codec: TextCodec): string {
  return cache.perSource === "shared"
    ? cache.folder
    : join(cache.folder, codec.sha1(new TextEncoder().encode(base)));
}

/** File of the note about an address, for this cache folder. */
export function notePath(cache: MirrorCache, base: string, codec: TextCodec): string {
  const name = codec.digest(new TextEncoder().encode(`${cache.folder}\n${base}`));
  return join(cache.notes, `${name.slice("sha256:".length, "sha256:".length + 32)}.json`);
}

const largest = 4 * 1_048_576;

/** The note, or null when there is none or it cannot be used. */
export function readMirrorNote(
  cache: MirrorCache,
  base: string,
  { fileSystem, codec }: { readonly fileSystem: FileSystem; readonly codec: TextCodec },
): MirrorNote | null {
  const read = fileSystem.readFile(notePath(cache, base, codec), { limit: largest, follow: false });
  if (read.kind !== "file") return null;
  let value: unknown;
  try {
    value = JSON.parse(codec.decode(read.bytes, 0, read.bytes.length));
  } catch {
    return null;
  }
  if (!isFields(value) || value.version !== 1 || value.base !== base || !Array.isArray(value.folders))
    return null;
  return {
    version: 1,
    base,
    folders: value.folders.filter((name): name is string => typeof name === "string" && isSegment(name)),
    pulled: typeof value.pulled === "string" ? value.pulled : "",
    failed: typeof value.failed === "string" ? value.failed : null,
    refused: (Array.isArray(value.refused) ? value.refused : []).flatMap((entry) =>
      isFields(entry) && typeof entry.name === "string" && typeof entry.message === "string"
        ? [{ name: entry.name, message: entry.message }]
        : [],
    ),
  };
}

/** A name that can be a folder and leads nowhere else. */
export function isSegment(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
