import type { Decision } from "../../decision.ts";
import { findRepository, type Repository } from "../../discovery/repository.ts";
import type { Root, Scope } from "../../discovery/root.ts";
import { type Environment, variable } from "../../environment.ts";
import type { FileSystem } from "../../file-system.ts";
import { ancestors, contains, join, relativeInside, resolve } from "../../path.ts";
import { managedFolder } from "../../places.ts";
import type { PrepareContext } from "../../profile.ts";
import { type Brand, brands, type UserPlace } from "./brands.ts";
import { skilletScan } from "./scan-rules.ts";

export interface RootPlan {
  /** Strongest first. */
  readonly roots: readonly Root[];
  readonly decisions: readonly Decision[];
}

/**
 * Every folder that profile `skillet` searches, strongest first: scopes in the configured order (managed, workspace,
 * user, configured paths, what was pulled), inside the workspace the nearest level first, inside a level the brands in their order.
 */
export function skilletRoots(context: PrepareContext, pulled: readonly Root[]): RootPlan {
  const { configuration } = context;
  const known = configuration.brands.flatMap((id) => {
    const brand = brands.get(id);
    return brand === undefined ? [] : [brand];
  });
  const byScope = new Map<Scope, readonly Root[]>([
    ["managed", managedRoots(context)],
    ["workspace", workspaceRoots(context, known)],
    ["user", userRoots(context, known)],
    ["config", configuredRoots(context)],
    ["remote", pulled],
    ["builtin", context.packs?.roots ?? []],
  ]);
  const roots = configuration.precedence.flatMap((scope) => byScope.get(scope) ?? []);
  return { roots: uniquePaths(roots), decisions: switchedOff(configuration.brands) };
}

export interface KnownFolder {
  readonly path: string;
  readonly brand: string;
  /** The agent, for people. */
  readonly title: string;
}

/**
 * Every folder in which a known agent keeps skills for this working folder, whether it is there, searched or neither:
 * those of each workspace level, then the user's.
 */
export function knownSkillFolders(environment: Environment, fileSystem: FileSystem): readonly KnownFolder[] {
  const all = [...brands.values()];
  const levels = workspaceLevels(environment, findRepository(fileSystem, environment.cwd));
  return [
    ...levels.flatMap((level) =>
      all.flatMap(({ id, workspace, title }) =>
        workspace.map((folder) => ({ path: join(level, folder), brand: id, title })),
      ),
    ),
    ...all.flatMap(({ id, user, title }) =>
      user.flatMap((place) => {
        const folder = userFolder(environment, place);
        return folder === null
          ? []
          : place.folders.map((name) => ({ path: join(folder, name), brand: id, title }));
      }),
    ),
  ];
}

function switchedOff(active: readonly string[]): readonly Decision[] {
  return [...brands.values()]
    .filter((brand) => !active.includes(brand.id))
    .map((brand) => ({
      stage: "root",
      outcome: "off",
      reason: "brand-off",
      path: null,
      message: `Folders of ${brand.title} are switched off by \`brands\`.`,
    }));
}

function uniquePaths(roots: readonly Root[]): readonly Root[] {
  const seen = new Set<string>();
  return roots.filter((root) => {
    if (seen.has(root.path)) return false;
    seen.add(root.path);
    return true;
  });
}

function managedRoots({ environment, configuration }: PrepareContext): readonly Root[] {
  const folder = managedFolder(environment);
  if (folder === null) return [];
  return [
    {
      ...ownRoot(configuration.limits.scanDepth, configuration.skills.flatFiles),
      id: "managed",
      path: join(folder, "skills"),
      scope: "managed",
      source: "managed",
    },
  ];
}

/**
 * Levels from the working folder up to the repository root. Without a repository the walk goes on upward but stops
 * below the home folder and below any folder that holds the home folder (case d-no-git), except for the working folder
 * itself. The home folder is never a workspace level: its brand folders are the user's.
 */
export function workspaceLevels(environment: Environment, repository: Repository | null): readonly string[] {
  const { home } = environment;
  const cwd = repository?.cwd ?? environment.cwd;
  const levels: string[] = [];
  for (const folder of ancestors(cwd)) {
    const isHome = folder === home;
    if (repository === null && (isHome || (folder !== cwd && contains(folder, home)))) break;
    if (!isHome && folder !== "/") levels.push(folder);
    if (folder === repository?.root) break;
  }
  return levels;
}

