import { findDynamicCommands } from "../core/activation/dynamic-commands.ts";
import { lookUp } from "../core/activation/find-name.ts";
import { listFiles } from "../core/activation/list-files.ts";
import { gateLoad, loadSkill } from "../core/activation/load-skill.ts";
import { startFindings } from "../core/activation/start-findings.ts";
import { byteCounter } from "../core/catalog/token-counter.ts";
import type { Configuration } from "../core/configuration.ts";
import { makeDiagnostic } from "../core/diagnostics/make.ts";
import { discover } from "../core/discovery/discover.ts";
import { createDocumentCache } from "../core/discovery/document-cache.ts";
import { findRepository } from "../core/discovery/repository.ts";
import { touchesSkills } from "../core/discovery/touches-skills.ts";
import { variable } from "../core/environment.ts";
import { explain } from "../core/explain/explain.ts";
import type { FileSystem } from "../core/file-system.ts";
import { nextGuidance } from "../core/guidance/guidance.ts";
import { withLocalTexts } from "../core/packs/localize.ts";
import { contains, join } from "../core/path.ts";
import { cacheFolder } from "../core/places.ts";
import { isEachSame, isSameSnapshot } from "../core/precedence/same-snapshot.ts";
import type {
  AgentFacts,
  Catalog,
  CatalogRequest,
  Profile,
  ProfileSearch,
  VisibleSkill,
} from "../core/profile.ts";
import { profileNamed } from "../core/profiles/index.ts";
import type { Skill, Snapshot } from "../core/snapshot.ts";
import { authorize } from "../core/visibility/permission.ts";
import { approvedRules } from "../core/visibility/stored-state.ts";
import { decideVisibility } from "../core/visibility/view.ts";
import { approvalFolder } from "./approve-always.ts";
import { type BodyStore, createBodyStore } from "./body-store.ts";
import { createEnvironment } from "./environment.ts";
import { exampleRequests } from "./example-requests.ts";
import { expandMessage } from "./expand-message.ts";
import { frozenLists, readOnly, registerEntries } from "./guard-results.ts";
import { withoutShownVariables } from "./hidden-variables.ts";
import { createMcpSources } from "./mcp-sources/mcp-sources.ts";
import { withMcpTrust } from "./mcp-sources/mcp-trust.ts";
import { nearMissesOf } from "./near-misses-of.ts";
import { createFileSystem, nodeCodec } from "./node-file-system.ts";
import { o200kCounter } from "./o200k-counter.ts";
import { checkOpenOptions, withCheckedCalls } from "./option-kinds.ts";
import { providePacks } from "./packs/provide-packs.ts";
import { programLookup } from "./programs.ts";
import { rankingStep } from "./ranking-step.ts";
import { refusedWhere } from "./refused-where.ts";
import { fileOf, readSkillFile } from "./skill-file.ts";
import { createSkillSearch, loadedAtOnce, type SkillTexts } from "./skill-search.ts";
import type { OpenOptions, Skills } from "./skills.ts";
import { steadyConfiguration } from "./steady-configuration.ts";
import { disabledBy, type Trust } from "./stored-decisions.ts";
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
  const agent: AgentFacts = {
    name: options.agent ?? null,
    tools: options.tools ?? null,
    features: options.features ?? [],
    host: options.host ?? "cli",
    region: options.region ?? null,
    mcpServers: options.mcpServers ?? [],
    skills: options.skills ?? null,
    compatibleNames: options.compatibleAgents ?? [],
  };
  const hasProgram = programLookup(environment);
  const counter = options.counter ?? (named.tokens === "o200k_base" ? o200kCounter() : byteCounter);
  const cache = createDocumentCache();
  const mcp = createMcpSources({
    environment,
    fileSystem,
    codec: nodeCodec,
    enabled: named.mcpSources === true,
  });

  const survey = (fileSystem: FileSystem) => {
    const first = settings(fileSystem, options.trust === true);
    const repository = findRepository(fileSystem, environment.cwd);
    const trust = withMcpTrust(mcp, {
      environment,
      configuration: first.value,
      repository,
      fileSystem,
      codec: nodeCodec,
      always: options.trust === true,
    });
    const trusted =
      options.trust === true ||
      first.value.trust.workspace === "always" ||
      trust.folders.some((folder) => contains(folder, environment.cwd));
    // Addresses that a project names count only once it is trusted, which its settings were needed for.
    const waiting =
      first.value.projectMcp ||
      first.value.skills.projectUrls.some((url) => !first.value.skills.urls.includes(url));
    const { value: configuration, diagnostics: configurationDiagnostics } =
      trusted && waiting ? settings(fileSystem, true) : first;
    const packs = providePacks({
      profile: named,
      environment,
      configuration,
      codec: nodeCodec,
      hasProgram,
      pack: options.pack ?? null,
    });
    const preparation = named.prepare({
      environment,
      fileSystem,
      codec: nodeCodec,
      configuration,
      agent,
      packs,
      mcp: mcp.provide(configuration),
      trust: trusted,
    });
    const limited: Profile =
      preparation.limits === undefined
        ? named
        : { ...named, readLimits: preparation.limits.read, fileLimit: preparation.limits.fileBytes };
    const read: Profile =
      preparation.reader === undefined ? limited : { ...limited, reader: preparation.reader };
    const profile = packs.texts.size === 0 ? read : withLocalTexts(read, packs.texts);
    const disabled = disabledBy({
      configuration,
      state: trust.state,
      profile,
      also: options.disabled ?? [],
    });
    const revealing = profile.visibility.reveal === true && configuration.skills.disabledRevealsShadowed;
    const snapshot = discover({
      profile,
      aside: revealing ? (skill) => disabled(skill) !== null : null,
      preparation,
      fileSystem,
      codec: nodeCodec,
      limits: { folders: configuration.limits.scanFolders, entries: configuration.limits.scanEntries },
      trustedFolders: trust.folders,
      cache,
    });
    const entries = decideVisibility(snapshot, profile.visibility, {
      permission: preparation.permission,
      agent,
      trust: trust.verdict,
      disabled,
      gate: (skill) => preparation.gate?.(skill, snapshot) ?? null,
      touched: options.touched ?? [],
      hasProgram,
      variables: environment.variables,
      platform: environment.platform,
    });
    return {
      configuration,
      workFolder: approvalFolder(repository, environment),
      trust,
      packs,
      preparation,
      profile,
      snapshot,
      entries,
      diagnostics: [
        ...environmentDiagnostics,
        ...configurationDiagnostics,
        ...trust.diagnostics,
        ...snapshot.diagnostics,
        ...startFindings(preparation.start, { profile, entries }),
      ],
    };
  };

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
  const searchTexts: SkillTexts = {
    body,
    examples: (skill) => exampleRequests(skill, { fileSystem, codec: nodeCodec }),
  };
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
  const search: Skills["search"] = (query, request = {}) => {
    if (current.profile.search !== undefined) return mirroredSearch(current.profile.search, query, visible());
    const { limit, autoLoad } = current.configuration.search;
    const results = index.index(visible(), searchTexts).search(query, {
      limit: request.limit ?? (query.trim() === "" ? visible().length : limit),
      explain: request.explain === true,
    });
    const asked = request.autoLoad ?? autoLoad;
    return { results, autoLoad: asked ? loadedAtOnce(results, visible()) : null };
  };
  const changed = (skill: Skill): string | null =>
    current.trust.changed(skill) ?? current.preparation.changed?.(skill) ?? null;
  const load: Skills["load"] = (name, request = {}) => {
    const by = request.by ?? "model";
    const loaded = loadSkill({
      profile: current.profile,
      entries: current.entries,
      name,
      arguments: request.arguments ?? "",
      by,
      approved: request.approved === true || isApproved(name),
      body: (skill) => bodies.body(skill),
      missing: (skill) => mcp.problem(skill, null)?.message ?? null,
      changed,
      fileSystem,
      environment,
      fileLimit: current.configuration.limits.listedFiles,
      ...(request.commandOutputs === undefined ? {} : { commandOutputs: request.commandOutputs }),
    });
    if (loaded.status === "unreadable") {
      const found = current.entries.find(({ skill }) => skill.name === loaded.name);
      const problem = found === undefined ? null : mcp.problem(found.skill, null);
      return { ...loaded, diagnostics: problem === null ? [] : [problem] };
    }
    const gone = loaded.status === "unknown" ? live.departed(name) : null;
    // Who did not see it before is not told of it now (row H09).
    if (gone === null || !(by === "model" ? gone.forModel : gone.listed))
      return { ...loaded, diagnostics: [] };
    const { location, message } = gone;
    return {
      ...loaded,
      output: current.profile.departed?.(name, message) ?? loaded.output,
      diagnostics: [makeDiagnostic("skill/departed", { path: location, message })],
    };
  };
  const filesOf = (
    skill: Skill,
    limit: number,
  ): { readonly files: readonly string[]; readonly more: boolean } => {
    if (skill.root.scope === "mcp") {
      const all = mcp.files(skill);
      return { files: all.slice(0, limit), more: all.length > limit };
    }
    if (skill.directory === null || skill.flat) return { files: [], more: false };
    const ignore = new Set(["node_modules", ".git"]);
    const { files, more } = listFiles(fileSystem, skill.directory, {
      limit,
      depth: 8,
      hidden: true,
      ignore,
      accept: () => true,
    });
    return { files, more };
  };
  const readFile: Skills["readFile"] = (skill, path) => {
    if (skill.root.scope !== "mcp") return readSkillFile(skill, path, { fileSystem, codec: nodeCodec });
    const read = mcp.file(skill, path);
    return "reason" in read ? { kind: "refused", ...read } : fileOf(read.bytes, nodeCodec);
  };
  const isApproved = (name: string): boolean => {
    const saved = approvedRules(current.trust.state, named.id, current.workFolder);
    const request = { permission: "skill", patterns: [name] };
    return (
      saved.length > 0 && authorize(request, { rules: current.preparation.permission, saved }) === "allow"
    );
  };

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
    searchTool: (query, request = {}) => {
      const own = current.profile.search;
      if (own === undefined) return null;
      const answer = own.rank(query, visible());
      const loaded =
        answer.autoLoad === null ? null : load(answer.autoLoad, { approved: request.approved === true });
      return loaded?.status === "loaded"
        ? own.toolText(answer, loaded.output)
        : own.toolText({ ...answer, autoLoad: null }, null);
    },
    load,
    loadFile: (name, path, request = {}) => {
      const gate = gateLoad({
        profile: current.profile,
        entries: current.entries,
        name,
        by: request.by ?? "model",
        approved: request.approved === true || isApproved(name),
        changed,
      });
      if (gate.kind === "refused") {
        const { status, name: found, output } = gate.result;
        return { status: status === "loaded" ? "unknown" : status, name: found, output };
      }
      const { skill } = gate.entry;
      return path === null
        ? { status: "listed", name: skill.name, ...filesOf(skill, 200) }
        : {
            status: "read",
            name: skill.name,
            file: readFile(skill, path),
          };
    },
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
        ranking: request.request === undefined ? null : rankingStep(name, request.request, search),
        nearMisses: (wanted) => nearMissesOf(wanted, { ...current, environment, fileSystem }),
      }),
    dynamicCommands: (skill) => (current.profile.dynamic === true ? findDynamicCommands(body(skill)) : []),
    body,
    files: (skill, limit = 200) => filesOf(skill, limit),
    readFile,
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

