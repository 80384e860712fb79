import type { Diagnostic } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import type {
  DirectoryEntry,
  FileIdentity,
  FileRead,
  FileSystem,
  ReadOptions,
  TextCodec,
} from "../file-system.ts";
import { ancestors, basename, contains, dirname } from "../path.ts";
import type { Profile } from "../profile.ts";
import type { ReadContext, SkillDocument } from "../skill/document.ts";
import type { SkippedPath } from "../snapshot.ts";
import { type Candidate, type DocumentCache, sameFile } from "./candidate.ts";
import type { LinkRules, Root } from "./root.ts";
import { skillOf } from "./skill-of.ts";

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

/** Receives what a walk finds, in walk order. */
export interface ScanSink {
  candidate(candidate: Candidate): void;
  /** A real folder that was entered before is met again under `path`. */
  again(path: string, real: string): void;
  skipped(path: SkippedPath): void;
  diagnostic(diagnostic: Diagnostic): void;
}

/** Links that a system follows in one path (Linux); only rules that walk cycles get that far. */
const pathLinks = 40;

/** Folders and links met again below a cycle or on another path, per root: two links a level are 2^n paths (row C03). */
const repeatedVisits = 4_000;

/** One name for the file that makes a folder a skill, in every profile. */
const skillFile = "SKILL.md";

/** A path that may hold a skill. */
interface Place {
  readonly location: string;
  readonly directory: string;
  /** Real path of `location`, as far as it is known. */
  readonly real: string;
  /** NAME of a flat NAME.md, else null. */
  readonly file: string | null;
}

/**
 * Walks one root and reads every SKILL.md in it. `realRoot` is the root's real path; `visited` holds real folders that
 * were entered (shared by all roots whose rules visit by real path), so that loops end and each folder counts once.
 * Reads only inside the root, except where the root's link rules allow more (invariant 4). Never throws.
 *
 * In a project others may write while we read, and a folder may become a link after it was judged (row C19). Comparing
 * each opened file with its path costs a quarter of the whole discovery, so folders are asked instead whether anything
 * in them moved meanwhile. False: something did, and what the sink got must not be used; search again with `exact`.
 */
