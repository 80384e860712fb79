import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import type { RemoteLimits } from "../../core/policy/policy.ts";
import type { HttpClient } from "../http/http-types.ts";
import { showAddress } from "../http/show-address.ts";
import { indexPlaces } from "./index-places.ts";
import type { SkillIndex } from "./index-types.ts";
import { parseIndex } from "./parse-index.ts";

/** What was known of an index from an earlier fetch. */
export interface KnownIndex {
  /** Where it was found. */
  readonly url: string;
  readonly etag: string | null;
  readonly modified: string | null;
}

export type FetchedIndex =
  | {
      readonly kind: "index";
      readonly index: SkillIndex;
      /** Where it was found, after redirects. */
      readonly url: string;
      /** Where it was asked for. */
      readonly asked: string;
      readonly etag: string | null;
      readonly modified: string | null;
      readonly bytes: Uint8Array;
    }
  | { readonly kind: "unchanged"; readonly url: string }
  | { readonly kind: "failed"; readonly diagnostic: Diagnostic };

export interface FetchIndexOptions {
  readonly client: HttpClient;
  readonly limits: Pick<RemoteLimits, "indexBytes" | "skills" | "files">;
  readonly headers?: Readonly<Record<string, string>>;
  readonly known?: KnownIndex | null;
  readonly signal?: AbortSignal;
}

/**
 * Finds and reads the index of an address: the address itself, `index.json` in it, or a well-known place. A place that
 * says that it is not there is passed over; any other failure ends the search, since it may pass. Never throws.
 */
export async function fetchIndex(address: string, options: FetchIndexOptions): Promise<FetchedIndex> {
  const { client, limits, known = null } = options;
  const places = indexPlaces(address);
  const asked = known === null ? places : [known.url, ...places.filter((place) => place !== known.url)];
  for (const place of asked) {
    const isKnown = known !== null && place === known.url;
    const answer = await client.fetch({
      url: place,
      accept: "application/json",
      statuses: [404, 410],
      limits: { bytes: limits.indexBytes },
      ...(options.headers === undefined ? {} : { headers: options.headers }),
      ...(isKnown ? { known: { etag: known.etag, modified: known.modified } } : {}),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    if (answer.kind === "failed") return { kind: "failed", diagnostic: answer.diagnostic };
    if (answer.kind === "unchanged") return { kind: "unchanged", url: place };
    if (answer.status === 404 || answer.status === 410) continue;
    const parsed = parseIndex(answer.bytes, { url: answer.url, limits });
    if ("problem" in parsed) {
      const path = showAddress(place);
      const message = `The index ${path} cannot be used: ${parsed.problem}.`;
      return { kind: "failed", diagnostic: makeDiagnostic("remote/index", { path, message }) };
    }
    const { url, etag, modified, bytes } = answer;
    return { kind: "index", index: parsed.index, url, asked: place, etag, modified, bytes };
  }
  const path = showAddress(address);
  const message = `There is no index of skills at ${path}. Asked: ${places.map(showAddress).join(", ")}.`;
  return { kind: "failed", diagnostic: makeDiagnostic("remote/no-index", { path, message }) };
}
