import type { Activation } from "../../core/activation/activation-ledger.ts";
import type { RestoreCandidate } from "../../core/activation/restore-plan.ts";
import type { Skills } from "../skills.ts";

/**
 * A skill as it would come back now: the text as it was given (`text`, null = not known any more) while the file is the
 * same, else as a load gives it today; or why it can't be given.
 */
export function restoreCandidate(
  skills: Skills,
  activation: Activation,
  text: string | null,
): RestoreCandidate {
  const { name, location, digest, by } = activation;
  const loaded = skills.load(name, {
    by: by === "model" ? "model" : "user",
    approved: true,
    arguments: activation.arguments,
  });
  const entry = skills.entries.find(({ skill }) => skill.name === loaded.name);
  if (loaded.status !== "loaded" || entry === undefined) {
    const why = entry?.hidden?.message ?? "It can no longer be loaded.";
    return { name, location, text: null, why };
  }
  const same = entry.skill.location === location && entry.skill.digest === digest;
  return { name, location, text: (same ? text : null) ?? loaded.output, why: null };
}
