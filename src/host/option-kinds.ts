import { checkNumber, checkOptions, checkText, type OptionKinds } from "../core/check-options.ts";
import type {
  ExpandOptions,
  GuidanceOptions,
  LoadFileOptions,
  LoadOptions,
  OpenOptions,
  Skills,
} from "./skills.ts";
import type { WatchOptions } from "./watch/skills-watcher.ts";

const open: OptionKinds<OpenOptions> = {
  cwd: "text",
  home: "text",
  data: "text",
  profile: "text",
  env: "record",
  configFile: "text",
  agent: "text",
  tools: "texts",
  features: "texts",
  host: ["cli", "desktop"],
  region: "text",
  mcpServers: "texts",
  skills: "texts",
  compatibleAgents: "texts",
  disabled: "texts",
  language: "text",
  trust: "flag",
  touched: "texts",
  counter: "object",
  pack: "text",
};

const load: OptionKinds<LoadOptions> = {
  arguments: "text",
  by: ["model", "user"],
  approved: "flag",
  commandOutputs: "object",
};

const guidance: OptionKinds<GuidanceOptions> = {
  contextWindow: "number",
  budget: "number",
  model: "text",
  tools: "text",
};

const loadFile: OptionKinds<LoadFileOptions> = { by: ["model", "user"], approved: "flag" };

const expand: OptionKinds<ExpandOptions> = {
  attachments: "list",
  touched: "texts",
  preload: "texts",
  begin: "flag",
  given: "list",
  signal: "object",
};

const watch: OptionKinds<WatchOptions> = {
  quiet: "time",
  most: "time",
  poll: "time",
  patience: "time",
  polling: "flag",
  persistent: "flag",
  handles: "number",
  system: "object",
};

/** Throws `SkilletError` "usage" for what `openSkills` does not take. */
export function checkOpenOptions(options: OpenOptions): void {
  checkOptions("openSkills", options, open);
}

/** The same methods, each with its arguments checked before it does anything. Getters of `skills` stay getters. */
export function withCheckedCalls(skills: Skills): Skills {
  const { find, catalog, search, searchTool, load: loadSkill, expand: expandText, edited, explain } = skills;
  const {
    loadFile: loadFileOf,
    guidance: guidanceAfter,
    files,
    connect,
    retrieve,
    watch: startWatch,
  } = skills;
  const checked: Partial<Skills> = {
    find: (name) => {
      checkText("find", "a name", name);
      return find(name);
    },
    catalog: (options) => {
      checkOptions("catalog", options, { contextWindow: "number", budget: "number" });
      return catalog(options);
    },
    guidance: (before, options) => {
      checkOptions("guidance", options, guidance);
      return guidanceAfter(before, options);
    },
    search: (query, options) => {
      checkText("search", "a query", query);
      checkOptions("search", options, { limit: "number", explain: "flag", autoLoad: "flag" });
      return search(query, options);
    },
    ...(searchTool === undefined
      ? {}
      : {
          searchTool: (query, options) => {
            checkText("searchTool", "a query", query);
            checkOptions("searchTool", options, { approved: "flag" });
            return searchTool(query, options);
          },
        }),
    load: (name, options) => {
      checkText("load", "a name", name);
      checkOptions("load", options, load);
      return loadSkill(name, options);
    },
    loadFile: (name, path, options) => {
      checkText("loadFile", "a name", name);
      if (path !== null) checkText("loadFile", "a path", path);
      checkOptions("loadFile", options, loadFile);
      return loadFileOf(name, path, options);
    },
    expand: async (message, options) => {
      checkText("expand", "a message", message);
      checkOptions("expand", options, expand);
      options?.signal?.throwIfAborted();
      const expansion = await expandText(message, options);
      options?.signal?.throwIfAborted();
      return expansion;
    },
    edited: (paths) => {
      for (const path of [paths].flat()) checkText("edited", "paths", path);
      return edited(paths);
    },
    explain: (name, options) => {
      checkText("explain", "a name", name);
      checkOptions("explain", options, { request: "text" });
      return explain(name, options);
    },
    files: (skill, limit) => {
      if (limit !== undefined) checkNumber("files", "a limit", limit);
      return files(skill, limit);
    },
    connect: async (options) => {
      checkOptions("connect", options, { force: "flag", signal: "object" });
      return connect(options);
    },
    retrieve: async (name, path, options) => {
      checkText("retrieve", "a name", name);
      checkOptions("retrieve", options, { by: ["model", "user"], signal: "object" });
      return retrieve(name, path, options);
    },
    watch: async (options) => {
      checkOptions("watch", options, watch);
      return startWatch(options);
    },
  };
  return Object.assign(skills, checked);
}
