import type { TextCodec } from "../../file-system.ts";

/** One file of a built-in skill. */
export interface SeededFile {
  /** Relative to the skill's folder, with `/`. */
  readonly path: string;
  /** SHA-256 of the content, 64 hexadecimal digits. */
  readonly digest: string;
  /** Some execute bit is set; never on Windows. */
  readonly executable: boolean;
}

type Digest = Pick<TextCodec, "digest">;

/** Version of the combined fingerprint. */
const version = "v1";

/** Fingerprint of one skill: path, digest and execute bit of each file, by path in code-unit order (feature X8). */
export function skillFingerprint(files: readonly SeededFile[], codec: Digest): string {
  const lines = [...files]
    .sort((a, b) => compareUnits(a.path, b.path))
    .map(({ path, digest, executable }) => `${path}\0${digest}\0${executable ? 1 : 0}`);
  return sha256(lines.join("\n"), codec);
}

/** Fingerprint of all skills that are seeded, by name in code-unit order (feature X8, golden `minimax.seeding`). */
export function combinedFingerprint(skills: ReadonlyMap<string, string>, codec: Digest): string {
  const lines = [...skills]
    .sort(([a], [b]) => compareUnits(a, b))
    .map(([name, aggregate]) => `${name}\0${aggregate}`);
  return sha256(`${version}\0${lines.join("\n")}`, codec);
}

/**
 * Fingerprints that the build wrote down, by skill; they stand in for hashing. One malformed entry voids the whole file,
 * which then counts as not there.
 */
export function builtFingerprints(text: string): ReadonlyMap<string, string> {
  const none: ReadonlyMap<string, string> = new Map();
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return none;
  }
  if (!isRecord(file) || file.schemaVersion !== 1 || !isRecord(file.skills)) return none;
  const found = new Map<string, string>();
  for (const [name, entry] of Object.entries(file.skills)) {
    const aggregate = isRecord(entry) ? entry.aggregate : undefined;
    if (typeof aggregate !== "string" || !/^[0-9a-f]{64}$/.test(aggregate)) return none;
    found.set(name, aggregate);
  }
  return found;
}

function sha256(text: string, codec: Digest): string {
  return codec.digest(new TextEncoder().encode(text)).replace(/^sha256:/, "");
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
