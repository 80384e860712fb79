import type { Decision } from "../../decision.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { Root } from "../../discovery/root.ts";
import type { PackPlace } from "../../packs/pack-policy.ts";
import { join } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import type { OpenCodePlaces } from "../opencode/places.ts";
import type { PulledFromMirror } from "../opencode/remote.ts";
import { type OpenCodeRoots, openCodeRoots } from "../opencode/roots-v1.ts";
import { openCodeRoot } from "../opencode/scan-rules.ts";
import type { SettingsFolder } from "../opencode/settings.ts";
import type { SkillSources } from "../opencode/skills-setting.ts";
import { isMimoSwitchOn, mimoFamily } from "./family.ts";
import { mimoPacks } from "./packs.ts";
import { mimoDataFolder, newestPack } from "./places.ts";

/**
 * The seven steps of discovery, weakest first (feature M5): both packs, the brand folders of home, those on the way up
 * from the working folder, configuration folders, `skills.paths`, what `skills.urls` left in the cache.
 */
export function mimoRoots(
  context: PrepareContext,
  places: OpenCodePlaces,
  options: {
    readonly folders: readonly SettingsFolder[];
    readonly sources: SkillSources;
    readonly pulled: Pick<PulledFromMirror, "roots" | "decisions">;
    readonly diagnostics: Diagnostic[];
  },
): OpenCodeRoots {
  const bundled = mimoPacks.packs.map((pack) => packRoot(context, pack));
  const found = openCodeRoots(context, places, { ...options, family: mimoFamily });
  return {
    roots: [...bundled.flatMap(({ root }) => root ?? []), ...found.roots],
    decisions: [
      ...bundled.flatMap(({ decision }) => decision ?? []),
      ...(context.packs?.decisions.filter(({ stage }) => stage === "gate") ?? []),
      ...found.decisions,
    ],
  };
}

/** The pack that was extracted just now, else its newest extracted version, or why there is none. */
function packRoot(
  { environment, fileSystem, packs }: PrepareContext,
  pack: PackPlace,
): { readonly root: Root | null; readonly decision: Decision | null } {
  const folder = join(mimoDataFolder(environment), pack.folder);
  const without = (outcome: "off" | "missing", reason: string, message: string) => ({
    root: null,
    decision: { stage: "root", outcome, reason, path: folder, message } as const,
  });
  const off = pack.switches.find((name) => isMimoSwitchOn(environment, name));
  if (off !== undefined) return without("off", "switched-off", `Switched off by ${off}.`);
  const extracted = packs?.roots.find(({ source }) => source === pack.source);
  const path = extracted?.path ?? newestPack(fileSystem, folder);
  if (path === null)
    return without("missing", "not-extracted", "MiMo Code has extracted no skills of its own here.");
  const root = openCodeRoot(path, extracted?.scan ?? pack.scan, {
    scope: "builtin",
    source: pack.source,
    brand: "mimocode",
  });
  return { root: { ...root, bundled: true }, decision: null };
}
