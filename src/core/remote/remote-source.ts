/** What stands at a source's address. */
export type SourceKind = "index" | "archive" | "git" | "folder" | "file" | "oci";

/** A configured place that skills are pulled from. */
export interface RemoteSource {
  /** Its name in `sources`, or its address. */
  readonly label: string;
  /** As written; a local folder is absolute. */
  readonly address: string;
  readonly kind: SourceKind;
  /** Who named it: the user or the administrator, or a project's file. */
  readonly namedBy: "own" | "project";
  /** A project's address is asked only when the project is trusted. */
  readonly trusted: boolean;
  /** Variable of the environment that holds a token for its server; null = none. */
  readonly token: string | null;
  /** Only these skills of it; null = all. */
  readonly only: readonly string[] | null;
  /** `sha256:…` that an archive, a file or a skill's tree must have; null = not pinned. */
  readonly digest: string | null;
  /** Branch, tag or commit of a repository. */
  readonly ref: string | null;
  /** Folder inside of a repository or archive that is searched. */
  readonly folder: string | null;
}

/** Skillet's own cache: content by digest, one record a source. */
export interface StoreCache {
  readonly kind: "store";
  /** Absolute. */
  readonly folder: string;
}

/** The cache of a mirrored agent, with that agent's rules. */
export interface MirrorCache {
  readonly kind: "mirror";
  /** Absolute: what the agent calls its skills cache. */
  readonly folder: string;
  /** Sources share the folder, or each has one named by the SHA-1 of its base address. */
  readonly perSource: "shared" | "sha1";
  /** File that holds the version of an entry; null = the agent knows no versions. */
  readonly versionFile: string | null;
  /** Which file makes an entry a skill. */
  readonly mainFile: "SKILL.md" | "SKILL.md or NAME.md";
  /** How a file's address is made: by joining texts, or by resolving encoded names against the base. */
  readonly addressing: "joined" | "resolved";
  /** Tries of one request. */
  readonly tries: number;
  /** Folder of Skillet's own notes about what was pulled, absolute. */
  readonly notes: string;
}

/** Where a profile's remote skills come from and where they are kept. */
export interface RemotePlan {
  readonly cache: StoreCache | MirrorCache;
  readonly sources: readonly RemoteSource[];
}
