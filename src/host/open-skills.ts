import { findDynamicCommands } from "../core/activation/dynamic-commands.ts";
import { lookUp } from "../core/activation/find-name.ts";
import { byteCounter } from "../core/catalog/token-counter.ts";
import { createDocumentCache } from "../core/discovery/document-cache.ts";
import { touchesSkills } from "../core/discovery/touches-skills.ts";
import { variable } from "../core/environment.ts";
import { explain } from "../core/explain/explain.ts";
import { nextGuidance } from "../core/guidance/guidance.ts";
import { join } from "../core/path.ts";
import { cacheFolder } from "../core/places.ts";
import type { AgentFacts, Catalog, CatalogRequest, VisibleSkill } from "../core/profile.ts";
import { profileNamed } from "../core/profiles/index.ts";
import type { Skill } from "../core/snapshot.ts";
import { type BodyStore, createBodyStore } from "./body-store.ts";
import { createEnvironment } from "./environment.ts";
import { exampleRequests } from "./example-requests.ts";
import { expandMessage } from "./expand-message.ts";
import { frozenLists, readOnly, registerEntries } from "./guard-results.ts";
import { withoutShownVariables } from "./hidden-variables.ts";
import { createMcpSources } from "./mcp-sources/mcp-sources.ts";
import { nearMissesOf } from "./near-misses-of.ts";
import { createFileSystem, nodeCodec } from "./node-file-system.ts";
import { o200kCounter } from "./o200k-counter.ts";
import { answersDiffer } from "./open/answers-differ.ts";
import { checkedEntries } from "./open/checked-entries.ts";
import { createLoading } from "./open/loading.ts";
import { createSearching } from "./open/searching.ts";
import { createSkillFiles } from "./open/skill-files.ts";
import { createSurvey } from "./open/survey.ts";
import { checkOpenOptions, withCheckedCalls } from "./option-kinds.ts";
import { programLookup } from "./programs.ts";
import { rankingStep } from "./ranking-step.ts";
import { refusedWhere } from "./refused-where.ts";
import { createSkillSearch } from "./skill-search.ts";
import type { OpenOptions, Skills } from "./skills.ts";
import { steadyConfiguration } from "./steady-configuration.ts";
import { createLiveState } from "./watch/live-state.ts";

/**
 * Opens the skills of one working folder: reads configuration and stored decisions, searches the profile's folders and
 * decides what is visible. Synchronous; writes nothing but the profile's own skills, which are laid out in its data
 * folder once (docs/packs.md). Throws `SkilletError` for wrong options or a working folder
 * that does not exist; everything wrong in a user's files is a diagnostic. Features O1–O11, O14.
 */
