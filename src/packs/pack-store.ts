import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Pack, PackFile } from "../core/packs/pack.ts";
import { parseManifest } from "../core/packs/parse-manifest.ts";
import type { CollectedPack } from "./collect-pack.ts";
import { collectPacks } from "./collect-packs.ts";

const packageName = "skillet";

/** Part of the package is missing or not as it was built (row K07). */
export class PackDamage extends Error {}

/** Where bundled skills come from. */
export interface PackStore {
  /** A pack's folder, where it is read as it is, so that a change shows at once; null = built into the package. */
  folderOf(pack: Pack): string | null;
  /** Version in the manifest; null = it has none of its own. */
  readonly version: string | null;
  readonly packs: readonly Pack[];
  /** Path of what is damaged, else null. */
  readonly damaged: string | null;
  /** The file's bytes, checked. Throws `PackDamage`. */
  bytes(pack: Pack, file: PackFile): Uint8Array;
}

/**
 * The packs of this package: built ones beside the code, else the folder `skills` beside package.json (development;
 * feature M1). Only the small manifest is read now, the bytes when they are first asked for.
 */
export function ownPackStore(): PackStore {
  known ??= findOwnStore();
  return known;
}

let known: PackStore | null = null;

function findOwnStore(): PackStore {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [join(here, "packs"), join(here, "..", "packs")])
    if (existsSync(join(folder, "manifest.json"))) return builtPackStore(folder);
  const sources = sourceFolder(here);
  if (sources !== null) return collectedPackStore(collectPacks(sources), (pack) => join(sources, pack.name));
  return { ...collectedPackStore([], () => null), damaged: join(here, "packs", "manifest.json") };
}

/** Packs as the build wrote them. */
export function builtPackStore(folder: string): PackStore {
  const path = join(folder, "manifest.json");
  const manifest = parseManifest(readText(path));
  const blobs = new Map<string, Uint8Array>();
  const blobOf = (name: string): Uint8Array => {
    const known = blobs.get(name);
    if (known !== undefined) return known;
    let bytes: Uint8Array;
    try {
      bytes = readFileSync(join(folder, name));
    } catch {
      throw new PackDamage(join(folder, name));
    }
    blobs.set(name, bytes);
    return bytes;
  };
  return {
    folderOf: () => null,
    version: manifest?.version ?? null,
    packs: manifest?.packs ?? [],
    damaged: manifest === null ? path : null,
    bytes: (pack, file) => slice(blobOf(pack.blob.name), file, join(folder, pack.blob.name)),
  };
}

/** Packs that were read just now, e.g. from a folder that a user names. */
export function collectedPackStore(
  collected: readonly CollectedPack[],
  folderOf: (pack: Pack) => string | null,
): PackStore {
  const blobs = new Map(collected.map(({ pack, bytes }) => [pack.name, bytes]));
  return {
    folderOf,
    version: null,
    packs: collected.map(({ pack }) => pack),
    damaged: null,
    bytes: (pack, file) => slice(blobs.get(pack.name) ?? new Uint8Array(), file, pack.name),
  };
}

function slice(blob: Uint8Array, file: PackFile, name: string): Uint8Array {
  const bytes = blob.subarray(file.offset, file.offset + file.size);
  if (createHash("sha256").update(bytes).digest("hex") !== file.digest) throw new PackDamage(name);
  return bytes;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

/** `skills` beside the package.json above this file. */
function sourceFolder(from: string): string | null {
  for (let folder = from; dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (!existsSync(manifest)) continue;
    // Inside another program's bundle the nearest package is that program's.
    const ours = (JSON.parse(readText(manifest)) as { readonly name?: unknown }).name === packageName;
    const skills = join(folder, "skills");
    return ours && existsSync(join(skills, "general")) ? skills : null;
  }
  return null;
}
