import {
  type Configuration,
  type ConfiguredPath,
  defaultBrands,
  defaultConfiguration,
  defaultPrecedence,
  type Limits,
} from "../configuration.ts";
import type { Diagnostic, Result } from "../diagnostic.ts";
import type { Scope } from "../discovery/root.ts";
import { printable } from "../text/printable.ts";
import type { PermissionRule } from "../visibility/permission.ts";
import { configuredFolders, permittedFolders } from "./configured-folders.ts";
import { mergeMcp } from "./merge-mcp.ts";
import { precedenceFrom, projectMayOrder, withoutManaged } from "./merge-order.ts";
import { type LayeredSettings, mergePermissions } from "./merge-permissions.ts";
import { mergeSemantic } from "./merge-semantic.ts";
import { mergedValue, type Origins, refuse, trustedValue } from "./merge-values.ts";
import { note, type Settings } from "./read-settings.ts";

export interface MergeOptions {
  readonly home: string;
  /** Top of the repository; null without one (the folder of each project file is then its boundary). */
  readonly repositoryRoot: string | null;
  /** The user trusts this project, so the addresses that it names may be asked (row H02). */
  readonly workspaceTrusted: boolean;
  /** Denials that could still be read from broken files; nothing overrides them (row H06). */
  readonly recovered: readonly PermissionRule[];
  /** The administrator's file is there but cannot be used: everything is denied (row H10). */
  readonly managedUnusable: boolean;
  /** Links resolved; the path itself where nothing is there. */
  realPath(path: string): string;
}

const denyEverything: PermissionRule = { permission: "*", pattern: "*", action: "deny" };

/** All layers as one configuration; the diagnostics are those of every file, in layer order. */
export function mergeSettings(layers: LayeredSettings, options: MergeOptions): Result<Configuration> {
  const origin: Origins = Object.create(null);
  const value = (key: string): unknown => mergedValue(layers, key, origin);
  const texts = (key: string): readonly string[] => asTexts(value(key));
  const number = (key: string): number => Number(value(key));
  const numberOrNull = (key: string): number | null => {
    const found = value(key);
    return typeof found === "number" ? found : null;
  };
  const limit = (name: keyof Limits): number => number(`limits.${name}`);

  const last = [...options.recovered, ...(options.managedUnusable ? [denyEverything] : [])];
  const { permission, agents } = mergePermissions(layers, {
    defaults: defaultConfiguration.permission,
    defaultAgents: defaultConfiguration.agents,
    home: options.home,
    last,
    origin,
  });
  value("references");
  const references = [...layers.own, ...layers.managed].flatMap((settings) =>
    configuredFolders(settings, "references", options.home),
  );
  value("trust.folders");
  const trusted = [...layers.own, ...layers.managed].flatMap((settings) =>
    configuredFolders(settings, "trust.folders", options.home),
  );

  const configuration: Configuration = {
    permission,
    agents,
    precedence: precedence(layers, origin),
    brands: brands(layers, origin),
    reservedCommands: texts("reservedCommands"),
    skills: {
      paths: skillPaths(layers, { ...options, origin, trusted }),
      ...skillUrls(layers, { ...options, origin }),
      pins: texts("skills.pins"),
      disabled: texts("skills.disabled"),
      flatFiles: value("skills.flatFiles") === true,
      mainCheckout: value("skills.mainCheckout") === true,
      disabledRevealsShadowed: value("skills.disabledRevealsShadowed") === true,
      builtin: value("skills.builtin") === true,
    },
    trust: {
      workspace: value("trust.workspace") === "always" ? "always" : "ask",
      folders: [...new Set(trusted.map(({ path }) => path))],
    },
    catalog: {
      share: number("catalog.share"),
      budget: numberOrNull("catalog.budget"),
      entryLimit: number("catalog.entryLimit"),
      window: numberOrNull("catalog.window"),
    },
    search: {
      limit: number("search.limit"),
      autoLoad: value("search.autoLoad") === true,
      semantic: mergeSemantic(layers, { home: options.home, origin }),
    },
    compaction: {
      skillTokens: number("compaction.skillTokens"),
      totalTokens: number("compaction.totalTokens"),
    },
    limits: {
      skillBytes: limit("skillBytes"),
      frontmatterBytes: limit("frontmatterBytes"),
      yamlDepth: limit("yamlDepth"),
      yamlKeys: limit("yamlKeys"),
      scanDepth: limit("scanDepth"),
      scanFolders: limit("scanFolders"),
      scanEntries: limit("scanEntries"),
      listedFiles: limit("listedFiles"),
    },
    sources: record(layers, "sources", origin),
    ...mergeMcp(layers, { trusted: options.workspaceTrusted, origin }),
    policy: record(layers, "policy", origin),
    model: textOrNull(value("model")),
    providers: record(layers, "providers", origin),
    references: [...new Set(references.map(({ path }) => path))],
    origin,
  };
  const diagnostics: Diagnostic[] = everyone(layers).flatMap((settings) => settings.diagnostics);
  return { value: configuration, diagnostics };
}