export function scanRoot(
  input: ScanInput,
  target: {
    readonly root: Root;
    readonly realRoot: string;
    readonly visited: Set<string>;
    /** Every opened file is compared with its path, whatever the folders say. */
    readonly exact: boolean;
  },
  sink: ScanSink,
): boolean {
  const { root, realRoot, visited } = target;
  const { profile, fileSystem, codec, limits, cache } = input;
  const rules = root.scan;
  const reader = root.reader ?? profile.reader;
  const codes = profile.scanCodes;
  const bound = rules.links.boundary === "as-written" ? root.path : realRoot;
  const context: ReadContext = { codec, limits: profile.readLimits };
  let folders = 0;
  let entriesSeen = 0;
  let exhausted = false;
  /** Whether opened files are compared with their paths here, and whether every folder held still. */
  const above = root.needsTrust && !target.exact ? foldersAbove(root, realRoot, fileSystem) : null;
  let compared = root.needsTrust && above === null;
  let settled = true;
  const chain: string[] = [];
  /** Links on the way to the current folder, the cycle that is being walked, and what that cost so far. */
  let links = 0;
  let cycle: string | null = null;
  let repeated = 0;
  /** Real folders that were entered, where one may be entered again. */
  const met = new Set<string>();

  const skip = (path: string, reason: string, message: string, names: readonly string[]): void =>
    sink.skipped({ path, root, reason, message, names });

  const refuseLink = (path: string, real: string, names: readonly string[]): void => {
    const message = `The link leads to ${real}, outside the folders that may be read here; it is not followed.`;
    skip(path, "link-outside", message, names);
    sink.diagnostic(
      makeDiagnostic("discovery/link-outside", {
        path,
        message,
        profileCode: codes?.linkOutside ?? null,
        hint: "Put the skill itself here, or name its real folder in `skills.paths` of your own configuration",
      }),
    );
  };

  const brokenLink = (path: string, code: string): void => {
    const message =
      code === "ELOOP"
        ? "This link leads back to itself."
        : "This link points to nothing; the skill behind it is missing.";
    skip(path, code === "ELOOP" ? "link-loop" : "link-broken", message, [basename(path)]);
    sink.diagnostic(
      makeDiagnostic(code === "ELOOP" ? "discovery/link-loop" : "discovery/link-broken", {
        path,
        message,
        profileCode: codes?.linkBroken ?? null,
        hint: "Remove the link or restore what it points to",
      }),
    );
  };

  const linkAllowed = (rule: LinkRules["file"], real: string): boolean =>
    rule === "follow" ||
    (rule === "markdown" && /\.(?:md|markdown)$/i.test(real)) ||
    (rule !== "refuse" && input.known.some((folder) => contains(folder, real)));

  const namesOf = ({ directory, file }: Place): readonly string[] => [file ?? basename(directory)];

  const candidateAt = (
    { location, directory, real, file }: Place,
    { identity, digest }: Pick<Candidate, "identity" | "digest">,
    said: { readonly document: SkillDocument | null } & Pick<Candidate, "diagnostics" | "skip">,
  ): Candidate => {
    const place = { location, directory, realPath: real, root, flat: file !== null, digest, identity };
    const { document, diagnostics, skip } = said;
    const skill = document === null ? null : skillOf(document, place);
    return {
      location,
      directory,
      realPath: real,
      root,
      flat: place.flat,
      digest,
      identity,
      skill,
      diagnostics,
      skip,
    };
  };

  /** Hands one opened file on; false when it is not there. */
  const take = (read: FileRead, place: Place): boolean => {
    const { location, directory, file } = place;
    switch (read.kind) {
      case "absent":
        return false;
      case "file": {
        const { bytes, identity } = read;
        if (rules.recheck === true && !isSettled(place, identity)) {
          changed(place);
          return true;
        }
        const digest = codec.digest(bytes);
        const holder = profile.folderName === "real" ? dirname(place.real) : directory;
        const source = { path: location, folder: basename(holder), file, bytes };
        const found = candidateAt(place, { identity, digest }, reader.read(source, context));
        cache.set(location, found);
        sink.candidate(found);
        return true;
      }
      case "too-large": {
        const message = `The file has ${read.size} bytes; at most ${profile.fileLimit} are read.`;
        skip(location, "too-large", message, namesOf(place));
        sink.diagnostic(
          makeDiagnostic("file/too-large", {
            path: location,
            message,
            hint: "Move long parts into files beside SKILL.md",
          }),
        );
        return true;
      }
      case "other": {
        const message = `${basename(location)} is a ${read.type === "directory" ? "folder" : read.type}, not a file; it is not opened.`;
        skip(location, "not-a-file", message, namesOf(place));
        sink.diagnostic(
          makeDiagnostic("file/not-a-file", {
            path: location,
            message,
            profileCode: read.type === "directory" ? null : (codes?.notAFile ?? null),
            hint: "Put a regular text file in its place",
          }),
        );
        return read.type !== "directory";
      }
      case "link":
        return false;
      case "failure": {
        if (read.code === "ENOTDIR") return false;
        if (read.code === "ESTALE") {
          changed(place);
          return true;
        }
        const message = `The file cannot be read (${read.code}).`;
        skip(location, "unreadable", message, namesOf(place));
        sink.diagnostic(
          makeDiagnostic("file/unreadable", {
            path: location,
            message,
            profileCode: codes?.fileUnreadable ?? null,
            hint:
              read.code === "EACCES"
                ? "Give yourself permission to read it"
                : "See what the system says about this path",
          }),
        );
        return true;
      }
    }
  };

  /** Whether the file that was read is still the one at its place, and no folder on the way was swapped. */
  const isSettled = ({ location, real }: Place, identity: FileIdentity): boolean => {
    const now = fileSystem.status(real, { follow: false });
    const again = fileSystem.realPath(location);
    return (
      now.kind === "file" && sameFile(now.identity, identity) && again.kind === "path" && again.path === real
    );
  };

  const changed = (place: Place): void => {
    const message = "The file changed while it was read; it counts again at the next search.";
    skip(place.location, "changed-during-read", message, namesOf(place));
    sink.diagnostic(
      makeDiagnostic("file/changed-during-read", {
        path: place.location,
        message,
        profileCode: codes?.changed ?? null,
      }),
    );
  };

  const refuseFileLink = (place: Place): void => {
    const message = `${basename(place.location)} is a link; only a file of its own is read here.`;
    skip(place.location, "link-refused", message, namesOf(place));
    sink.diagnostic(
      makeDiagnostic("file/link-refused", {
        path: place.location,
        message,
        profileCode: codes?.fileLink ?? null,
      }),
    );
  };

  const cached = (place: Place): boolean => {
    const known = cache.get(place.location);
    if (known === undefined) return false;
    const status = fileSystem.status(place.real, { follow: false });
    if (status.kind !== "file" || !sameFile(status.identity, known.identity)) return false;
    sink.candidate(
      candidateAt(place, known, { document: known.skill, diagnostics: known.diagnostics, skip: known.skip }),
    );
    return true;
  };

  const readOptions: ReadOptions = { limit: profile.fileLimit, follow: false };
  const readAt = (path: string, real: string): FileRead =>
    fileSystem.readFile(path, { ...readOptions, real });

  /** Runs `read` over what is in a folder and sees to it that nothing in the folder is swapped meanwhile. */
  const holding = (folder: string, read: () => void): void => {
    const outer = compared;
    const still = compared || !root.needsTrust ? null : (fileSystem.stillness?.(folder) ?? null);
    if (root.needsTrust && still === null) compared = true;
    read();
    compared = outer;
    if (still !== null && !still()) settled = false;
  };

  /** Reads a SKILL.md (or flat file) that may be a link. True when the place is settled. */
  const open = (place: Place): boolean => {
    if (cached(place)) return true;
    const { location } = place;
    // Of a path with a link in it only the folders behind the link are watched.
    const sure = !root.needsTrust || (!compared && location === place.real);
    const read = sure ? fileSystem.readFile(location, readOptions) : readAt(location, place.real);
    if (read.kind !== "link") return take(read, place);
    if (rules.links.file === "refuse" && codes !== undefined) {
      refuseFileLink(place);
      return true;
    }
    const resolved = fileSystem.realPath(location);
    if (resolved.kind === "failure") {
      brokenLink(location, resolved.code);
      return true;
    }
    if (!linkAllowed(rules.links.file, resolved.path)) {
      refuseLink(location, resolved.path, namesOf(place));
      return true;
    }
    const target: Place = { ...place, real: resolved.path };
    if (cached(target)) return true;
    const behind = root.needsTrust
      ? readAt(target.real, target.real)
      : fileSystem.readFile(target.real, readOptions);
    return take(behind, target);
  };

  /** Where no link was met, both paths are one string: half the memory, and half the work at every look-up. */
  const openIn = (directory: string, realDirectory: string, name: string, file: string | null): boolean => {
    const location = `${directory}/${name}`;
    const real = directory === realDirectory ? location : `${realDirectory}/${name}`;
    return open({ location, directory, real, file });
  };

  const enter = (path: string, real: string): boolean => {
    if (rules.visit === "real-path") {
      const before = visited.size;
      visited.add(real);
      if (visited.size === before) {
        sink.again(path, real);
        return false;
      }
    } else {
      if (cycle === null && chain.includes(real)) return false;
      if (met.has(real) && isRepeatedTooOften(path)) return false;
      met.add(real);
    }
    folders += 1;
    if (folders > limits.folders) {
      exhaust(path);
      return false;
    }
    return true;
  };

  const isRepeatedTooOften = (path: string): boolean => {
    repeated += 1;
    if (repeated === repeatedVisits + 1) {
      sink.diagnostic(
        makeDiagnostic("discovery/too-many-entries", {
          path: root.path,
          message: `Links lead to the same folders on more than ${repeatedVisits} paths; from ${path} on such paths are left out.`,
          hint: "Remove links that lead to folders beside or above them",
        }),
      );
    }
    return repeated > repeatedVisits;
  };

  const exhaust = (path: string): void => {
    if (exhausted) return;
    exhausted = true;
    sink.diagnostic(
      makeDiagnostic("discovery/too-many-entries", {
        path: root.path,
        message: `The search stopped at ${path}: more than ${limits.folders} folders or ${limits.entries} entries under this root.`,
        hint: "Point the root at a smaller folder, or raise `limits` in your own configuration",
      }),
    );
  };

  const list = (path: string): readonly DirectoryEntry[] => {
    const read = fileSystem.readDirectory(path, { limit: Math.max(1, limits.entries - entriesSeen) });
    if (read.kind === "directory") {
      entriesSeen += read.entries.length;
      if (read.truncated) exhaust(path);
      return read.entries;
    }
    if (read.kind === "failure") {
      const message = `The folder cannot be listed (${read.code}).`;
      skip(path, "unreadable", message, [basename(path)]);
      sink.diagnostic(
        makeDiagnostic("discovery/unreadable-folder", {
          path,
          message,
          hint:
            read.code === "EACCES"
              ? "Give yourself permission to read it"
              : "See what the system says about this path",
        }),
      );
    }
    return [];
  };

  const visitChild = (path: string, real: string, depth: number): void => {
    if (!enter(path, real)) return;
    const found = openIn(path, real, skillFile, null);
    if (found && rules.nested === "stop") return;
    const deeper = depth < rules.depth;
    if (!deeper && (found || rules.fileName === "exact")) return;
    chain.push(real);
    holding(real, () => walk(list(path), { path, real, depth, found, deeper }));
    chain.pop();
  };

  const linkToFile = (path: string, real: string): void => {
    const message = `This link leads to ${real}, which is no folder.`;
    skip(path, "link-to-file", message, [basename(path)]);
    sink.diagnostic(
      makeDiagnostic("discovery/link-to-file", { path, message, profileCode: codes?.linkToFile ?? null }),
    );
  };

  /** Where only SKILL.md itself is judged, a folder outside without one is nothing to speak of. */
  const refuseFolder = (path: string, real: string): void => {
    if (rules.links.boundary === "as-written") {
      const { kind } = fileSystem.status(`${real}/${skillFile}`, { follow: false });
      if (kind === "absent" || kind === "failure") return;
      if (kind === "link") {
        const directory = path;
        refuseFileLink({
          location: `${path}/${skillFile}`,
          directory,
          real: `${real}/${skillFile}`,
          file: null,
        });
        return;
      }
    }
    refuseLink(path, real, [basename(path)]);
  };

  const visitLink = (path: string, depth: number): void => {
    if (links >= pathLinks || (cycle !== null && isRepeatedTooOften(path))) return;
    const resolved = fileSystem.realPath(path);
    if (resolved.kind === "failure") {
      brokenLink(path, resolved.code);
      return;
    }
    const status = fileSystem.status(resolved.path, { follow: false });
    if (status.kind !== "directory") {
      if (codes !== undefined) linkToFile(path, resolved.path);
      return;
    }
    const inside = contains(bound, resolved.path);
    if (
      inside &&
      rules.visit === "real-path" &&
      (chain.includes(resolved.path) || resolved.path === realRoot)
    ) {
      sink.diagnostic(
        makeDiagnostic("discovery/link-back", {
          path,
          message: "This link leads back into the folder that holds it; it is not followed again.",
          hint: "Nothing to do; remove the link if it has no purpose",
        }),
      );
      return;
    }
    const allowed = inside
      ? rules.links.folderInside === "follow"
      : linkAllowed(rules.links.folderOutside, resolved.path);
    if (!allowed) {
      refuseFolder(path, resolved.path);
      return;
    }
    if (rules.visit !== "link-limit") {
      visitChild(path, resolved.path, depth);
      return;
    }
    const outer = cycle;
    if (chain.includes(resolved.path)) {
      const name = `${chain.at(-1)}/${basename(path)}`;
      if (cycle !== null && cycle !== name) return;
      if (cycle === null) {
        sink.diagnostic(
          makeDiagnostic("discovery/link-back", {
            path,
            message: "This link leads back into its own tree, so the same skills are found again below it.",
            hint: "Remove the link if it has no purpose",
          }),
        );
      }
      cycle = name;
    }
    links += 1;
    visitChild(path, resolved.path, depth);
    links -= 1;
    cycle = outer;
  };

  const walk = (
    entries: readonly DirectoryEntry[],
    here: {
      readonly path: string;
      readonly real: string;
      readonly depth: number;
      readonly found: boolean;
      readonly deeper: boolean;
    },
  ): void => {
    if (!here.found && rules.fileName === "any-case") {
      const twin = entries.find(
        (entry) =>
          entry.name !== skillFile && entry.name.toLowerCase() === "skill.md" && entry.type !== "directory",
      );
      if (twin !== undefined && openIn(here.path, here.real, twin.name, null)) {
        sink.diagnostic(
          makeDiagnostic("discovery/skill-file-case", {
            path: `${here.path}/${twin.name}`,
            message: `The file is named ${twin.name}; most agents only see ${skillFile}.`,
            hint: `Rename it to ${skillFile}`,
          }),
        );
        if (rules.nested === "stop" && here.depth > 0) return;
      }
    }
    if (!here.deeper) return;
    for (const entry of entries) {
      if (exhausted) return;
      const { name } = entry;
      const path = `${here.path}/${name}`;
      if (entry.type === "file") {
        if (here.depth === 0) flat(name, path, here);
        continue;
      }
      if (entry.type !== "directory" && entry.type !== "link" && entry.type !== "unknown") continue;
      if ((!rules.hidden && name.startsWith(".")) || rules.ignore.has(name)) continue;
      if (here.depth === 0 && rules.only !== undefined && !rules.only.has(name)) continue;
      if (entry.type === "unknown" && name.includes("\uFFFD")) {
        unreadableName(path, name);
        continue;
      }
      if (entry.type === "link") {
        const isFile =
          name === skillFile || (here.depth === 0 && rules.flat !== "none" && name.endsWith(".md"));
        if (!isFile || isFolder(path)) visitLink(path, here.depth + 1);
        else if (here.depth === 0) flat(name, path, here);
      } else {
        const real = here.real === here.path ? path : `${here.real}/${name}`;
        if (rules.links.boundary === "as-written" && !contains(bound, real)) refuseFolder(path, real);
        else visitChild(path, real, here.depth + 1);
      }
    }
  };

  /** The file system has no text for such a name, so nothing can be opened by it (row C17). */
  const unreadableName = (path: string, name: string): void => {
    const message = "The name is not valid UTF-8, so what it names cannot be opened.";
    skip(path, "unreadable", message, [name]);
    sink.diagnostic(makeDiagnostic("discovery/unreadable-folder", { path, message, hint: "Rename it" }));
  };

  const isFolder = (path: string): boolean => fileSystem.status(path, { follow: true }).kind === "directory";

  /** The first three characters of a file; null for a link that may not be followed, which is then reported. */
  const headOf = (path: string): string | null => {
    let read = fileSystem.readFile(path, readOptions);
    if (read.kind === "link") {
      const resolved = fileSystem.realPath(path);
      if (resolved.kind === "failure" || !linkAllowed(rules.links.file, resolved.path)) return null;
      read = fileSystem.readFile(resolved.path, readOptions);
    }
    return read.kind === "file" ? codec.decode(read.bytes, 0, Math.min(3, read.bytes.length)) : "";
  };

  const flat = (name: string, path: string, here: { readonly path: string; readonly real: string }): void => {
    if (rules.flat === "none" || !name.endsWith(".md") || (name === skillFile && rules.rootIsSkill)) return;
    if (!rules.hidden && name.startsWith(".")) return;
    if (rules.flat === "frontmatter") {
      const head = headOf(path);
      if (head !== null && head !== "---") return;
    }
    openIn(here.path, here.real, name, name.slice(0, -".md".length));
  };

  const search = (): void => {
    const found = rules.rootIsSkill && openIn(root.path, realRoot, skillFile, null);
    chain.push(realRoot);
    holding(realRoot, () =>
      walk(list(root.path), {
        path: root.path,
        real: realRoot,
        depth: 0,
        found: found || !rules.rootIsSkill,
        deeper: rules.depth > 0,
      }),
    );
  };

  if (!enter(root.path, realRoot)) return true;
  (above ?? []).reduce((inner, folder) => () => holding(folder, inner), search)();
  return settled;
}

/** Folders of the project that hold the root, nearest first: who swaps one swaps the root. Null where it has no bounds. */
function foldersAbove(root: Root, realRoot: string, fileSystem: FileSystem): readonly string[] | null {
  const top = root.boundary === null ? null : fileSystem.realPath(root.boundary);
  if (top === null || top.kind === "failure" || !contains(top.path, realRoot)) return null;
  return ancestors(realRoot).filter((folder) => folder !== realRoot && contains(top.path, folder));
}
