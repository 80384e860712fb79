import { checkOptions } from "../../core/check-options.ts";
import { SkilletError } from "../../core/error.ts";
import type { Skills } from "../../host/skills.ts";
import type { PullOptions, PullResult } from "./pull-sources.ts";

export type PullSkillsOptions = Pick<PullOptions, "only" | "acceptOlder" | "dryRun" | "signal" | "progress">;

/**
 * Pulls the sources that are configured for these skills into the cache; `reload` then shows what came. The only part of
 * the library that asks the network for skills. Throws `SkilletError` "not-found" for a name that is no source, "usage"
 * where the profile's agent pulls nothing, "cancelled" when `signal` stopped it.
 */
export async function pullSkills(skills: Skills, options: PullSkillsOptions = {}): Promise<PullResult> {
  checkOptions("pullSkills", options, {
    only: "texts",
    acceptOlder: "flag",
    dryRun: "flag",
    signal: "object",
    progress: "function",
  });
  const { environment, configuration, preparation, profile } = skills;
  if (preparation.remote === undefined)
    throw new SkilletError("usage", `${profile.title} has no configured sources to pull skills from.`, {
      hint: "`skillet add` installs skills for it.",
    });
  const { pullSources } = await import("./pull-sources.ts");
  return pullSources({ plan: preparation.remote, environment, configuration, ...options });
}