function workspaceRoots(context: PrepareContext, known: readonly Brand[]): readonly Root[] {
  const { environment, fileSystem, configuration } = context;
  const repository = findRepository(fileSystem, environment.cwd);
  const levels = workspaceLevels(environment, repository);
  const boundary = repository?.root ?? null;
  const roots = levels.flatMap((folder, level) =>
    levelRoots(context, known, { folder, level, boundary, main: false }),
  );
  const main = repository?.mainCheckout ?? null;
  if (repository === null || main === null || main === repository.root || !configuration.skills.mainCheckout)
    return roots;
  const mirrored = levels.flatMap((folder, level) => {
    const relative = relativeInside(repository.root, folder);
    return relative === null
      ? []
      : levelRoots(context, known, { folder: join(main, relative), level, boundary: main, main: true });
  });
  return [...roots, ...mirrored];
}

function levelRoots(
  { configuration, trust }: PrepareContext,
  known: readonly Brand[],
  place: {
    readonly folder: string;
    readonly level: number;
    readonly boundary: string | null;
    readonly main: boolean;
  },
): readonly Root[] {
  const scan = skilletScan({
    depth: configuration.limits.scanDepth,
    flatFiles: configuration.skills.flatFiles,
    links: place.boundary === null && trust ? "trusted-folder" : "workspace",
  });
  return known.flatMap((brand) =>
    brand.workspace.map(
      (folder): Root => ({
        id: `workspace:${folder}@${place.folder}`,
        path: join(place.folder, folder),
        scope: "workspace",
        source: place.main ? `main-checkout-${brand.id}` : `workspace-${brand.id}`,
        brand: brand.id,
        level: place.level,
        priority: null,
        needsTrust: true,
        boundary: place.boundary ?? place.folder,
        bundled: false,
        scan,
        note: place.main ? "main checkout of this worktree" : null,
        expected: false,
      }),
    ),
  );
}

function userRoots(context: PrepareContext, known: readonly Brand[]): readonly Root[] {
  const { environment, configuration } = context;
  return known.flatMap((brand) =>
    brand.user.flatMap((place) => {
      const folder = userFolder(environment, place);
      if (folder === null) return [];
      return place.folders.map(
        (name): Root => ({
          ...ownRoot(configuration.limits.scanDepth, configuration.skills.flatFiles),
          id: `user:${brand.id}:${join(folder, name)}`,
          path: join(folder, name),
          scope: "user",
          source: `user-${brand.id}`,
          brand: brand.id,
        }),
      );
    }),
  );
}

/** The folder a place means now; null when it only exists by a variable that is not set (case d-env-roots). */
export function userFolder(environment: Environment, place: UserPlace): string | null {
  for (const { variable: name, suffix } of place.moved) {
    const value = variable(environment, name);
    if (value !== null) return resolve(environment.cwd, expandHome(environment, value) + suffix);
  }
  return place.home === null ? null : join(environment.home, place.home);
}

function expandHome(environment: Environment, path: string): string {
  return path === "~" || path.startsWith("~/") ? environment.home + path.slice(1) : path;
}

function configuredRoots({ configuration }: PrepareContext): readonly Root[] {
  return configuration.skills.paths.map((configured, index): Root => {
    const fromProject = configured.layer.name === "project";
    return {
      ...ownRoot(configuration.limits.scanDepth, configuration.skills.flatFiles),
      id: `config:${index}:${configured.path}`,
      path: configured.path,
      scope: "config",
      source: `${configured.layer.name}-path`,
      needsTrust: fromProject,
      expected: true,
      note: configured.layer.path === null ? null : `configured in ${configured.layer.path}`,
      scan: skilletScan({
        depth: configuration.limits.scanDepth,
        flatFiles: configuration.skills.flatFiles,
        links: fromProject ? "workspace" : "own",
      }),
    };
  });
}

/** What all roots outside a project share. */
function ownRoot(depth: number, flatFiles: boolean): Omit<Root, "id" | "path" | "scope" | "source"> {
  return {
    brand: null,
    level: null,
    priority: null,
    needsTrust: false,
    boundary: null,
    bundled: false,
    note: null,
    expected: false,
    scan: skilletScan({ depth, flatFiles, links: "own" }),
  };
}
