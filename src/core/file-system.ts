import type { Diagnostic } from "./diagnostic.ts";

/** What is kept of a file's identity: enough to see that it changed, and that two paths are one file. */
export interface FileIdentity {
  readonly device: number;
  readonly inode: number;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch, with fraction. */
  readonly modified: number;
}

export type FileKind = "file" | "directory" | "link" | "fifo" | "socket" | "device" | "unknown";

/** Why something could not be read. `code` is the system's (`EACCES`, `ELOOP`, …). */
export interface FileFailure {
  readonly kind: "failure";
  readonly code: string;
}

export interface ReadOptions {
  /** Bytes. */
  readonly limit: number;
  /** Whether the last segment may be a link. */
  readonly follow: boolean;
  /**
   * Real path that the opened file must turn out to have, else the answer is the failure `ESTALE`: where others can
   * write, a folder on the way may become a link between the look and the opening (row C19).
   */
  readonly real?: string;
}

export type FileRead =
  /** `bytes` may be a view into a buffer that the next call overwrites: copy what you keep. */
  | { readonly kind: "file"; readonly bytes: Uint8Array; readonly identity: FileIdentity }
  | { readonly kind: "absent" }
  /** The last path segment is a link and `follow` was false. */
  | { readonly kind: "link" }
  | { readonly kind: "other"; readonly type: FileKind }
  | { readonly kind: "too-large"; readonly size: number; readonly identity: FileIdentity }
  | FileFailure;

export interface DirectoryEntry {
  readonly name: string;
  readonly type: FileKind;
}

export type DirectoryRead =
  /** Sorted by name in code-unit order. `truncated` when there were more than `limit` entries. */
  | { readonly kind: "directory"; readonly entries: readonly DirectoryEntry[]; readonly truncated: boolean }
  | { readonly kind: "absent" }
  | { readonly kind: "not-directory" }
  | FileFailure;

export type FileStatus =
  | { readonly kind: FileKind; readonly identity: FileIdentity }
  | { readonly kind: "absent" }
  | FileFailure;

/** Reads JSON with comments and trailing commas; `value` is undefined when nothing usable was found. */
export interface JsonRead {
  readonly kind: "value" | "absent" | "invalid";
  readonly value: unknown;
  /** The file's text, "" when absent (for values that substitute `{env:X}` before parsing). */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * The only door to the disk. Synchronous, because opening thousands of small files one after the other is several
 * times faster that way (bench/README.md). Every method answers with data; none throws.
 */
export interface FileSystem {
  /** Opens without blocking (a FIFO never hangs) and reads at most `limit` bytes of a regular file. */
  readFile(path: string, options: ReadOptions): FileRead;
  readDirectory(path: string, options: { readonly limit: number }): DirectoryRead;
  /** The path with every link resolved, or a failure (`ENOENT` for a dangling link, `ELOOP` for a cycle). */
  realPath(path: string): { readonly kind: "path"; readonly path: string } | FileFailure;
  status(path: string, options: { readonly follow: boolean }): FileStatus;
  /**
   * A question for later: was nothing in this folder added, removed or replaced since now? Null where that can't be
   * told for sure: a folder that changed a moment ago, a system whose change times may be set by hand.
   */
  stillness?(path: string): (() => boolean) | null;
  readJson(path: string): JsonRead;
}

/** Bytes and text without `node:*`: the host's fast implementations. */
export interface TextCodec {
  isAscii(bytes: Uint8Array): boolean;
  isUtf8(bytes: Uint8Array): boolean;
  /** UTF-8; invalid sequences become U+FFFD. Bytes `start` to `end` (exclusive). */
  decode(bytes: Uint8Array, start: number, end: number): string;
  /** The same for bytes that are known to be ASCII. */
  ascii(bytes: Uint8Array, start: number, end: number): string;
  /** UTF-16, `littleEndian` or big-endian, without the mark. */
  decodeUtf16(bytes: Uint8Array, littleEndian: boolean): string;
  /** `sha256:` and 64 lower-case hexadecimal digits. */
  digest(bytes: Uint8Array): string;
  /** SHA-1 as 40 hexadecimal digits: only for names that another program gives by it, never to prove anything. */
  sha1(bytes: Uint8Array): string;
}
