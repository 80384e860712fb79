import type { Diagnostic } from "../diagnostic.ts";
import type { FileIdentity, FileSystem, ReadOptions, TextCodec } from "../file-system.ts";
import type { Profile, ScanCodes } from "../profile.ts";
import type { ReadContext, SkillReader } from "../skill/document.ts";
import type { SkippedPath } from "../snapshot.ts";
import type { Candidate, FilePlace } from "./candidate.ts";
import type { DocumentCache } from "./document-cache.ts";
import type { Root, ScanRules } from "./root.ts";
import type { VisitedFolders } from "./visited-folders.ts";

/** Bounds of one root's walk. */
export interface ScanLimits {
  /** Folders entered. */
  readonly folders: number;
  /** Folder entries seen. */
  readonly entries: number;
}

export interface ScanInput {
  readonly profile: Profile;
  readonly fileSystem: FileSystem;
  readonly codec: TextCodec;
  readonly limits: ScanLimits;
  /** Real paths that a "known" link may lead into: all roots of the plan and the trusted folders. */
  readonly known: readonly string[];
  readonly cache: DocumentCache;
}

/** What is searched, and how. */
export interface ScanTarget {
  readonly root: Root;
  readonly realRoot: string;
  /** Shared by all roots whose rules visit by real path. */
  readonly visited: VisitedFolders;
  /** Every opened file is compared with its path, whatever the folders say. */
  readonly exact: boolean;
}

/** Receives what a walk finds, in walk order. */
export interface ScanSink {
  candidate(candidate: Candidate): void;
  /** A real folder that was entered before is met again under `path`. */
  again(path: string, real: string): void;
  skipped(path: SkippedPath): void;
  diagnostic(diagnostic: Diagnostic): void;
}

/** One root's walk: what it goes by, and how far it is. */
export interface Walk extends ScanTarget {
  readonly input: ScanInput;
  readonly fileSystem: FileSystem;
  readonly sink: ScanSink;
  readonly rules: ScanRules;
  readonly codes: ScanCodes | undefined;
  readonly reader: SkillReader;
  readonly context: ReadContext;
  readonly readOptions: ReadOptions;
  /** What counts as inside for a link. */
  readonly bound: string;
  folders: number;
  entriesSeen: number;
  exhausted: boolean;
  /** Whether opened files are compared with their paths here, and whether every folder held still. */
  compared: boolean;
  settled: boolean;
  /** Real folders on the way to the current one. */
  readonly chain: string[];
  /** Links on the way to the current folder, the cycle that is being walked, and what that cost so far. */
  links: number;
  cycle: string | null;
  repeated: number;
  /** Real folders that were entered, where one may be entered again. */
  readonly met: Set<string>;
}

/** A path that may hold a skill; its file's digest and identity are filled in when it was read. */
export interface Place extends FilePlace {
  /** Name of `directory`. */
  readonly folder: string;
  /** NAME of a flat NAME.md, else null. */
  readonly file: string | null;
  digest: string;
  identity: FileIdentity;
}

/** Of a file that was not read yet. */
export const unread: FileIdentity = Object.freeze({ device: 0, inode: 0, size: 0, modified: 0 });

/** One name for the file that makes a folder a skill, in every profile. */
export const skillFile = "SKILL.md";

export function startWalk(input: ScanInput, target: ScanTarget, sink: ScanSink): Walk {
  const { profile, fileSystem, codec } = input;
  const { root, realRoot, visited, exact } = target;
  const rules = root.scan;
  return {
    root,
    realRoot,
    visited,
    exact,
    input,
    fileSystem,
    sink,
    rules,
    codes: profile.scanCodes,
    reader: root.reader ?? profile.reader,
    context: { codec, limits: profile.readLimits },
    readOptions: { limit: profile.fileLimit, follow: false },
    bound: rules.links.boundary === "as-written" ? root.path : realRoot,
    folders: 0,
    entriesSeen: 0,
    exhausted: false,
    compared: false,
    settled: true,
    chain: [],
    links: 0,
    cycle: null,
    repeated: 0,
    met: new Set(),
  };
}
