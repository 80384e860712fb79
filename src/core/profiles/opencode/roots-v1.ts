import type { Decision } from "../../decision.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import type { Root } from "../../discovery/root.ts";
import { isAbsolute, join, normalize } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import { type OpenCodePlaces, readSwitch } from "./places.ts";
import { brandScan, folderScan, openCodeRoot, uniqueRoots } from "./scan-rules.ts";
import type { SettingsFolder } from "./settings.ts";
import type { SkillSources } from "./skills-setting.ts";

const brands = [".claude", ".agents"] as const;

/** Folders and what was left out, in the order in which the program scans them. */
export interface OpenCodeRoots {
  readonly roots: readonly Root[];
  readonly decisions: readonly Decision[];
}

/** `OPENCODE_DISABLE_PROJECT_CONFIG`: this one takes only `1` and `true`, and ignores other words. */
export function projectConfigOff({ environment }: PrepareContext): boolean {
  return /^(?:1|true)$/i.test(environment.variables.OPENCODE_DISABLE_PROJECT_CONFIG ?? "");
}

/** Configuration folders, weakest first: global, `.opencode` from the nearest up, `~/.opencode`, `OPENCODE_CONFIG_DIR`. */
export function configurationFolders(
  places: OpenCodePlaces,
  options: { readonly project: boolean },
): readonly SettingsFolder[] {
  const folders = [
    places.globalFolder,
    ...(options.project ? places.walk.map((folder) => join(folder, ".opencode")) : []),
    join(places.home, ".opencode"),
    ...(places.namedFolder === null ? [] : [places.namedFolder]),
  ];
  return [...new Set(folders)].map((path) => ({
    path,
    ownFiles: path.endsWith(".opencode") || path === places.namedFolder,
  }));
}

/**
 * Roots of the first generation, weakest first (feature O3; golden `roots.*`, `pair.*`, `walk.*`, `env.*`): the brand
 * folders of home, then those on the way up from the working folder; configuration folders; `skills.paths`.
 */
export function openCodeRoots(
  context: PrepareContext,
  places: OpenCodePlaces,
  options: {
    readonly folders: readonly SettingsFolder[];
    readonly sources: SkillSources;
    readonly diagnostics: Diagnostic[];
  },
): OpenCodeRoots {
  const { environment } = context;
  const decisions: Decision[] = [];
  const off = brandSwitches(context, options.diagnostics);
  const roots: Root[] = [];
  const brandRoot = (folder: string, brand: (typeof brands)[number], level: number | null): void => {
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
  for (const brand of brands) brandRoot(places.home, brand, null);
  for (const [level, folder] of places.walk.entries())
    for (const brand of brands) brandRoot(folder, brand, level);
  for (const { path } of options.folders) roots.push(...folderRoots(path, places));
  for (const written of options.sources.paths)
    roots.push(
      openCodeRoot(expand(written, places), folderScan, {
        scope: "config",
        source: "config-path",
        brand: null,
        expected: true,
      }),
    );
  if (projectConfigOff(context))
    decisions.push({
      stage: "root",
      outcome: "off",
      reason: "switched-off",
      path: join(environment.cwd, ".opencode"),
      message: "Project settings and folders are switched off by OPENCODE_DISABLE_PROJECT_CONFIG.",
    });
  return { roots: uniqueRoots(roots), decisions: [...decisions, ...options.sources.urls.map(notPulled)] };
}

/** Which brands are off, and by which variable (features O4; decision D4). */
function brandSwitches(
  { environment }: PrepareContext,
  diagnostics: Diagnostic[],
): ReadonlyMap<(typeof brands)[number], string> {
  const off = new Map<(typeof brands)[number], string>();
  for (const name of ["OPENCODE_DISABLE_CLAUDE_CODE", "OPENCODE_DISABLE_CLAUDE_CODE_SKILLS"])
    if (readSwitch(environment, name, diagnostics)) off.set(".claude", name);
  const all = "OPENCODE_DISABLE_EXTERNAL_SKILLS";
  if (readSwitch(environment, all, diagnostics)) for (const brand of brands) off.set(brand, all);
  return off;
}

/** `skill` and `skills` of a configuration folder. */
function folderRoots(folder: string, places: OpenCodePlaces): readonly Root[] {
  const level = places.walk.findIndex((above) => join(above, ".opencode") === folder);
  const isHome = folder === join(places.home, ".opencode");
  const place =
    folder === places.globalFolder || isHome
      ? ({ scope: "user", source: isHome ? "user-opencode" : "user-config" } as const)
      : level < 0
        ? ({ scope: "config", source: "named-config" } as const)
        : ({ scope: "workspace", source: "workspace-opencode", level } as const);
  return ["skill", "skills"].map((name) =>
    openCodeRoot(join(folder, name), folderScan, { ...place, brand: "opencode" }),
  );
}

/** A configured folder: only a literal `~/` stands for home, the rest counts from the working folder (`paths.*`). */
export function expand(written: string, places: OpenCodePlaces): string {
  if (written.startsWith("~/")) return join(places.home, written.slice(2));
  return isAbsolute(written) ? normalize(written) : join(places.cwd, written);
}

/** An address that skills are pulled from: nothing is read from there while folders are searched. */
export function notPulled(url: string): Decision {
  const message = "An address of skills; none of them were pulled yet.";
  return { stage: "root", outcome: "missing", reason: "not-pulled", path: url, message };
}
