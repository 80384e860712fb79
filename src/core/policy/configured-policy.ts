import type { Configuration } from "../configuration.ts";
import { openPolicy, type Policy } from "./policy.ts";
import { readPolicy } from "./read-policy.ts";

/** The policy of the settings; one that cannot be read lets nothing pass, and `openSkills` reports why. */
export function configuredPolicy({ policy, origin }: Pick<Configuration, "policy" | "origin">): Policy {
  if (Object.keys(policy).length === 0) return openPolicy;
  return readPolicy(policy, origin.policy?.path ?? null).value;
}
