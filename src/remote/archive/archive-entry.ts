/** One entry as an archive states it, before any judgement of its path. */
export interface ArchiveEntry {
  /** As written, `\` made `/`. */
  readonly path: string;
  readonly kind: "file" | "folder" | "link";
  /** Empty for folders and links. */
  readonly bytes: Uint8Array;
  readonly executable: boolean;
  /** Where a link leads, as written. */
  readonly target: string | null;
}
