import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { variable } from "../../environment.ts";
import { join, resolve } from "../../path.ts";
import type { PrepareContext, ReservedCommand } from "../../profile.ts";
import type { RemotePlan } from "../../remote/remote-source.ts";
import type { PermissionRule } from "../../visibility/permission.ts";
import { chooseAgent, defaultRules } from "./agents.ts";
import { openCodeFamily } from "./family.ts";
import { markdownFiles } from "./markdown-files.ts";
import { type Fields, isFields, mergeSettings } from "./merge-settings.ts";
import { agentPermission, listedRules, openCodeRules, permissionFields, toolFields } from "./permissions.ts";
import type { OpenCodePlaces } from "./places.ts";
import { mirrorRemote, openCodeCache, openCodeV2Mirror } from "./remote.ts";
import { reservedCommands } from "./reserved-commands.ts";
import { expand, type OpenCodeRoots } from "./roots-v1.ts";
import { flatScan, openCodeRoot, uniqueRoots } from "./scan-rules.ts";
import { filesIn, readDocuments, readVariableDocument, type SettingsDocument } from "./settings-files.ts";
import { readSkillSources, type SkillsForm } from "./skills-setting.ts";

/** What the second generation derives from its settings. */
export interface OpenCodeV2Plan extends OpenCodeRoots {
  readonly remote: RemotePlan;
  readonly permission: readonly PermissionRule[];
  readonly commands: readonly ReservedCommand[];
}

/**
 * Roots and rules of the second generation, weakest first (golden `v2.*`): `skill` and `skills` of the global folder
 * (which `OPENCODE_CONFIG_DIR` replaces) and of each `.opencode` from the worktree's top down, so that the nearest
 * wins; then the folders of every settings file's list. No brand folders, no `~/.opencode`, no switches.
 */
export function openCodeV2Plan(
  context: PrepareContext,
  places: OpenCodePlaces,
  options: { readonly forms: readonly SkillsForm[]; readonly diagnostics: Diagnostic[] },
): OpenCodeV2Plan {
  const { diagnostics, forms } = options;
  const { environment } = context;
  const target = { program: openCodeFamily.program, diagnostics };
  const own = (folder: string) => filesIn(folder, openCodeFamily);
  const global = places.namedFolder ?? places.globalFolder;
  const downwards = places.cwd === global ? [] : [...places.walk].reverse();
  const project = downwards.map((folder) => join(folder, ".opencode")).filter((folder) => folder !== global);
  const named = variable(environment, "OPENCODE_CONFIG");
  const documents = [
    ...readDocuments(
      context,
      [
        ...own(global),
        ...(named === null ? [] : [resolve(places.cwd, named)]),
        ...downwards.flatMap(own),
        ...project.flatMap(own),
      ],
      target,
    ),
    ...readVariableDocument(environment, "OPENCODE_CONFIG_CONTENT", target),
  ];
  const read = documents
    .filter(({ fields }) => fields.skills !== undefined)
    .map(({ fields, path }) => ({
      path,
      sources: readSkillSources(fields.skills, { forms, path, diagnostics }),
    }));
  const sources = read.map((one) => one.sources);
  const ownFiles = new Set([...own(global), ...(named === null ? [] : [resolve(places.cwd, named)])]);
  const ownUrls = new Set(
    read.flatMap((one) => (one.path === null || ownFiles.has(one.path) ? one.sources.urls : [])),
  );
  const projectUrls = sources.flatMap(({ urls }) => urls).filter((url) => !ownUrls.has(url));
  const folderRoots = [global, ...project].flatMap((folder) =>
    ["skill", "skills"].map((name) =>
      openCodeRoot(join(folder, name), flatScan, {
        ...(folder === global
          ? ({ scope: "user", source: "user-config" } as const)
          : ({ scope: "workspace", source: "workspace-opencode", level: levelOf(folder, places) } as const)),
        brand: "opencode",
      }),
    ),
  );
  const pathRoots = sources
    .flatMap(({ paths }) => paths)
    .map((written) =>
      openCodeRoot(expand(written, places), flatScan, {
        scope: "config",
        source: "config-path",
        brand: null,
        expected: true,
      }),
    );
  const pulled = mirrorRemote(
    context,
    { urls: [...new Set(sources.flatMap(({ urls }) => urls))], projectUrls },
    { folder: openCodeCache(environment), rules: openCodeV2Mirror, scan: flatScan },
  );
  return {
    roots: uniqueRoots([...folderRoots, ...pathRoots, ...pulled.roots]),
    decisions: pulled.decisions,
    remote: pulled.plan,
    ...rulesOf(context, documents, { folders: [global, ...project], home: places.home, diagnostics }),
  };
}

function levelOf(folder: string, places: OpenCodePlaces): number {
  return places.walk.findIndex((above) => join(above, ".opencode") === folder);
}

/** Rules add up from document to document; the agent's own come last. */
function rulesOf(
  context: PrepareContext,
  documents: readonly SettingsDocument[],
  options: {
    readonly folders: readonly string[];
    readonly home: string;
    readonly diagnostics: Diagnostic[];
  },
): Pick<OpenCodeV2Plan, "permission" | "commands"> {
  const { diagnostics, home } = options;
  const agents: Fields[] = [];
  let command: Fields = {};
  const rules: PermissionRule[] = [];
  const ofFields = (fields: Fields, path: string | null): readonly PermissionRule[] => [
    ...openCodeRules(mergeSettings(toolFields(fields.tools), permissionFields(fields.permission)), {
      home,
      path,
      diagnostics,
    }),
    ...listedRules(fields.permissions, { path, diagnostics }),
  ];
  for (const { fields, path } of documents) {
    rules.push(...ofFields(fields, path));
    for (const key of ["agent", "agents"]) {
      const value = fields[key];
      if (isFields(value)) agents.push(value);
      else if (value !== undefined)
        diagnostics.push(
          makeDiagnostic("config/wrong-type", {
            path,
            message: `\`${key}\` is not an object, so it is ignored.`,
          }),
        );
    }
    for (const key of ["command", "commands"]) {
      const value = fields[key];
      if (isFields(value)) command = mergeSettings(command, value);
    }
  }
  for (const folder of options.folders) {
    const files = (name: string) => markdownFiles(context, join(folder, name), { nested: true, diagnostics });
    for (const file of [...files("agent"), ...files("agents")]) agents.push({ [file.name]: file.fields });
    for (const file of [...files("command"), ...files("commands")])
      command = mergeSettings(command, { [file.name]: { ...file.fields, template: file.body } });
  }
  const known = agents.reduce(mergeSettings, {});
  const agent = chooseAgent(
    context.agent.name,
    { agents: known, defaultAgent: defaultAgent(documents), family: openCodeFamily },
    diagnostics,
  );
  const own = agents.flatMap((layer) => {
    const fields = layer[agent];
    return isFields(fields)
      ? [...ofFields({ ...fields, permission: agentPermission(fields), tools: undefined }, null)]
      : [];
  });
  return {
    permission: [...defaultRules(agent, openCodeFamily), ...rules, ...own],
    commands: reservedCommands(command, openCodeFamily.commands),
  };
}

function defaultAgent(documents: readonly SettingsDocument[]): unknown {
  return documents.findLast(({ fields }) => fields.default_agent !== undefined)?.fields.default_agent;
}
