import type { Decision } from "../../decision.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { Root } from "../../discovery/root.ts";
import { basename, contains, dirname, isAbsolute, join, resolve } from "../../path.ts";
import type { PrepareContext } from "../../profile.ts";
import { printable } from "../../text/printable.ts";
import { selectorKey } from "./order.ts";
import { type PluginReading, pluginRoot, readBounded } from "./plugin-root.ts";

export interface PluginPlan {
  readonly roots: readonly Root[];
  /** Plugins that are not enabled. */
  readonly decisions: readonly Decision[];
}

/** Package formats and where their manifests lie; the first that is there decides (spec minimax 2.3). */
const formats = [
  { kind: "agent-plugins", manifest: "plugin.json" },
  { kind: "native", manifest: ".minimax-plugin/plugin.json" },
  { kind: "compatible", manifest: ".claude-plugin/plugin.json" },
  { kind: "compatible", manifest: ".codex-plugin/plugin.json" },
] as const;

const mostPlugins = 1_000;
const mostFolders = 64;
const fileBytes = 16 * 1024 * 1024;
const longestPath = 512;
/** Names of plugins that are on: a list, or an object with the list under `enabled`. */
const enabledFile = "enabled.json";

class PluginProblem extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * Folders of skills that the enabled plugins of `<data>/plugins` bring along (features X15, X16). A plugin that breaks its
 * format's rules is a diagnostic; nothing of it is offered then, except in the format where each skill stands alone.
 */
export function minimaxPlugins(
  context: PrepareContext,
  dataFolder: string,
  diagnostics: Diagnostic[],
): PluginPlan {
  const { fileSystem } = context;
  const folder = join(dataFolder, "plugins");
  const read = fileSystem.readDirectory(folder, { limit: mostPlugins });
  if (read.kind !== "directory") return { roots: [], decisions: [] };
  const enabled = new Set(
    enabledNames(fileSystem.readJson(join(folder, enabledFile)).value).map(selectorKey),
  );
  const roots: Root[] = [];
  const decisions: Decision[] = [];
  const seen = new Set<string>();
  for (const entry of read.entries) {
    if (entry.type !== "directory") continue;
    const plugin = openPlugin(context, join(folder, entry.name));
    const key = selectorKey(plugin.name);
    const off = (reason: string, message: string): void =>
      void decisions.push({ stage: "root", outcome: "off", reason, path: plugin.folder, message });
    if (!enabled.has(key))
      off("plugin-off", `The plugin ${printable(plugin.name)} is not in ${join(folder, enabledFile)}.`);
    else if (seen.has(key))
      off("plugin-twice", `Another plugin is called ${printable(plugin.name)} already.`);
    else {
      seen.add(key);
      try {
        roots.push(...skillRoots(context, plugin, diagnostics));
      } catch (problem) {
        if (!(problem instanceof PluginProblem)) throw problem;
        const message = `The plugin ${printable(plugin.name)} is left out: ${printable(problem.message)}.`;
        diagnostics.push(
          makeDiagnostic("plugin/invalid", { path: plugin.folder, message, profileCode: problem.code }),
        );
        off("plugin-invalid", message);
      }
    }
  }
  return { roots, decisions };
}

interface Plugin {
  readonly name: string;
  readonly folder: string;
  readonly kind: (typeof formats)[number]["kind"];
  readonly manifest: Readonly<Record<string, unknown>>;
}

function openPlugin({ fileSystem }: PrepareContext, folder: string): Plugin {
  for (const { kind, manifest: file } of formats) {
    const path = join(folder, file);
    const { kind: found, value } = fileSystem.readJson(path);
    if (found === "absent") continue;
    const manifest = isRecord(value) ? value : {};
    const name =
      typeof manifest.name === "string" && manifest.name.trim() !== ""
        ? manifest.name.trim()
        : basename(folder);
    return { name, folder, kind, manifest };
  }
  return { name: basename(folder), folder, kind: "compatible", manifest: {} };
}

function skillRoots(context: PrepareContext, plugin: Plugin, diagnostics: Diagnostic[]): readonly Root[] {
  const skills = join(plugin.folder, "skills");
  switch (plugin.kind) {
    case "agent-plugins": {
      const reading = readingOf(plugin, { agentSkills: true, expectFolder: true, bounded: true });
      const names = foldersIn(context, skills);
      if (names.length > mostFolders)
        throw new PluginProblem("PLUGIN_CAPABILITY_LIMIT_EXCEEDED", `more than ${mostFolders} skill folders`);
      return names.length === 0 ? [] : [pluginRoot(skills, { folder: plugin.folder, only: null, reading })];
    }
    case "native": {
      const reading = readingOf(plugin, { agentSkills: false, expectFolder: true, bounded: false });
      const names = listedFolders(plugin.manifest.skills);
      for (const name of names) checkSkill(context, join(skills, name), plugin, reading);
      return names.length === 0 ? [] : [pluginRoot(skills, { folder: plugin.folder, only: names, reading })];
    }
    case "compatible":
      return compatibleRoots(context, plugin, diagnostics);
  }
}

