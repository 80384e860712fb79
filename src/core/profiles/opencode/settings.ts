import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { variable } from "../../environment.ts";
import { join, resolve } from "../../path.ts";
import type { PrepareContext, ReservedCommand } from "../../profile.ts";
import type { PermissionRule } from "../../visibility/permission.ts";
import { chooseAgent, defaultRules } from "./agents.ts";
import type { Family } from "./family.ts";
import { markdownFiles } from "./markdown-files.ts";
import { type Fields, isFields, mergeSettings } from "./merge-settings.ts";
import { agentPermission, openCodeRules, permissionFields, toolFields } from "./permissions.ts";
import type { OpenCodePlaces } from "./places.ts";
import { reservedCommands } from "./reserved-commands.ts";
import { filesIn, readDocuments, readVariableDocument, type SettingsDocument } from "./settings-files.ts";
import { readSkillSources, type SkillSources } from "./skills-setting.ts";

/** What the settings of a program of the family say about skills. */
export interface OpenCodeSettings {
  readonly sources: SkillSources;
  /** Of the agent in question. */
  readonly permission: readonly PermissionRule[];
  readonly commands: readonly ReservedCommand[];
}

/** A folder with settings, agents, commands and skills. */
export interface SettingsFolder {
  readonly path: string;
  /** Its own settings file counts again at this place. */
  readonly ownFiles: boolean;
}

/**
 * Reads and merges the first generation's settings, weakest first: global files, `…_CONFIG`, project files from the
 * worktree's top down, the files, agents and commands of each configuration folder, `…_CONFIG_CONTENT`.
 * Objects merge, lists are replaced (golden `paths.*`, `perm.*`, `prompt.agent_*`).
 */
export function readOpenCodeSettings(
  context: PrepareContext,
  places: OpenCodePlaces,
  options: {
    readonly family: Family;
    readonly folders: readonly SettingsFolder[];
    readonly project: boolean;
    readonly diagnostics: Diagnostic[];
  },
): OpenCodeSettings {
  const { environment } = context;
  const { diagnostics, family } = options;
  const target = { program: family.program, diagnostics };
  const own = (folder: string) => filesIn(folder, family);
  const named = variable(environment, `${family.variables}_CONFIG`);
  const trusted = [places.globalFolder, join(places.home, `.${family.name}`), places.namedFolder].flatMap(
    (folder) => (folder === null ? [] : own(folder)),
  );
  const ownFiles = new Set([join(places.globalFolder, "config.json"), ...trusted]);
  if (named !== null) ownFiles.add(resolve(places.cwd, named));
  const ownUrls = new Set<string>();
  const look = (document: SettingsDocument): Fields => {
    const { fields, urls } = checked(document, places.home, diagnostics);
    if (document.path === null || ownFiles.has(document.path)) for (const url of urls) ownUrls.add(url);
    return fields;
  };
  const read = (paths: readonly string[]): Fields[] => readDocuments(context, paths, target).map(look);

  const layers: Fields[] = [
    ...read([join(places.globalFolder, "config.json"), ...own(places.globalFolder)]),
    ...(named === null ? [] : read([resolve(places.cwd, named)])),
    ...(options.project ? read([...places.walk].reverse().flatMap(own)) : []),
  ];
  for (const folder of options.folders) {
    if (folder.ownFiles) layers.push(...read(own(folder.path)));
    layers.push(folderLayer(context, folder.path, diagnostics));
  }
  layers.push(...readVariableDocument(environment, `${family.variables}_CONFIG_CONTENT`, target).map(look));
  const merged = layers.reduce(mergeSettings, {});
  const extra = readVariableDocument(environment, `${family.variables}_PERMISSION`, target)[0]?.fields ?? {};
  const permission = mergeSettings(
    toolFields(merged.tools),
    mergeSettings(permissionFields(merged.permission), extra),
  );

  const agents = isFields(merged.agent) ? merged.agent : {};
  const agent = chooseAgent(
    context.agent.name,
    { agents, defaultAgent: merged.default_agent, family },
    diagnostics,
  );
  const ofAgent = agents[agent];
  const rule = { home: places.home, path: null, diagnostics: [] };
  const sources = readSkillSources(merged.skills, { forms: ["object", "list"], path: null, diagnostics: [] });
  return {
    sources: { ...sources, projectUrls: sources.urls.filter((url) => !ownUrls.has(url)) },
    permission: [
      ...defaultRules(agent, family),
      ...openCodeRules(permission, rule),
      ...openCodeRules(isFields(ofAgent) ? ofAgent.permission : undefined, rule),
    ],
    commands: reservedCommands(merged.command, family.commands),
  };
}

/** A document whose parts that count here were looked at, with `permission` in its long form so that it merges. */
function checked(
  { path, fields }: SettingsDocument,
  home: string,
  diagnostics: Diagnostic[],
): { readonly fields: Fields; readonly urls: readonly string[] } {
  const result: Record<string, unknown> = Object.assign(Object.create(null), fields);
  const { urls } = readSkillSources(fields.skills, { forms: ["object", "list"], path, diagnostics });
  if (!isFields(fields.skills) && !Array.isArray(fields.skills)) delete result.skills;
  openCodeRules(fields.permission, { home, path, diagnostics });
  if (fields.permission !== undefined) result.permission = permissionFields(fields.permission);
  if (isFields(fields.agent)) result.agent = agentLayer(fields.agent, { home, path, diagnostics });
  else if (fields.agent !== undefined) {
    delete result.agent;
    const message = "`agent` is not an object, so it is ignored.";
    diagnostics.push(makeDiagnostic("config/wrong-type", { path, message, hint: "Write {NAME: {…}}" }));
  }
  return { fields: result, urls };
}

function agentLayer(
  agents: Fields,
  options: { readonly home: string; readonly path: string | null; readonly diagnostics: Diagnostic[] },
): Fields {
  const layer: Record<string, unknown> = Object.create(null);
  for (const [name, agent] of Object.entries(agents)) {
    if (!isFields(agent)) continue;
    openCodeRules(agent.permission, options);
    layer[name] = { ...agent, permission: agentPermission(agent) };
  }
  return layer;
}

/** Agents and commands that a configuration folder keeps as Markdown files. */
function folderLayer(context: PrepareContext, folder: string, diagnostics: Diagnostic[]): Fields {
  const files = (name: string, nested: boolean) =>
    markdownFiles(context, join(folder, name), { nested, diagnostics });
  const agents: Record<string, unknown> = Object.create(null);
  for (const file of [
    ...files("agent", true),
    ...files("agents", true),
    ...files("mode", false),
    ...files("modes", false),
  ]) {
    openCodeRules(file.fields.permission, { home: context.environment.home, path: file.path, diagnostics });
    const name = typeof file.fields.name === "string" ? file.fields.name : file.name;
    agents[name] = { ...file.fields, permission: agentPermission(file.fields) };
  }
  const command: Record<string, unknown> = Object.create(null);
  for (const file of [...files("command", true), ...files("commands", true)])
    command[file.name] = { ...file.fields, template: file.body };
  return { agent: agents, command };
}
