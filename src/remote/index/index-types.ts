/** A file of an entry that lists its files. */
export interface IndexedFile {
  /** Relative to the skill's folder, safe on every system. */
  readonly path: string;
  readonly url: string;
}

interface EntryBase {
  /** Spec-conform: lower-case letters, digits, single hyphens. */
  readonly name: string;
  readonly version: string | null;
  readonly signatures: readonly IndexedSignature[];
}

/** Form 0.1 and that of OpenCode and MiMo Code: files by name. */
export interface FilesEntry extends EntryBase {
  readonly kind: "files";
  readonly files: readonly IndexedFile[];
}

/** Form 0.2: one artifact with its digest. */
export interface ArtifactEntry extends EntryBase {
  readonly kind: "skill-md" | "archive";
  readonly url: string;
  readonly digest: string;
}

export type IndexEntry = FilesEntry | ArtifactEntry;

/** A detached signature over the tree digest of an entry. */
export interface IndexedSignature {
  /** `ed25519:BASE64`. */
  readonly key: string;
  /** Base64 of 64 bytes. */
  readonly signature: string;
}

/** Why something of an index is not used. */
export interface IndexProblem {
  /** Of the entry, as it is written, shortened; "" = of the index. */
  readonly name: string;
  readonly code: "remote/entry" | "remote/unknown-type" | "remote/unsafe-file";
  readonly message: string;
}

export interface SkillIndex {
  readonly form: "0.1" | "0.2";
  /** Of the index itself, if it has one. */
  readonly version: string | null;
  readonly entries: readonly IndexEntry[];
  readonly problems: readonly IndexProblem[];
}
