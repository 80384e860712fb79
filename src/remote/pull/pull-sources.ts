import type { Configuration } from "../../core/configuration.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { configuredPolicy } from "../../core/policy/configured-policy.ts";
import { realPolicy } from "../../core/policy/real-origin.ts";
import { showSource } from "../../core/remote/pulled-roots.ts";
import type { RemotePlan, RemoteSource } from "../../core/remote/remote-source.ts";
import { createFileSystem, nodeCodec } from "../../host/node-file-system.ts";
import { liveFolders } from "../cache/records.ts";
import { openSkillStore } from "../cache/skill-store.ts";
import { createHttpClient } from "../http/create-http-client.ts";
import { eachLimited } from "../index/each-limited.ts";
import { pullMirror } from "../mirror/pull-mirror.ts";
import { hostPolicy } from "../policy/host-policy.ts";
import { pullSource } from "./pull-source.ts";
import type { PullOutcome, PullProgress } from "./pull-types.ts";

export interface PullOptions {
  readonly plan: RemotePlan;
  readonly environment: Environment;
  readonly configuration: Configuration;
  /** Labels or addresses of the sources to pull; absent or empty = all. */
  readonly only?: readonly string[];
  readonly acceptOlder?: boolean;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
  readonly progress?: (progress: PullProgress) => void;
}

export interface PullResult {
  readonly outcomes: readonly PullOutcome[];
  /** Folders of skills that nothing names any more and that were removed. */
  readonly pruned: number;
}

/** The longest that one pull of all sources takes, milliseconds. */
const longest = 5 * 60_000;
/** Sources of Skillet's own cache that are pulled at once. */
const sourcesAtOnce = 2;

/**
 * Pulls the configured sources of a profile. Each stands for itself: one that fails costs the others nothing. Throws
 * `SkilletError` "not-found" for an unknown name, "cancelled" when it was stopped, and when the disk refuses.
 */
export async function pullSources(options: PullOptions): Promise<PullResult> {
  const { plan, environment, configuration } = options;
  const policy = realPolicy(configuredPolicy(configuration), createFileSystem());
  const sources = chosen(plan.sources, options.only ?? []);
  const ending = new AbortController();
  const timer = setTimeout(() => ending.abort(new Error("late")), longest);
  const signal =
    options.signal === undefined ? ending.signal : AbortSignal.any([ending.signal, options.signal]);
  const mirrored = plan.cache.kind === "mirror";
  const own = sources
    .filter(({ namedBy, trusted }) => namedBy === "own" || (mirrored && trusted))
    .map(({ address }) => address);
  const client = createHttpClient({
    environment,
    policy: hostPolicy(policy, { own, plainHttp: mirrored }),
    signal,
  });
  const common = {
    client,
    policy,
    now: new Date().toISOString(),
    signal,
    progress: options.progress ?? (() => undefined),
  };
  try {
    const { cache } = plan;
    if (cache.kind === "mirror") {
      if (options.dryRun === true)
        throw new SkilletError("usage", "A dry run is not possible for a mirrored agent's cache.");
      // One after the other: addresses may share folders, and the agents go by their order.
      const outcomes = await eachLimited(
        sources,
        1,
        (source) => waits(source) ?? pullMirror(source, cache, common),
      );
      return { outcomes, pruned: 0 };
    }
    const place = { folder: cache.folder, fileSystem: createFileSystem(), codec: nodeCodec };
    const store = openSkillStore(cache.folder);
    const context = {
      ...common,
      ...place,
      environment,
      store,
      acceptOlder: options.acceptOlder === true,
      dryRun: options.dryRun === true,
    };
    const outcomes = await eachLimited(
      sources,
      sourcesAtOnce,
      (source) => waits(source) ?? pullSource(source, context),
    );
    return { outcomes, pruned: context.dryRun ? 0 : store.prune(liveFolders(place)) };
  } catch (error) {
    if (options.signal?.aborted === true)
      throw new SkilletError("cancelled", "Stopped. What was pulled before is as it was.", { cause: error });
    if (ending.signal.aborted)
      throw new SkilletError("failed", `The sources were not pulled within ${longest / 60_000} minutes.`, {
        hint: "Pull them one by one: skillet pull NAME",
        cause: error,
      });
    throw error;
  } finally {
    clearTimeout(timer);
    client.close();
  }
}

/** A project's address is not asked before the project is trusted (row H02). */
function waits(source: RemoteSource): Promise<PullOutcome> | null {
  if (source.namedBy === "own" || source.trusted) return null;
  const path = showSource(source);
  const message = `This project names ${path}; nothing is fetched from it before you trust the project.`;
  return Promise.resolve({
    source,
    status: "refused",
    changes: [],
    diagnostics: [makeDiagnostic("remote/not-trusted", { path, message })],
  });
}

function chosen(sources: readonly RemoteSource[], only: readonly string[]): readonly RemoteSource[] {
  if (only.length === 0) return sources;
  return only.map((wanted) => {
    const found = sources.find(({ label, address }) => label === wanted || address === wanted);
    if (found !== undefined) return found;
    const names = sources.map(showName).join(", ");
    throw new SkilletError("not-found", `There is no source "${showSource({ address: wanted })}".`, {
      hint: names === "" ? "No sources are configured." : `Configured: ${names}`,
    });
  });
}

function showName(source: RemoteSource): string {
  return source.label === source.address ? showSource(source) : source.label;
}
