import type { Activation } from "../../core/activation/activation-ledger.ts";
import { readGuidanceState } from "../../core/guidance/read-guidance-state.ts";
import type { SessionRecord } from "./session.ts";

const activators: readonly unknown[] = ["model", "user", "attachment", "preload"];
const kinds: readonly unknown[] = ["text", "note", "name"];

/** A stored record, or null for what is none. Never throws. */
export function readRecord(value: unknown): SessionRecord | null {
  if (!isRecord(value) || value.version !== 1 || typeof value.profile !== "string") return null;
  if (!Array.isArray(value.activations)) return null;
  const activations = value.activations.map(readActivation);
  if (activations.some((one) => one === null)) return null;
  return {
    version: 1,
    profile: value.profile,
    activations: activations.flatMap((one) => one ?? []).map((one, at) => ({ ...one, order: at + 1 })),
    guidance: readGuidanceState(value.guidance),
    started: value.started === true,
  };
}

function readActivation(value: unknown): Activation | null {
  if (!isRecord(value)) return null;
  const { order, name, location, digest, by, given, tokens, inContext } = value;
  const texts = [name, location, digest, value.arguments];
  if (!texts.every((text) => typeof text === "string")) return null;
  if (typeof order !== "number" || typeof tokens !== "number" || typeof inContext !== "boolean") return null;
  if (!activators.includes(by) || !kinds.includes(given)) return null;
  return value as unknown as Activation;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
