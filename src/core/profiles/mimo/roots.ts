import type { Decision } from "../../decision.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { Root, ScanRules } from "../../discovery/root.ts";
import { join } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import type { OpenCodePlaces } from "../opencode/places.ts";
import { notPulled, type OpenCodeRoots, openCodeRoots } from "../opencode/roots-v1.ts";
import { folderScan, openCodeRoot } from "../opencode/scan-rules.ts";
import type { SettingsFolder } from "../opencode/settings.ts";
import type { SkillSources } from "../opencode/skills-setting.ts";
import { builtinPack, composePack } from "./bundled.ts";
import { isMimoSwitchOn, mimoFamily } from "./family.ts";
import { mimoDataFolder, mimoPulledFolder, newestPack } from "./places.ts";

/** A pack's skills lie exactly one level below; what a skill holds further down is no skill of its own. */
const oneLevel: ScanRules = { ...folderScan, depth: 1, rootIsSkill: false, nested: "stop" };

interface Pack {
  readonly folder: string;
  readonly source: string;
  readonly scan: ScanRules;
  readonly off: string;
}

const packs: readonly Pack[] = [
  {
    folder: "builtin_skills",
    source: builtinPack,
    scan: oneLevel,
    off: "MIMOCODE_DISABLE_BUILTIN_SKILLS",
  },
  { folder: "compose", source: composePack, scan: folderScan, off: "MIMOCODE_DISABLE_COMPOSE_SKILLS" },
];

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
    readonly diagnostics: Diagnostic[];
  },
): OpenCodeRoots {
  const bundled = packs.map((pack) => packRoot(context, pack));
  const { urls } = options.sources;
  const found = openCodeRoots(context, places, {
    ...options,
    family: mimoFamily,
    sources: { ...options.sources, urls: [] },
  });
  const pulled = urls.length === 0 ? null : pulledRoot(context);
  return {
    roots: [
      ...bundled.flatMap(({ root }) => root ?? []),
      ...found.roots,
      ...(pulled === null ? [] : [pulled]),
    ],
    decisions: [
      ...bundled.flatMap(({ decision }) => decision ?? []),
      ...found.decisions,
      ...(pulled === null ? urls.map(notPulled) : []),
    ],
  };
}

/** The newest extracted version of a pack, or why there is none. */
function packRoot(
  { environment, fileSystem }: PrepareContext,
  pack: Pack,
): { readonly root: Root | null; readonly decision: Decision | null } {
  const folder = join(mimoDataFolder(environment), pack.folder);
  const without = (outcome: "off" | "missing", reason: string, message: string) => ({
    root: null,
    decision: { stage: "root", outcome, reason, path: folder, message } as const,
  });
  if (isMimoSwitchOn(environment, pack.off))
    return without("off", "switched-off", `Switched off by ${pack.off}.`);
  const path = newestPack(fileSystem, folder);
  if (path === null)
    return without("missing", "not-extracted", "MiMo Code has extracted no skills of its own here.");
  const root = openCodeRoot(path, pack.scan, { scope: "builtin", source: pack.source, brand: "mimocode" });
  return { root: { ...root, bundled: true }, decision: null };
}

/** Null when nothing was pulled. The cache keeps no record of which address a skill came from. */
function pulledRoot({ environment, fileSystem }: PrepareContext): Root | null {
  const path = mimoPulledFolder(environment, fileSystem);
  if (fileSystem.status(path, { follow: true }).kind !== "directory") return null;
  return openCodeRoot(path, folderScan, { scope: "remote", source: "remote-cache", brand: null });
}