export function openSkills(options: OpenOptions = {}): Skills {
  checkOpenOptions(options);
  const named = profileNamed(options.profile ?? "skillet");
  const { value: environment, diagnostics: environmentDiagnostics } = createEnvironment(options);
  const fileSystem = createFileSystem();
  const settings = steadyConfiguration({ environment, config: options.configFile });
  const agent = agentFacts(options);
  const hasProgram = programLookup(environment);
  const counter = options.counter ?? (named.tokens === "o200k_base" ? o200kCounter() : byteCounter);
  const cache = createDocumentCache();
  const enabled = named.mcpSources === true;
  const mcp = createMcpSources({ environment, fileSystem, codec: nodeCodec, enabled });
  const survey = createSurvey({
    options,
    named,
    environment,
    environmentDiagnostics,
    settings,
    agent,
    hasProgram,
    mcp,
    cache,
  });

  let current = survey(fileSystem);
  const bodyStore = (): BodyStore =>
    createBodyStore({ profile: current.profile, fileSystem, codec: nodeCodec, fetched: mcp.text });
  let bodies = bodyStore();
  const index = createSkillSearch(join(cacheFolder(environment), "search"));
  const live = createLiveState({
    fileSystem,
    first: current,
    options: { polling: variable(environment, "SKILLET_WATCH") === "poll" },
    survey,
    adopt: (next) => {
      const changed = answersDiffer(current, next);
      current.packs.release();
      current = next;
      if (changed) {
        bodies = bodyStore();
        index.changed();
      }
      return changed;
    },
    release: ({ packs }) => packs.release(),
  });

  const body = (skill: Skill): string => bodies.body(skill) ?? "";
  const visible = (): readonly VisibleSkill[] => current.entries.filter((entry) => entry.modelInvocable);
  const catalogRequest = (request: {
    readonly contextWindow?: number;
    readonly budget?: number;
  }): CatalogRequest => ({
    skills: visible(),
    permission: current.preparation.permission,
    window: request.contextWindow ?? null,
    budget: request.budget ?? null,
    configuration: current.configuration,
    counter,
  });
  const catalog: Skills["catalog"] = (request = {}): Catalog =>
    current.profile.catalog(catalogRequest(request));
  const files = createSkillFiles({ fileSystem, mcp });
  const { load, loadFile } = createLoading({
    current: () => current,
    body: (skill) => bodies.body(skill),
    files,
    mcp,
    live,
    environment,
    fileSystem,
  });
  const { search, searchTool } = createSearching({
    current: () => current,
    visible,
    index,
    texts: { body, examples: (skill) => exampleRequests(skill, { fileSystem, codec: nodeCodec }) },
    load,
  });

  let closed = false;
  const skills = withCheckedCalls({
    environment: withoutShownVariables(environment),
    get configuration() {
      return readOnly(current.configuration);
    },
    get profile() {
      return current.profile;
    },
    get preparation() {
      return current.preparation;
    },
    get start() {
      return current.preparation.start ?? null;
    },
    get snapshot() {
      return frozenLists(current.snapshot);
    },
    get entries() {
      return readOnly(current.entries);
    },
    get shadowed() {
      return readOnly(current.snapshot.shadowed);
    },
    get skipped() {
      return readOnly(current.snapshot.skipped);
    },
    get diagnostics() {
      return [...current.diagnostics, ...live.notices];
    },
    get workspace() {
      return current.trust.workspace(current.snapshot, current.entries);
    },
    find: (name) => lookUp(current.profile, current.entries, name),
    counter,
    catalog,
    guidance: (before = null, request = {}) => {
      const asked = catalogRequest(request);
      return nextGuidance(before, {
        profile: current.profile,
        catalog: current.profile.catalog(asked),
        request: asked,
        prefix: {
          model: request.model ?? "",
          agent: agent.name ?? "",
          permission: current.preparation.permission,
          tools: request.tools ?? (agent.tools ?? []).join(","),
        },
      });
    },
    search,
    searchTool,
    load,
    loadFile,
    expand: (message, request = {}) =>
      expandMessage(message, request, {
        profile: current.profile,
        preparation: current.preparation,
        entries: current.entries,
        environment,
        fileSystem,
        fileLimit: current.configuration.limits.listedFiles,
        touched: options.touched ?? [],
        body: (skill) => bodies.body(skill),
        load,
      }),
    commands: () =>
      current.profile.commands(current.entries, current.preparation.commands, body, environment),
    explain: (name, request = {}) =>
      explain({
        name,
        profile: current.profile,
        preparation: current.preparation,
        snapshot: current.snapshot,
        entries: checkedEntries(name, current),
        catalog: catalog(),
        ranking: (entry) =>
          request.request === undefined ? null : rankingStep(entry, request.request, search),
        nearMisses: (wanted) => nearMissesOf(wanted, { ...current, environment, fileSystem }),
      }),
    dynamicCommands: (skill) => (current.profile.dynamic === true ? findDynamicCommands(body(skill)) : []),
    body,
    files: (skill, limit = 200) => files.list(skill, limit),
    readFile: files.read,
    connect: async ({ force = false, signal } = {}) =>
      (await mcp.connect({ force, signal })) && live.reload(),
    retrieve: async (name, path = null, { by = "model", signal } = {}) => {
      const lookup = lookUp(current.profile, current.entries, name);
      if (lookup.kind !== "found" || lookup.entry.skill.root.scope !== "mcp") return;
      // Nothing is fetched for a model that would not get it.
      if (by === "model" && !lookup.entry.modelInvocable) return;
      if (await mcp.retrieve(lookup.entry.skill, path, signal)) live.reload();
    },
    reload: live.reload,
    edited: (paths) => {
      const places = {
        profile: current.profile,
        roots: current.preparation.roots,
        skills: [...current.snapshot.skills, ...current.snapshot.shadowed.map(({ skill }) => skill)],
        fileSystem,
        cwd: environment.cwd,
      };
      if (![paths].flat().some((path) => touchesSkills(path, places))) return false;
      // A file system with coarse times may show an edit as unchanged.
      cache.clear();
      return live.reload();
    },
    on: (_event, listener) => live.on(listener),
    watch: live.watch,
    close: () => {
      if (closed) return;
      closed = true;
      live.close();
      current.packs.release();
      cache.clear();
      index.close();
    },
  });
  return registerEntries(
    refusedWhere(skills, () => closed),
    () => current.entries,
  );
}

function agentFacts(options: OpenOptions): AgentFacts {
  return {
    name: options.agent ?? null,
    tools: options.tools ?? null,
    features: options.features ?? [],
    host: options.host ?? "cli",
    region: options.region ?? null,
    mcpServers: options.mcpServers ?? [],
    skills: options.skills ?? null,
    compatibleNames: options.compatibleAgents ?? [],
  };
}
