import type { OriginRule } from "./origin.ts";

/** How sure the content has to be. */
export type Requirement = "nothing" | "digest" | "signature";

/** Bounds on what comes from elsewhere. */
export interface RemoteLimits {
  /** Bytes of an index. */
  readonly indexBytes: number;
  /** Skills in one source. */
  readonly skills: number;
  /** Files of one skill. */
  readonly files: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  /** Bytes of all files of one skill. */
  readonly skillBytes: number;
  /** Bytes of an archive as it is fetched. */
  readonly archiveBytes: number;
}

export const defaultRemoteLimits: RemoteLimits = {
  indexBytes: 5 * 1_048_576,
  skills: 5_000,
  files: 500,
  fileBytes: 10 * 1_048_576,
  skillBytes: 50 * 1_048_576,
  archiveBytes: 25 * 1_048_576,
};

export interface NamedRule {
  /** As written. */
  readonly text: string;
  readonly matches: OriginRule;
}

export interface Publisher {
  readonly name: string;
  /** `ed25519:` and the base64 of the 32 bytes of a public key. */
  readonly keys: readonly string[];
}

/** What the user and the administrator allow of skills from elsewhere (docs/policy.md). */
export interface Policy {
  /** Null = from everywhere. */
  readonly origins: readonly NamedRule[] | null;
  readonly publishers: readonly Publisher[];
  readonly require: Requirement;
  readonly scripts: "allow" | "deny";
  /** Names that may not come from elsewhere; wildcards. */
  readonly deny: readonly string[];
  /** Names that alone may come from elsewhere; null = all. */
  readonly allow: readonly string[] | null;
  readonly limits: RemoteLimits;
  /** Hosts that may be this machine or its private network. */
  readonly privateHosts: readonly string[];
  /** Hosts that may be asked without encryption. */
  readonly plainHttp: readonly string[];
  /** Hosts that a redirect or an index may lead to. */
  readonly redirects: readonly string[];
  /** A part of it cannot be read, so nothing passes: why. Null = it can. */
  readonly broken: string | null;
}

/** Nothing is forbidden, everything is limited. */
export const openPolicy: Policy = {
  origins: null,
  publishers: [],
  require: "nothing",
  scripts: "allow",
  deny: [],
  allow: null,
  limits: defaultRemoteLimits,
  privateHosts: [],
  plainHttp: [],
  redirects: [],
  broken: null,
};
