import type { Decision } from "../../decision.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { Root } from "../../discovery/root.ts";
import { isAbsolute, join, normalize } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import type { Family } from "./family.ts";
import type { OpenCodePlaces } from "./places.ts";
import type { PulledFromMirror } from "./remote.ts";
import { brandScan, folderScan, openCodeRoot, uniqueRoots } from "./scan-rules.ts";
import type { SettingsFolder } from "./settings.ts";
import type { SkillSources } from "./skills-setting.ts";

/** Folders and what was left out, in the order in which the program scans them. */
export interface OpenCodeRoots {
  readonly roots: readonly Root[];
  readonly decisions: readonly Decision[];
}

/** `…_DISABLE_PROJECT_CONFIG`: this one takes only `1` and `true`, and ignores other words. */
export function projectConfigOff({ environment }: PrepareContext, { variables }: Family): boolean {
  return /^(?:1|true)$/i.test(environment.variables[`${variables}_DISABLE_PROJECT_CONFIG`] ?? "");
}

/** Configuration folders, weakest first: global, `.NAME` from the nearest up, `~/.NAME`, `…_CONFIG_DIR`. */
export function configurationFolders(
  places: OpenCodePlaces,
  options: { readonly project: boolean; readonly family: Family },
): readonly SettingsFolder[] {
  const own = `.${options.family.name}`;
  const folders = [
    places.globalFolder,
    ...(options.project ? places.walk.map((folder) => join(folder, own)) : []),
    join(places.home, own),
    ...(places.namedFolder === null ? [] : [places.namedFolder]),
  ];
  return [...new Set(folders)].map((path) => ({
    path,
    ownFiles: path.endsWith(own) || path === places.namedFolder,
  }));
}

/**
 * Roots of the first generation, weakest first (feature O3; golden `roots.*`, `pair.*`, `walk.*`, `env.*`): the brand
 * folders of home, then those on the way up from the working folder; configuration folders; `skills.paths`; what was pulled.
 */
export function openCodeRoots(
  context: PrepareContext,
  places: OpenCodePlaces,
  options: {
    readonly family: Family;
    readonly folders: readonly SettingsFolder[];
    readonly sources: SkillSources;
    /** What `skills.urls` left in the cache; searched last. */
    readonly pulled: Pick<PulledFromMirror, "roots" | "decisions">;
    readonly diagnostics: Diagnostic[];
  },
): OpenCodeRoots {
  const { environment } = context;
  const { family } = options;
  const decisions: Decision[] = [];
  const off = brandsOff(context, family, options.diagnostics);
  const roots: Root[] = [];
  const brandRoot = (folder: string, brand: string, level: number | null): void => {
    const path = join(folder, brand, "skills");
    const why = off.get(brand);
    if (why !== undefined) {
      const message = `Switched off by ${why}.`;
      decisions.push({ stage: "root", outcome: "off", reason: "switched-off", path, message });
      return;
    }
    const name = brand.slice(1);
    roots.push(
      openCodeRoot(path, brandScan, {
        scope: level === null ? "user" : "workspace",
        source: `${level === null ? "user" : "workspace"}-${name}`,
        brand: name,
        ...(level === null ? {} : { level }),
      }),
    );
  };
  for (const brand of family.brands) brandRoot(places.home, brand, null);
  for (const [level, folder] of places.walk.entries())
    for (const brand of family.brands) brandRoot(folder, brand, level);
  for (const { path } of options.folders) roots.push(...folderRoots(path, places, family));
  for (const written of options.sources.paths)
    roots.push(
      openCodeRoot(expand(written, places), folderScan, {
        scope: "config",
        source: "config-path",
        brand: null,
        expected: true,
      }),
    );
  if (projectConfigOff(context, family))
    decisions.push({
      stage: "root",
      outcome: "off",
      reason: "switched-off",
      path: join(environment.cwd, `.${family.name}`),
      message: `Project settings and folders are switched off by ${family.variables}_DISABLE_PROJECT_CONFIG.`,
    });
  return {
    roots: uniqueRoots([...roots, ...options.pulled.roots]),
    decisions: [...decisions, ...options.pulled.decisions],
  };
}

/** Which brands are off, and by which variable (features O4; decision D4). */
function brandsOff(
  { environment }: PrepareContext,
  { brandSwitches, isOn }: Family,
  diagnostics: Diagnostic[],
): ReadonlyMap<string, string> {
  const off = new Map<string, string>();
  for (const { variable, brands } of brandSwitches)
    if (isOn(environment, variable, diagnostics))
      for (const brand of brands) if (!off.has(brand)) off.set(brand, variable);
  return off;
}

/** `skill` and `skills` of a configuration folder. */
function folderRoots(folder: string, places: OpenCodePlaces, { name: program }: Family): readonly Root[] {
  const level = places.walk.findIndex((above) => join(above, `.${program}`) === folder);
  const isHome = folder === join(places.home, `.${program}`);
  const place =
    folder === places.globalFolder || isHome
      ? ({ scope: "user", source: isHome ? `user-${program}` : "user-config" } as const)
      : level < 0
        ? ({ scope: "config", source: "named-config" } as const)
        : ({ scope: "workspace", source: `workspace-${program}`, level } as const);
  return ["skill", "skills"].map((name) =>
    openCodeRoot(join(folder, name), folderScan, { ...place, brand: program }),
  );
}

/** A configured folder: only a literal `~/` stands for home, the rest counts from the working folder (`paths.*`). */
export function expand(written: string, places: OpenCodePlaces): string {
  if (written.startsWith("~/")) return join(places.home, written.slice(2));
  return isAbsolute(written) ? normalize(written) : join(places.cwd, written);
}