function everyone(layers: LayeredSettings): readonly Settings[] {
  return [...layers.own, ...layers.project, ...layers.managed];
}

function precedence(layers: LayeredSettings, origin: Origins): readonly Scope[] {
  const words = (settings: Settings) => withoutManaged(settings, asTexts(settings.values.get("precedence")));
  for (const settings of [...layers.own, ...layers.managed])
    if (settings.values.has("precedence")) words(settings);
  const chosen = asTexts(trustedValue(layers, "precedence", origin));
  const managed = layers.managed.some((settings) => settings.values.has("precedence"));
  let order = precedenceFrom(managed ? chosen : chosen.filter((word) => word !== "managed"));
  for (const settings of layers.project) {
    if (!settings.values.has("precedence")) continue;
    const wanted = precedenceFrom(words(settings));
    if (chosen.length === 0 && projectMayOrder(wanted, order)) {
      order = wanted;
      origin.precedence = settings.file.layer;
    } else if (wanted.join() !== order.join())
      refuse(
        settings,
        "precedence",
        "A project can only put its own skills behind others, and only where you set no order.",
      );
  }
  return order.length === 0 ? defaultPrecedence : order;
}

/** A project may leave brands out or reorder them, never bring one back that the user left out. */
function brands(layers: LayeredSettings, origin: Origins): readonly string[] {
  const chosen = trustedValue(layers, "brands", origin);
  let order: readonly string[] = chosen === undefined ? defaultBrands : asTexts(chosen);
  for (const settings of layers.project) {
    if (!settings.values.has("brands")) continue;
    const wanted = asTexts(settings.values.get("brands"));
    const allowed = wanted.filter((brand) => order.includes(brand));
    if (allowed.length < wanted.length)
      refuse(settings, "brands", "A project cannot add brands that your own settings leave out.");
    order = allowed;
    origin.brands = settings.file.layer;
  }
  return order;
}

function skillPaths(
  layers: LayeredSettings,
  options: MergeOptions & { readonly origin: Origins; readonly trusted: readonly ConfiguredPath[] },
): readonly ConfiguredPath[] {
  const found = (settings: Settings) => configuredFolders(settings, "skills.paths", options.home);
  const granted = [...options.trusted, ...[...layers.own, ...layers.managed].flatMap(found)];
  const paths: ConfiguredPath[] = [];
  for (const settings of everyone(layers)) {
    const folders = layers.project.includes(settings)
      ? permittedFolders(settings, found(settings), {
          boundary: options.repositoryRoot ?? settings.file.folder ?? "/",
          granted: granted.map(({ path }) => path),
          realPath: options.realPath,
        })
      : found(settings);
    if (folders.length > 0) options.origin["skills.paths"] = settings.file.layer;
    for (const folder of folders) if (!paths.some(({ path }) => path === folder.path)) paths.push(folder);
  }
  return paths;
}

/** A project's addresses count once it is trusted, and only over https (row H02). */
function skillUrls(
  layers: LayeredSettings,
  options: MergeOptions & { readonly origin: Origins },
): { readonly urls: readonly string[]; readonly projectUrls: readonly string[] } {
  const urls = new Set<string>();
  const project = new Set<string>();
  for (const settings of everyone(layers)) {
    const isProject = layers.project.includes(settings);
    for (const url of asTexts(settings.values.get("skills.urls"))) {
      if (isProject && isPlainHttps(url) && !urls.has(url)) project.add(url);
      if (!isProject) project.delete(url);
      if (isProject && !(options.workspaceTrusted && isPlainHttps(url))) {
        const shown = printable(withoutPassword(url).slice(0, 200));
        note(settings, "config/not-for-project", {
          path: ["skills", "urls"],
          message: options.workspaceTrusted
            ? `A project can only name https addresses without a password; ${shown} is not used.`
            : `This project names ${shown}; nothing is fetched from it before you trust the project.`,
          hint: "Run `skillet trust`, or name the address in your own configuration.",
        });
        continue;
      }
      urls.add(url);
      options.origin["skills.urls"] = settings.file.layer;
    }
  }
  return { urls: [...urls], projectUrls: [...project] };
}

/** A password in an address is not shown, whatever it was meant for. */
function withoutPassword(url: string): string {
  return url.replace(/\/\/[^/@]*@/, "//");
}

function isPlainHttps(url: string): boolean {
  try {
    const parsed = new URL(url);
    return parsed.protocol === "https:" && parsed.username === "" && parsed.password === "";
  } catch {
    return false;
  }
}

/** Objects of the user and the administrator, joined key by key; the administrator's keys win. */
function record(layers: LayeredSettings, key: string, origin: Origins): Readonly<Record<string, unknown>> {
  const joined: Record<string, unknown> = Object.create(null);
  for (const settings of everyone(layers)) {
    const value = settings.values.get(key);
    if (typeof value !== "object" || value === null) continue;
    if (layers.project.includes(settings)) {
      refuse(settings, key, `A project cannot set "${key}".`);
      continue;
    }
    for (const [name, inner] of Object.entries(value)) joined[name] = inner;
    origin[key] = settings.file.layer;
  }
  return joined;
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function asTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
