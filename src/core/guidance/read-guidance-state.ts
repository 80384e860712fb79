import type { GuidanceEntry, GuidanceState } from "./guidance.ts";

/** A stored state, or null for what is not one: a new epoch then begins (feature O13). Never throws. */
export function readGuidanceState(value: unknown): GuidanceState | null {
  if (!isRecord(value) || value.version !== 1) return null;
  const { profile, agent, epoch, baseline, key, mounted, entries } = value;
  if (typeof profile !== "string" || typeof key !== "string" || typeof mounted !== "boolean") return null;
  if (!isTextOrNull(agent) || !isTextOrNull(baseline)) return null;
  if (typeof epoch !== "number" || !Number.isSafeInteger(epoch) || epoch < 1) return null;
  if (!Array.isArray(entries)) return null;
  const read = entries.map(readEntry);
  if (read.some((entry) => entry === null)) return null;
  return {
    version: 1,
    profile,
    agent,
    epoch,
    baseline,
    key,
    mounted,
    entries: read.filter((entry) => entry !== null),
  };
}

function readEntry(value: unknown): GuidanceEntry | null {
  if (!isRecord(value)) return null;
  const { name, text, told } = value;
  return typeof name === "string" && typeof text === "string" && typeof told === "boolean"
    ? { name, text, told }
    : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === "string";
}
