import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { SkilletError } from "../../core/error.ts";
import type { PulledRecord } from "../../core/remote/pulled-record.ts";
import { showSource } from "../../core/remote/pulled-roots.ts";
import type { RemoteSource } from "../../core/remote/remote-source.ts";
import { fetchGit } from "../install/fetch-git.ts";
import { fetchLocal } from "../install/fetch-local.ts";
import { lookAt } from "../install/look-at.ts";
import { parseSource } from "../install/parse-source.ts";
import { type Collected, collected, skillLimits } from "./collected.ts";
import { fromArtifact } from "./from-artifact.ts";
import type { PullContext } from "./pull-types.ts";

/** The skills of an archive, a single SKILL.md, a local folder or a repository. Never throws for what the source does. */
export async function collect(
  source: RemoteSource,
  before: PulledRecord | null,
  context: PullContext,
): Promise<Collected> {
  try {
    if (source.kind === "git") return await fromRepository(source, context);
    // A folder that is a repository without a working tree.
    if (source.kind === "folder" && lookAt(source.address) === "bare")
      return await fromRepository(source, context);
    if (source.kind === "folder") return fromFolder(source, context);
    return await fromArtifact(source, before, context);
  } catch (error) {
    if (!(error instanceof SkilletError) || context.signal.aborted) throw error;
    const path = showSource(source);
    return {
      kind: "failed",
      diagnostic: makeDiagnostic("remote/source", {
        path,
        message: error.message,
        hint: error.hint ?? undefined,
      }),
    };
  }
}

async function fromRepository(source: RemoteSource, context: PullContext): Promise<Collected> {
  const parsed = parseSource(source.address, { environment: context.environment, look: lookAt });
  if (parsed.kind !== "git")
    throw new SkilletError("failed", `${showSource(source)} is no address of a repository.`);
  const fetched = await fetchGit(
    { ...parsed, ref: source.ref ?? parsed.ref, path: source.folder ?? parsed.path },
    { environment: context.environment, limits: skillLimits(context.policy.limits), signal: context.signal },
  );
  return collected(source, {
    skills: fetched.skills,
    diagnostics: fetched.diagnostics,
    // A commit names its content; whoever pins one states a digest.
    stated: source.ref !== null && /^[0-9a-f]{40}$/.test(source.ref) ? (fetched.revision ?? null) : null,
    revision: fetched.revision,
  });
}

function fromFolder(source: RemoteSource, context: PullContext): Collected {
  const path = source.folder === null ? source.address : `${source.address}/${source.folder}`;
  const fetched = fetchLocal(
    { kind: "folder", text: source.address, skill: null, path },
    { limits: skillLimits(context.policy.limits) },
  );
  return collected(source, {
    skills: fetched.skills,
    diagnostics: fetched.diagnostics,
    stated: null,
    revision: null,
  });
}