/**
 * The entries with the named one's folder compared to what was approved, however large it is: `why` has to give the
 * answer that a load gives (row H11).
 */
function checkedEntries(
  name: string,
  {
    profile,
    entries,
    trust,
  }: { readonly profile: Profile; readonly entries: readonly VisibleSkill[]; readonly trust: Trust },
): readonly VisibleSkill[] {
  const lookup = lookUp(profile, entries, name);
  if (lookup.kind !== "found" || !lookup.entry.modelInvocable) return entries;
  const change = trust.changed(lookup.entry.skill);
  if (change === null) return entries;
  const message = `It changed since its project was trusted (${change}), so no model gets it. \`skillet trust\` changes that.`;
  const checked: VisibleSkill = {
    ...lookup.entry,
    trusted: false,
    modelInvocable: false,
    decisions: [
      ...lookup.entry.decisions.filter(({ stage }) => stage !== "trust"),
      { stage: "trust", outcome: "hidden", reason: "changed", path: lookup.entry.skill.location, message },
    ],
  };
  return entries.map((entry) => (entry === lookup.entry ? checked : entry));
}

interface AnswerSource {
  readonly configuration: Configuration;
  readonly snapshot: Snapshot;
  readonly entries: readonly VisibleSkill[];
}

function answersDiffer(before: AnswerSource, after: AnswerSource): boolean {
  return (
    !isSameSnapshot(before.snapshot, after.snapshot) ||
    !isEachSame(before.entries, after.entries, isSameView) ||
    JSON.stringify(before.configuration) !== JSON.stringify(after.configuration)
  );
}

function isSameView(one: VisibleSkill, other: VisibleSkill): boolean {
  return (
    one.skill.location === other.skill.location &&
    one.modelInvocable === other.modelInvocable &&
    one.userInvocable === other.userInvocable &&
    one.hidden?.reason === other.hidden?.reason
  );
}

/** Hits of a system's own search; its score serves as the probability. */
function mirroredSearch(
  own: ProfileSearch,
  query: string,
  skills: readonly VisibleSkill[],
): ReturnType<Skills["search"]> {
  const { results, autoLoad } = own.rank(query, skills);
  const places = new Map(skills.map(({ skill }) => [skill.name, skill.location]));
  return {
    results: results.map(({ name, score, reason }) => ({
      name,
      location: places.get(name) ?? "",
      score,
      probability: score,
      reason,
    })),
    autoLoad,
  };
}
