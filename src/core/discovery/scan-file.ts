import type { FileIdentity, FileRead } from "../file-system.ts";
import { basename, dirname } from "../path.ts";
import { candidateOf, movedTo, placeOf, sameFile } from "./candidate.ts";
import { isLinkAllowed } from "./scan-links.ts";
import {
  refuseFileLink,
  refuseLink,
  reportBrokenLink,
  reportChanged,
  reportNoFile,
  reportTooLarge,
  reportUnreadable,
} from "./scan-report.ts";
import type { Place, Walk } from "./scan-state.ts";
import { skillOf } from "./skill-of.ts";

/**
 * Reads a SKILL.md (or flat file) that may be a link. True when the place is settled: nothing else in its folder counts.
 */
export function readPlace(walk: Walk, place: Place): boolean {
  const { root, rules, fileSystem, readOptions } = walk;
  if (takeCached(walk, place)) return true;
  const { location } = place;
  // Of a path with a link in it only the folders behind the link are watched.
  const sure = !root.needsTrust || (!walk.compared && location === place.realPath);
  const read = sure
    ? fileSystem.readFile(location, readOptions)
    : fileSystem.readFile(location, { ...readOptions, real: place.realPath });
  if (read.kind !== "link") return take(walk, read, place);
  if (rules.links.file === "refuse" && walk.codes !== undefined) {
    refuseFileLink(walk, place);
    return true;
  }
  const resolved = fileSystem.realPath(location);
  if (resolved.kind === "failure") {
    reportBrokenLink(walk, location, resolved.code);
    return true;
  }
  const real = resolved.path;
  if (!isLinkAllowed(walk, rules.links.file, real)) {
    refuseLink(walk, location, real, place);
    return true;
  }
  const target: Place = { ...place, realPath: real };
  if (takeCached(walk, target)) return true;
  return take(
    walk,
    fileSystem.readFile(real, root.needsTrust ? { ...readOptions, real } : readOptions),
    target,
  );
}

/** Hands one opened file on; false when it is not there. */
function take(walk: Walk, read: FileRead, place: Place): boolean {
  switch (read.kind) {
    case "file":
      if (walk.rules.recheck === true && !isSettled(walk, place, read.identity)) reportChanged(walk, place);
      else takeFile(walk, read, place);
      return true;
    case "absent":
    case "link":
      return false;
    case "too-large":
      reportTooLarge(walk, place, read);
      return true;
    case "other":
      reportNoFile(walk, place, read);
      return read.type !== "directory";
    case "failure":
      if (read.code === "ENOTDIR") return false;
      if (read.code === "ESTALE") reportChanged(walk, place);
      else reportUnreadable(walk, place, read.code);
      return true;
  }
}

function takeFile(walk: Walk, { bytes, identity }: Extract<FileRead, { kind: "file" }>, place: Place): void {
  const { location, file } = place;
  place.digest = walk.context.codec.digest(bytes);
  place.identity = identity;
  const folder = walk.input.profile.folderName === "real" ? basename(dirname(place.realPath)) : place.folder;
  const { document, diagnostics, skip } = walk.reader.read(
    { path: location, folder, file, bytes },
    walk.context,
  );
  const skill = document === null ? null : skillOf(document, place);
  walk.sink.candidate(candidateOf(place, { skill, diagnostics, skip }));
}

/** What an earlier search read here, when the file is still the same. */
function takeCached(walk: Walk, place: Place): boolean {
  const { location, realPath, root } = place;
  const known = walk.input.cache.get(location);
  if (known === undefined) return false;
  const before = placeOf(known);
  const status = walk.fileSystem.status(realPath, { follow: false });
  if (status.kind !== "file" || !sameFile(status.identity, before.identity)) return false;
  if (before.root === root && before.realPath === realPath) {
    walk.sink.candidate(known);
    return true;
  }
  place.digest = before.digest;
  place.identity = before.identity;
  walk.sink.candidate(movedTo(place, known));
  return true;
}

/** Whether the file that was read is still the one at its place, and no folder on the way was swapped. */
function isSettled({ fileSystem }: Walk, { location, realPath }: Place, identity: FileIdentity): boolean {
  const now = fileSystem.status(realPath, { follow: false });
  const again = fileSystem.realPath(location);
  return (
    now.kind === "file" &&
    sameFile(now.identity, identity) &&
    again.kind === "path" &&
    again.path === realPath
  );
}

/** The first three characters of a file; null for a link that may not be followed, which is then reported. */
export function headOf(walk: Walk, path: string): string | null {
  const { fileSystem, readOptions, context } = walk;
  let read = fileSystem.readFile(path, readOptions);
  if (read.kind === "link") {
    const resolved = fileSystem.realPath(path);
    if (resolved.kind === "failure" || !isLinkAllowed(walk, walk.rules.links.file, resolved.path))
      return null;
    read = fileSystem.readFile(resolved.path, readOptions);
  }
  return read.kind === "file" ? context.codec.decode(read.bytes, 0, Math.min(3, read.bytes.length)) : "";
}
