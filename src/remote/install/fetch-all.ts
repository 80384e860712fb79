import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { SkilletError } from "../../core/error.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import type { Fetched } from "./fetched-skill.ts";
import type { FetchOptions, InstallTools } from "./install-tools.ts";
import type { Source } from "./source.ts";

/** Sources fetched at the same time. */
const atOnce = 4;

/** One request for a source, and which skills of a lock it is for. */
export interface Wanted {
  /** A function may throw `SkilletError`: then this source alone has failed. */
  readonly source: Source | (() => Source);
  readonly options?: FetchOptions;
}

export type Answer =
  | { readonly kind: "fetched"; readonly fetched: Fetched }
  | { readonly kind: "failed"; readonly finding: Diagnostic };

/** Fetches several sources, a few at a time, each for itself; answers in the order of `wanted`. Rejects when cancelled. */
export async function fetchAll(wanted: readonly Wanted[], tools: InstallTools): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < wanted.length; index = next++) {
      const { source, options } = wanted[index] as Wanted;
      answers[index] = await fetchOne(source, options, tools);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, wanted.length) }, work));
  return answers;
}

async function fetchOne(
  wanted: Wanted["source"],
  options: FetchOptions | undefined,
  tools: InstallTools,
): Promise<Answer> {
  let label: string | null = null;
  try {
    const source = typeof wanted === "function" ? wanted() : wanted;
    label = source.text;
    return { kind: "fetched", fetched: await tools.fetch(source, options) };
  } catch (error) {
    if (!(error instanceof SkilletError) || error.code === "cancelled" || error.code === "environment")
      throw error;
    const hint = error.hint === null ? {} : { hint: error.hint };
    return {
      kind: "failed",
      finding: makeDiagnostic("install/fetch-failed", { path: label, message: error.message, ...hint }),
    };
  }
}

/** Entries of a lock that come from one source in one state share a key. */
export function sourceKey({ kind, url, source, ref }: LockedSkill, revision: string | null): string {
  return JSON.stringify([kind, url, url === null ? source : null, ref, revision]);
}
