import { startFindings } from "../../core/activation/start-findings.ts";
import type { Configuration } from "../../core/configuration.ts";
import type { Diagnostic, Result } from "../../core/diagnostic.ts";
import { discover } from "../../core/discovery/discover.ts";
import type { DocumentCache } from "../../core/discovery/document-cache.ts";
import { findRepository, type Repository } from "../../core/discovery/repository.ts";
import type { Environment } from "../../core/environment.ts";
import type { FileSystem } from "../../core/file-system.ts";
import { withLocalTexts } from "../../core/packs/localize.ts";
import { contains } from "../../core/path.ts";
import type { AgentFacts, Preparation, Profile, VisibleSkill } from "../../core/profile.ts";
import type { Snapshot } from "../../core/snapshot.ts";
import { decideVisibility } from "../../core/visibility/view.ts";
import { approvalFolder } from "../approve-always.ts";
import type { McpSources } from "../mcp-sources/mcp-sources.ts";
import { withMcpTrust } from "../mcp-sources/mcp-trust.ts";
import { nodeCodec } from "../node-file-system.ts";
import { type PreparedPacks, providePacks } from "../packs/provide-packs.ts";
import type { OpenOptions } from "../skills.ts";
import { disabledBy, type Trust } from "../stored-decisions.ts";

/** All that one look at the disk gave: settings, stored decisions, what was found and who may see it. Never changed. */
export interface Picture {
  readonly configuration: Configuration;
  /** Folder that saved approvals belong to. */
  readonly workFolder: string;
  readonly trust: Trust;
  readonly packs: PreparedPacks;
  readonly preparation: Preparation;
  /** The named profile with the limits, reader and texts of this look. */
  readonly profile: Profile;
  readonly snapshot: Snapshot;
  /** Every winner with its visibility, in list order. */
  readonly entries: readonly VisibleSkill[];
  /** Of environment, configuration, stored decisions and discovery, in that order. */
  readonly diagnostics: readonly Diagnostic[];
}

/** What stays the same from look to look. */
export interface SurveyInput {
  readonly options: OpenOptions;
  readonly named: Profile;
  readonly environment: Environment;
  readonly environmentDiagnostics: readonly Diagnostic[];
  readonly settings: (fileSystem: FileSystem, trusted: boolean) => Result<Configuration>;
  readonly agent: AgentFacts;
  readonly hasProgram: (name: string) => boolean;
  readonly mcp: McpSources;
  /** Reads of the look before. */
  readonly cache: DocumentCache;
}

/** Makes the function that looks at everything anew. What it gives holds a claim on pack folders: release it. */
export function createSurvey(input: SurveyInput): (fileSystem: FileSystem) => Picture {
  const { options, named, environment, agent, hasProgram, mcp, cache } = input;
  return (fileSystem) => {
    const repository = findRepository(fileSystem, environment.cwd);
    const { trust, trusted, configuration, diagnostics } = decisions(input, fileSystem, repository);
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
    const profile = prepared(named, preparation, packs);
    const { state } = trust;
    const disabled = disabledBy({ configuration, state, profile, also: options.disabled ?? [] });
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
        ...input.environmentDiagnostics,
        ...diagnostics,
        ...trust.diagnostics,
        ...snapshot.diagnostics,
        ...startFindings(preparation.start, { profile, entries }),
      ],
    };
  };
}

interface UserDecisions {
  readonly trust: Trust;
  /** Whether the working folder is trusted. */
  readonly trusted: boolean;
  readonly configuration: Configuration;
  readonly diagnostics: readonly Diagnostic[];
}

/** Settings and trust. Addresses that a project names count only once it is trusted, which its settings were needed for. */
function decisions(
  { options, environment, settings, mcp }: SurveyInput,
  fileSystem: FileSystem,
  repository: Repository | null,
): UserDecisions {
  const always = options.trust === true;
  const first = settings(fileSystem, always);
  const trust = withMcpTrust(mcp, {
    environment,
    configuration: first.value,
    repository,
    fileSystem,
    codec: nodeCodec,
    always,
  });
  const trusted =
    always ||
    first.value.trust.workspace === "always" ||
    trust.folders.some((folder) => contains(folder, environment.cwd));
  const { projectMcp, skills } = first.value;
  const waiting = projectMcp || skills.projectUrls.some((url) => !skills.urls.includes(url));
  const { value: configuration, diagnostics } = trusted && waiting ? settings(fileSystem, true) : first;
  return { trust, trusted, configuration, diagnostics };
}

/** The profile as its own preparation changes it. */
function prepared(named: Profile, { limits, reader }: Preparation, packs: PreparedPacks): Profile {
  const limited: Profile =
    limits === undefined ? named : { ...named, readLimits: limits.read, fileLimit: limits.fileBytes };
  const read: Profile = reader === undefined ? limited : { ...limited, reader };
  return packs.texts.size === 0 ? read : withLocalTexts(read, packs.texts);
}
