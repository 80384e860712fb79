import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { RemoteLimits } from "../../core/policy/policy.ts";
import { showSource } from "../../core/remote/pulled-roots.ts";
import type { RemoteSource } from "../../core/remote/remote-source.ts";
import { type ArchiveLimits, archiveLimits } from "../archive/limits.ts";
import type { FetchedSkill } from "../install/fetched-skill.ts";
import type { Incoming } from "./pull-types.ts";

/** Everything that a source which is no index gives at once. */
export type Collected =
  | {
      readonly kind: "collected";
      readonly incoming: readonly Incoming[];
      readonly diagnostics: readonly Diagnostic[];
      readonly etag: string | null;
      readonly modified: string | null;
      readonly digest: string | null;
      readonly revision: string | null;
    }
  | { readonly kind: "unchanged" }
  | { readonly kind: "failed"; readonly diagnostic: Diagnostic };

/** The policy's limits as those of one skill of an archive, a folder or a repository. */
export function skillLimits(limits: RemoteLimits): ArchiveLimits {
  return {
    ...archiveLimits,
    packedBytes: limits.archiveBytes,
    bytes: limits.skillBytes,
    entries: Math.max(archiveLimits.entries, limits.files),
  };
}

/** The judged skills of a source as what arrived; those that the settings do not ask for are left out. */
export function collected(
  source: RemoteSource,
  found: {
    readonly skills: readonly FetchedSkill[];
    readonly diagnostics: readonly Diagnostic[];
    readonly stated: string | null;
    readonly revision: string | null;
  },
): Extract<Collected, { kind: "collected" }> {
  const path = showSource(source);
  const linked = found.skills.filter(({ links }) => links.size > 0);
  const refused = linked.map(({ name }) =>
    makeDiagnostic("archive/link", { path, message: `${name}: it has links, which are not pulled.` }),
  );
  const incoming = found.skills
    .filter(({ name, links }) => links.size === 0 && (source.only === null || source.only.includes(name)))
    .map(
      ({ name, files }): Incoming => ({
        name,
        files,
        etags: new Map(),
        stated: found.stated,
        version: null,
        signatures: [],
        diagnostics: [],
      }),
    );
  return {
    kind: "collected",
    incoming,
    diagnostics: [...found.diagnostics, ...refused],
    etag: null,
    modified: null,
    digest: null,
    revision: found.revision,
  };
}
