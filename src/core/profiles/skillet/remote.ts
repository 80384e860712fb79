import type { Decision } from "../../decision.ts";
import type { Diagnostic } from "../../diagnostic.ts";
import { join } from "../../path.ts";
import { cacheFolder } from "../../places.ts";
import { openPolicy } from "../../policy/policy.ts";
import { readPolicy } from "../../policy/read-policy.ts";
import type { PrepareContext } from "../../profile.ts";
import { changedSincePull } from "../../remote/changed-since-pull.ts";
import { configuredSources } from "../../remote/configured-sources.ts";
import { type InstalledGate, installedGate } from "../../remote/installed-gate.ts";
import { type PulledRoots, pulledRoots } from "../../remote/pulled-roots.ts";
import type { RemotePlan, StoreCache } from "../../remote/remote-source.ts";
import { lenientReader } from "../../skill/lenient-reader.ts";
import type { Skill } from "../../snapshot.ts";

export interface SkilletRemote {
  readonly plan: RemotePlan;
  readonly pulled: PulledRoots;
  readonly diagnostics: readonly Diagnostic[];
  /** What was pulled from where, and every answer of the policy, for `why`. */
  readonly decisions: readonly Decision[];
  /** Keeps back what the policy refuses of pulled and of installed skills. */
  readonly gate: InstalledGate;
  changed(skill: Skill): string | null;
}

/** Sources of the settings, the store in the cache folder, and what lies there (docs/remote.md). */
export function skilletRemote({
  environment,
  configuration,
  fileSystem,
  codec,
}: PrepareContext): SkilletRemote {
  const cache: StoreCache = { kind: "store", folder: join(cacheFolder(environment), "remote-v1") };
  const { value: sources, diagnostics: wrong } = configuredSources(configuration, environment);
  const given = Object.keys(configuration.policy).length > 0;
  const read = given ? readPolicy(configuration.policy, configuration.origin.policy?.path ?? null) : null;
  const pulled = pulledRoots({
    sources,
    cache,
    policy: read?.value ?? openPolicy,
    fileSystem,
    codec,
    reader: lenientReader,
  });
  const installed = read === null ? null : installedGate(read.value, { environment, fileSystem, codec });
  return {
    gate: (skill) => pulled.gate(skill) ?? installed?.gate(skill) ?? null,
    decisions: [...pulled.decisions, ...(installed?.decisions ?? [])],
    plan: { cache, sources },
    pulled,
    diagnostics: [...wrong, ...(read?.diagnostics ?? []), ...pulled.diagnostics],
    changed: (skill) =>
      skill.root.scope === "remote"
        ? changedSincePull(pulled.entry(skill), { skill, fileSystem, codec })
        : null,
  };
}