/** `skills/` and what the manifest names: a folder with SKILL.md is a skill, else its direct children are. */
function compatibleRoots(
  context: PrepareContext,
  plugin: Plugin,
  diagnostics: Diagnostic[],
): readonly Root[] {
  const { fileSystem } = context;
  const reading = readingOf(plugin, { agentSkills: false, expectFolder: false, bounded: false });
  const { skills } = plugin.manifest;
  const written = (Array.isArray(skills) ? skills : [skills]).filter((one) => typeof one === "string");
  const folders = ["skills", ...written].map((path) => insidePlugin(plugin, path));
  const seen = new Set<string>();
  const roots: Root[] = [];
  for (const folder of folders) {
    const isSkill = fileSystem.status(join(folder, "SKILL.md"), { follow: false }).kind === "file";
    const parent = isSkill ? dirname(folder) : folder;
    const names = (isSkill ? [basename(folder)] : foldersIn(context, folder)).filter((name) => {
      const path = join(parent, name, "SKILL.md");
      if (fileSystem.status(path, { follow: false }).kind !== "file") return false;
      const real = fileSystem.realPath(path);
      const key = real.kind === "path" ? real.path : path;
      return !seen.has(key) && seen.add(key);
    });
    for (const name of names) checkSkill(context, join(parent, name), plugin, reading);
    if (names.length > 0) roots.push(pluginRoot(parent, { folder: plugin.folder, only: names, reading }));
  }
  if (roots.length === 0 && written.length > 0)
    diagnostics.push(
      makeDiagnostic("plugin/invalid", {
        path: plugin.folder,
        severity: "warning",
        message: `The plugin ${printable(plugin.name)} names folders of skills, but none holds a skill.`,
      }),
    );
  return roots;
}

function readingOf(plugin: Plugin, rules: Omit<PluginReading, "plugin">): PluginReading {
  return { plugin: plugin.name, ...rules };
}

/** In these formats one bad skill rejects the whole plugin. */
function checkSkill(
  { fileSystem, codec }: PrepareContext,
  folder: string,
  plugin: Plugin,
  reading: PluginReading,
): void {
  const path = join(folder, "SKILL.md");
  const real = fileSystem.realPath(path);
  const home = fileSystem.realPath(plugin.folder);
  if (real.kind !== "path" || home.kind !== "path")
    throw new PluginProblem("PLUGIN_FILE_NOT_FOUND", `${path} is missing`);
  if (!contains(home.path, real.path))
    throw new PluginProblem("PATH_OUTSIDE_ROOT", `${path} leads out of the plugin`);
  const read = fileSystem.readFile(path, { limit: fileBytes, follow: false });
  if (read.kind === "too-large") throw new PluginProblem("PLUGIN_FILE_TOO_LARGE", `${path} is too large`);
  if (read.kind !== "file")
    throw new PluginProblem("PLUGIN_FILE_INVALID", `${path} is not a file of its own`);
  if (!codec.isUtf8(read.bytes))
    throw new PluginProblem("PLUGIN_TEXT_INVALID_UTF8", `${path} is not valid UTF-8`);
  const skill = readBounded(codec.decode(read.bytes, 0, read.bytes.length), basename(folder), reading);
  if (!skill.ok) throw new PluginProblem(skill.code, skill.message);
}

/** Names of folders in code-unit order; links count where they lead to a folder. */
function foldersIn({ fileSystem }: PrepareContext, folder: string): readonly string[] {
  const read = fileSystem.readDirectory(folder, { limit: mostPlugins });
  if (read.kind !== "directory") return [];
  return read.entries
    .filter(
      ({ name, type }) =>
        type === "directory" ||
        (type === "link" && fileSystem.status(join(folder, name), { follow: true }).kind === "directory"),
    )
    .map(({ name }) => name);
}

/** The folders of a native manifest: `skills/FOLDER/SKILL.md` each, none twice. */
function listedFolders(value: unknown): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new PluginProblem("PLUGIN_MANIFEST_INVALID", "`skills` is not a list");
  const names = value.map((path) => {
    const name =
      typeof path === "string" && path.length <= longestPath
        ? /^skills\/([^/\\\0]+)\/SKILL\.md$/.exec(path)?.[1]
        : undefined;
    if (name === undefined || name === "." || name === "..")
      throw new PluginProblem(
        "PLUGIN_MANIFEST_INVALID",
        "`skills` holds a path that is not skills/FOLDER/SKILL.md",
      );
    return name;
  });
  if (new Set(names).size < names.length)
    throw new PluginProblem("PLUGIN_MANIFEST_INVALID", "`skills` names a path twice");
  return names;
}

function insidePlugin(plugin: Plugin, path: string): string {
  const full = resolve(plugin.folder, path);
  if (
    path.includes("\0") ||
    isAbsolute(path) ||
    /^[\\]|^[A-Za-z]:/.test(path) ||
    !contains(plugin.folder, full)
  )
    throw new PluginProblem("PATH_OUTSIDE_ROOT", "`skills` leads out of the plugin");
  return full;
}

function enabledNames(value: unknown): readonly string[] {
  const list = isRecord(value) ? value.enabled : value;
  return Array.isArray(list) ? list.filter((name) => typeof name === "string") : [];
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
