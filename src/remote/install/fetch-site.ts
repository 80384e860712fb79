import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { SkilletError } from "../../core/error.ts";
import type { RemoteLimits } from "../../core/policy/policy.ts";
import { printable } from "../../core/text/printable.ts";
import type { ArchiveLimits } from "../archive/limits.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import type { HttpClient } from "../http/http-types.ts";
import { showAddress } from "../http/show-address.ts";
import { eachLimited } from "../index/each-limited.ts";
import { fetchEntry } from "../index/fetch-entry.ts";
import { fetchIndex } from "../index/fetch-index.ts";
import type { IndexEntry } from "../index/index-types.ts";
import type { Fetched, FetchedSkill } from "./fetched-skill.ts";
import { judgeSkill } from "./judge-skill.ts";
import type { SiteSource } from "./source.ts";

export interface FetchSiteOptions {
  readonly client: HttpClient;
  readonly limits: ArchiveLimits;
  readonly remote: RemoteLimits;
  readonly mayLeave: (url: URL) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Skills of one site that are fetched at once. */
const skillsAtOnce = 4;

/** The skills of a site by its index, each proven and judged for itself. Throws `SkilletError` without an index. */
export async function fetchSite(source: SiteSource, options: FetchSiteOptions): Promise<Fetched> {
  const { client, remote, signal } = options;
  const stop = signal === undefined ? {} : { signal };
  const found = await fetchIndex(source.url, { client, limits: remote, ...stop });
  refuseIfCancelled(signal);
  if (found.kind !== "index") {
    const { message, hint } =
      found.kind === "failed" ? found.diagnostic : { message: "The index did not come.", hint: null };
    throw new SkilletError("failed", message, hint === null ? {} : { hint });
  }
  const { index, url } = found;
  const entries = index.entries.filter(({ name }) => source.skill === null || name === source.skill);
  const label = showAddress(url);
  const diagnostics: Diagnostic[] = index.problems
    .filter(({ name }) => source.skill === null || name === source.skill)
    .map(({ name, code, message }) =>
      makeDiagnostic(code, { path: label, message: `${printable(name)}: ${message}.` }),
    );
  const results = await eachLimited(entries, skillsAtOnce, (entry) =>
    fetchOne(entry, { ...options, url, label }),
  );
  refuseIfCancelled(signal);
  const skills = results.flatMap((result) => {
    diagnostics.push(...result.diagnostics);
    return result.skill === null ? [] : [result.skill];
  });
  if (entries.length === 0 && source.skill !== null) {
    const message = `There is no skill "${source.skill}" in the index.`;
    diagnostics.push(makeDiagnostic("install/no-skill", { path: label, message }));
  }
  return {
    kind: "site",
    source: source.text,
    url,
    ref: null,
    revision: null,
    stated: index.form === "0.2",
    skills,
    diagnostics,
  };
}

function refuseIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new SkilletError("cancelled", "Cancelled.");
}

async function fetchOne(
  entry: IndexEntry,
  options: FetchSiteOptions & { readonly url: string; readonly label: string },
): Promise<{ readonly skill: FetchedSkill | null; readonly diagnostics: readonly Diagnostic[] }> {
  const { client, remote, limits, signal, url, label } = options;
  const fetched = await fetchEntry(entry, {
    client,
    limits: remote,
    mayLeave: options.mayLeave,
    index: url,
    ...(signal === undefined ? {} : { signal }),
  });
  if (fetched.kind === "failed") return { skill: null, diagnostics: fetched.diagnostics };
  const { files } = fetched;
  const candidate = { folder: "", folderName: entry.name, files, links: [] };
  const { skill, diagnostics } = judgeSkill(candidate, {
    label: `${label}#${entry.name}`,
    limits,
    links: "refuse",
  });
  if (skill === null) return { skill, diagnostics: [...fetched.diagnostics, ...diagnostics] };
  // The index names the skill; what the file calls itself may differ.
  const named = { ...skill, name: entry.name, path: entry.name, digest: treeDigest(files) };
  return { skill: named, diagnostics: fetched.diagnostics };
}
