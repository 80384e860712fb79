/** What a file was when it was last seen to be right. */
export interface ProvenFile {
  readonly size: number;
  /** Milliseconds since the epoch, with fraction. */
  readonly modified: number;
  /** Time of the last change of content or attributes, which nobody can set: a changed file never looks unchanged. */
  readonly changed: number;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
}

/** Marker of rule `proven`, `.extracted` in a version's folder. It only saves work: what is right is decided by the pack's own digests (row K03). */
export interface ProvenMarker {
  readonly version: string;
  readonly pack: string;
  readonly skills: readonly string[];
  /** By `SKILL/PATH`. */
  readonly files: ReadonlyMap<string, ProvenFile>;
}

/** Marker of rule `seed`: version and enabled names, compared as text (feature M3). */
export function seedMarker(version: string, enabled: readonly string[]): string {
  return JSON.stringify({ version, skills: [...enabled].sort() });
}

/** Text of a `proven` marker; the same skills give the same text. */
export function provenMarker(marker: ProvenMarker): string {
  const files: Record<string, readonly (number | string)[]> = {};
  for (const [path, { size, modified, changed, digest }] of marker.files)
    files[path] = [size, modified, changed, digest];
  const { version, pack, skills } = marker;
  return `${JSON.stringify({ format: 1, version, skills, pack, files })}\n`;
}

/** A `proven` marker back from its text; null for anything else, which then counts as no marker. */
export function parseProvenMarker(text: string): ProvenMarker | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isRecord(value) || value.format !== 1) return null;
  const { version, pack, skills, files } = value;
  if (typeof version !== "string" || typeof pack !== "string" || !isRecord(files) || !isTexts(skills))
    return null;
  const known = new Map<string, ProvenFile>();
  for (const [path, entry] of Object.entries(files)) {
    if (!Array.isArray(entry)) return null;
    const [size, modified, changed, digest] = entry as readonly unknown[];
    if (
      typeof size !== "number" ||
      typeof modified !== "number" ||
      typeof changed !== "number" ||
      typeof digest !== "string"
    )
      return null;
    known.set(path, { size, modified, changed, digest });
  }
  return { version, pack, skills, files: known };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
