import type { Decision } from "../../decision.ts";
import type { Root, ScanRules } from "../../discovery/root.ts";
import { type Environment, variable } from "../../environment.ts";
import { join, resolve } from "../../path.ts";
import { cacheFolder } from "../../places.ts";
import type { PrepareContext } from "../../profile.ts";
import { plainSource } from "../../remote/configured-sources.ts";
import { mirrorFolders } from "../../remote/mirror-folders.ts";
import type { MirrorCache, RemotePlan } from "../../remote/remote-source.ts";
import { openCodeRoot } from "./scan-rules.ts";
import type { SkillSources } from "./skills-setting.ts";

/** How a program of the family keeps what it pulled (feature O5, M21; golden `*.remote`). */
export type MirrorRules = Omit<MirrorCache, "kind" | "folder" | "notes">;

export const openCodeMirror: MirrorRules = {
  perSource: "shared",
  versionFile: ".opencode-version",
  mainFile: "SKILL.md",
  addressing: "joined",
  tries: 3,
};

export const openCodeV2Mirror: MirrorRules = {
  ...openCodeMirror,
  perSource: "sha1",
  mainFile: "SKILL.md or NAME.md",
  addressing: "resolved",
};

export interface PulledFromMirror {
  readonly plan: RemotePlan;
  readonly roots: readonly Root[];
  readonly decisions: readonly Decision[];
}

/** `skills` in the program's cache folder: `--data`'s `cache`, `XDG_CACHE_HOME/opencode`, `~/.cache/opencode`. */
export function openCodeCache(environment: Environment): string {
  const { data, cwd, home } = environment;
  if (data !== null) return join(data, "cache/skills");
  const cache = variable(environment, "XDG_CACHE_HOME") ?? join(home, ".cache");
  return join(resolve(cwd, cache), "opencode/skills");
}

/** Addresses of the settings as sources, and a root for each folder that was pulled from them. */
export function mirrorRemote(
  context: PrepareContext,
  { urls, projectUrls = [] }: Pick<SkillSources, "urls" | "projectUrls">,
  options: { readonly folder: string; readonly rules: MirrorRules; readonly scan: ScanRules },
): PulledFromMirror {
  const notes = join(cacheFolder(context.environment), "remote-v1/mirrors");
  const cache: MirrorCache = { kind: "mirror", folder: options.folder, notes, ...options.rules };
  const sources = urls.map((url) =>
    projectUrls.includes(url)
      ? { ...plainSource(url, { namedBy: "project", trusted: context.trust }), kind: "index" as const }
      : { ...plainSource(url, { namedBy: "own", trusted: true }), kind: "index" as const },
  );
  const { folders, decisions } = mirrorFolders(cache, sources, context);
  const roots = folders.map(({ path, from }) => ({
    ...openCodeRoot(path, options.scan, { scope: "remote", source: "remote-cache", brand: null }),
    note: `pulled from ${from}`,
  }));
  return { plan: { cache, sources }, roots, decisions };
}
