import type { LocalizedTexts, Pack, PackFile, PackManifest, PackSkill } from "./pack.ts";

/**
 * A manifest from its text, or null when anything in it is not as the build writes it: a damaged package must not make
 * us write to a path that a flipped byte names (row K07).
 */
export function parseManifest(text: string): PackManifest | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  return isManifest(value) ? value : null;
}

function isManifest(value: unknown): value is PackManifest {
  return (
    isRecord(value) &&
    value.format === 1 &&
    isName(value.version) &&
    Array.isArray(value.packs) &&
    value.packs.every(isPack)
  );
}

function isPack(value: unknown): value is Pack {
  return (
    isRecord(value) &&
    isName(value.name) &&
    isDigest(value.digest) &&
    isRecord(value.blob) &&
    isName(value.blob.name) &&
    isCount(value.blob.size) &&
    Array.isArray(value.skills) &&
    value.skills.every(isSkill)
  );
}

function isSkill(value: unknown): value is PackSkill {
  return (
    isRecord(value) &&
    isName(value.name) &&
    isTexts(value.bins) &&
    isRecord(value.locales) &&
    Object.values(value.locales).every(isLocale) &&
    Array.isArray(value.files) &&
    value.files.length > 0 &&
    value.files.every(isFile)
  );
}

function isFile(value: unknown): value is PackFile {
  return (
    isRecord(value) &&
    typeof value.path === "string" &&
    value.path.split("/").every(isName) &&
    isCount(value.size) &&
    isCount(value.offset) &&
    typeof value.executable === "boolean" &&
    isDigest(value.digest)
  );
}

function isLocale(value: unknown): value is LocalizedTexts {
  return (
    isRecord(value) &&
    (value.title === null || typeof value.title === "string") &&
    (value.description === null || typeof value.description === "string") &&
    isTexts(value.aliases)
  );
}

/** One safe path segment. */
function isName(value: unknown): value is string {
  return (
    typeof value === "string" && value !== "" && value !== "." && value !== ".." && !/[/\\:\0]/.test(value)
  );
}

function isDigest(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
