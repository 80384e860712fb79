/** What the user named, understood but not yet fetched. */
export type Source = GitSource | SiteSource | ArchiveSource | FileSource | FolderSource | OciSource;

interface Named {
  /** As it goes into the lock and into messages; never with a password. */
  readonly text: string;
  /** The one skill that was asked for (`owner/repo@skill`); null = all that are there. */
  readonly skill: string | null;
}

export interface GitSource extends Named {
  readonly kind: "git";
  readonly url: string;
  /** Branch, tag or commit; null = what the repository offers by itself. */
  readonly ref: string | null;
  /** Folder inside the repository; null = all of it. */
  readonly path: string | null;
  /**
   * For a tree address (`…/tree/a/b/c`): branch and folder are not told apart in it; the repository's own branches
   * decide. `ref` and `path` are null then.
   */
  readonly tree: string | null;
}

/** A web site with a well-known index, or the address of an index itself. */
export interface SiteSource extends Named {
  readonly kind: "site";
  readonly url: string;
}

/** A packed skill; `url` null = a local file at `path`. */
export interface ArchiveSource extends Named {
  readonly kind: "archive";
  readonly url: string | null;
  readonly path: string | null;
}

/** One SKILL.md without further files. */
export interface FileSource extends Named {
  readonly kind: "file";
  readonly url: string | null;
  readonly path: string | null;
}

export interface FolderSource extends Named {
  readonly kind: "folder";
  /** Absolute. */
  readonly path: string;
}

export interface OciSource extends Named {
  readonly kind: "oci";
  /** `HOST[:PORT]/NAME[:TAG][@DIGEST]`, without `oci://`. */
  readonly reference: string;
}
