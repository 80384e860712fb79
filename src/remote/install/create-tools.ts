import type { Environment } from "../../core/environment.ts";
import { SkilletError } from "../../core/error.ts";
import { isScript } from "../../core/policy/is-script.ts";
import { judgeOrigin, judgeSkill, policyDiagnostics } from "../../core/policy/judge.ts";
import type { Policy } from "../../core/policy/policy.ts";
import { realOrigin, realPolicy } from "../../core/policy/real-origin.ts";
import { printable } from "../../core/text/printable.ts";
import { createFileSystem } from "../../host/node-file-system.ts";
import { type ArchiveLimits, archiveLimits } from "../archive/limits.ts";
import { createHttpClient } from "../http/create-http-client.ts";
import type { HostPolicy, HttpClient } from "../http/http-types.ts";
import { hostPolicy } from "../policy/host-policy.ts";
import { publisherOf } from "../policy/signature.ts";
import { fetchGit } from "./fetch-git.ts";
import { fetchLocal } from "./fetch-local.ts";
import { fetchSite } from "./fetch-site.ts";
import { fetchArchiveSource, fetchFileSource } from "./fetch-web.ts";
import type { Fetched, FetchedSkill } from "./fetched-skill.ts";
import type { FetchOptions, InstallTools } from "./install-tools.ts";
import type { Source } from "./source.ts";
import { openTreeStore } from "./tree-store.ts";

export interface CreateToolsOptions {
  readonly environment: Environment;
  readonly policy: Policy;
  /** Addresses that the user named, or that stand in a lock of the user's or of a trusted project. */
  readonly own: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/** What the operations work with: fetching within the policy, and the cache. `close` ends idle connections. */
export function createInstallTools(
  options: CreateToolsOptions,
): InstallTools & { registries(): HttpClient; close(): void } {
  const { environment, signal } = options;
  const fileSystem = createFileSystem();
  const policy = realPolicy(options.policy, fileSystem);
  const hosts = withKnownRedirects(hostPolicy(policy, { own: options.own.map(webForm) }));
  const client = createHttpClient({
    environment,
    policy: hosts,
    ...(signal === undefined ? {} : { signal }),
  });
  const limits = limitsOf(policy);
  let registry: HttpClient | null = null;
  // A registry hands content out from wherever it lies; the digest of the manifest proves it.
  const registries = (): HttpClient => {
    registry ??= createHttpClient({
      environment,
      policy: { ...hosts, redirect: (_from, to) => to.protocol === "https:" },
      ...(signal === undefined ? {} : { signal }),
    });
    return registry;
  };
  const fetch = async (source: Source, how: FetchOptions = {}): Promise<Fetched> => {
    const origin = realOrigin(addressOf(source), fileSystem);
    const step = judgeOrigin(policy, origin);
    if (!step.allowed) {
      throw new SkilletError("denied", `${printable(source.text)} may not be used: ${step.message}`, {
        hint: "The setting `policy` of yours or of your administrator says so.",
      });
    }
    return { ...(await fetchFrom(source, how)), origin };
  };
  const fetchFrom = async (source: Source, how: FetchOptions): Promise<Fetched> => {
    const common = { client, limits, remote: policy.limits, signal };
    switch (source.kind) {
      case "git": {
        const plainHttp = URL.canParse(source.url) && hosts.plainHttp(new URL(source.url));
        return fetchGit(source, { environment, limits, signal, plainHttp, revision: how.revision ?? null });
      }
      case "folder":
        return fetchLocal(source, { limits });
      case "archive":
        return fetchArchiveSource(source, common);
      case "file":
        return fetchFileSource(source, common);
      case "site":
        return fetchSite(source, { ...common, mayLeave: (url) => hosts.redirect(new URL(source.url), url) });
      case "oci": {
        const { fetchOci } = await import("../oci/fetch-oci.ts");
        return fetchOci(source, {
          ...common,
          client: registries(),
          environment,
          revision: how.revision ?? null,
        });
      }
    }
  };
  return {
    environment,
    limits,
    signal,
    fetch,
    store: openTreeStore(environment),
    approve: (skill, from) => approve(policy, skill, from),
    registries,
    close: () => {
      client.close();
      registry?.close();
    },
  };
}

function approve(policy: Policy, skill: FetchedSkill, from: Fetched): ReturnType<InstallTools["approve"]> {
  const judgement = judgeSkill(policy, {
    name: skill.name,
    origin: from.origin ?? from.url ?? from.source,
    files: skill.files.map(({ path, bytes, executable }) => ({
      path,
      bytes: bytes.length,
      script: isScript({ path, executable, head: bytes }),
    })),
    digestStated: from.stated === true || from.kind === "git" || from.kind === "oci",
    publisher: publisherOf(policy, skill.files, [])?.name ?? null,
  });
  return policyDiagnostics(judgement, { name: skill.name, path: printable(from.source), policy });
}

function limitsOf(policy: Policy): ArchiveLimits {
  const { archiveBytes, skillBytes } = policy.limits;
  return { ...archiveLimits, packedBytes: archiveBytes, bytes: skillBytes };
}

function addressOf(source: Source): string {
  if (source.kind === "folder") return source.path;
  if (source.kind === "oci") return `oci://${source.reference}`;
  if (source.kind === "git" || source.kind === "site") return source.url;
  return source.url ?? source.path ?? "";
}

/** `oci://host/…` is spoken over https. */
function webForm(address: string): string {
  const host = /^oci:\/\/([^/]+)/.exec(address)?.[1];
  if (host === undefined) return address;
  return `${/^(?:localhost|127\.)/.test(host) ? "http" : "https"}://${host}`;
}

/** Downloads of these hosts are answered from other hosts of the same owner. */
const moves: ReadonlyMap<string, RegExp> = new Map([
  ["github.com", /^(?:codeload\.github\.com|[\w-]+\.githubusercontent\.com)$/],
  ["gitlab.com", /^(?:[\w-]+\.)?gitlab\.com$/],
]);

function withKnownRedirects(base: HostPolicy): HostPolicy {
  return {
    ...base,
    redirect: (from, to) =>
      base.redirect(from, to) ||
      (to.protocol === "https:" && moves.get(from.hostname)?.test(to.hostname) === true),
  };
}
