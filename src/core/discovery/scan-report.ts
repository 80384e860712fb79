import { makeDiagnostic } from "../diagnostics/make.ts";
import type { FileRead } from "../file-system.ts";
import { basename } from "../path.ts";
import type { SkippedPath } from "../snapshot.ts";
import { type Place, skillFile, type Walk } from "./scan-state.ts";

/** What a walk says of the paths it leaves out: each is skipped with a sentence, and reported under a stable code. */

function skip(walk: Walk, path: string, said: { readonly reason: string; readonly message: string }): void {
  skipNamed(walk, path, { ...said, names: [basename(path)] });
}

function skipNamed(walk: Walk, path: string, said: Omit<SkippedPath, "path" | "root">): void {
  walk.sink.skipped({ path, root: walk.root, ...said });
}

/** A person looks a file up by its folder, a flat one by its own name. */
function namesOf({ folder, file }: Place): readonly string[] {
  return [file ?? folder];
}

/** `place` where it is about a file; the link itself else. */
export function refuseLink(walk: Walk, path: string, real: string, place: Place | null = null): void {
  const message = `The link leads to ${real}, outside the folders that may be read here; it is not followed.`;
  const names = place === null ? [basename(path)] : namesOf(place);
  skipNamed(walk, path, { reason: "link-outside", message, names, target: real });
  walk.sink.diagnostic(
    makeDiagnostic("discovery/link-outside", {
      path,
      message,
      profileCode: walk.codes?.linkOutside ?? null,
      hint: "Put the skill itself here, or name its real folder in `skills.paths` of your own configuration",
    }),
  );
}

export function reportBrokenLink(walk: Walk, path: string, code: string): void {
  const loop = code === "ELOOP";
  const message = loop
    ? "This link leads back to itself."
    : "This link points to nothing; the skill behind it is missing.";
  skip(walk, path, { reason: loop ? "link-loop" : "link-broken", message });
  walk.sink.diagnostic(
    makeDiagnostic(loop ? "discovery/link-loop" : "discovery/link-broken", {
      path,
      message,
      profileCode: walk.codes?.linkBroken ?? null,
      hint: "Remove the link or restore what it points to",
    }),
  );
}

export function refuseFileLink(walk: Walk, place: Place): void {
  const message = `${basename(place.location)} is a link; only a file of its own is read here.`;
  skipNamed(walk, place.location, { reason: "link-refused", message, names: namesOf(place) });
  walk.sink.diagnostic(
    makeDiagnostic("file/link-refused", {
      path: place.location,
      message,
      profileCode: walk.codes?.fileLink ?? null,
    }),
  );
}

export function reportLinkToFile(walk: Walk, path: string, real: string): void {
  const message = `This link leads to ${real}, which is no folder.`;
  skip(walk, path, { reason: "link-to-file", message });
  walk.sink.diagnostic(
    makeDiagnostic("discovery/link-to-file", { path, message, profileCode: walk.codes?.linkToFile ?? null }),
  );
}

export function reportLinkBack(walk: Walk, path: string, message: string, hint: string): void {
  walk.sink.diagnostic(makeDiagnostic("discovery/link-back", { path, message, hint }));
}

export function reportChanged(walk: Walk, place: Place): void {
  const message = "The file changed while it was read; it counts again at the next search.";
  skipNamed(walk, place.location, { reason: "changed-during-read", message, names: namesOf(place) });
  walk.sink.diagnostic(
    makeDiagnostic("file/changed-during-read", {
      path: place.location,
      message,
      profileCode: walk.codes?.changed ?? null,
    }),
  );
}

export function reportTooLarge(
  walk: Walk,
  place: Place,
  { size }: Extract<FileRead, { kind: "too-large" }>,
): void {
  const message = `The file has ${size} bytes; at most ${walk.readOptions.limit} are read.`;
  skipNamed(walk, place.location, { reason: "too-large", message, names: namesOf(place) });
  walk.sink.diagnostic(
    makeDiagnostic("file/too-large", {
      path: place.location,
      message,
      hint: "Move long parts into files beside SKILL.md",
    }),
  );
}

export function reportNoFile(walk: Walk, place: Place, { type }: Extract<FileRead, { kind: "other" }>): void {
  const { location } = place;
  const folder = type === "directory";
  const message = `${basename(location)} is a ${folder ? "folder" : type}, not a file; it is not opened.`;
  skipNamed(walk, location, { reason: "not-a-file", message, names: namesOf(place) });
  walk.sink.diagnostic(
    makeDiagnostic("file/not-a-file", {
      path: location,
      message,
      profileCode: folder ? null : (walk.codes?.notAFile ?? null),
      hint: "Put a regular text file in its place",
    }),
  );
}

export function reportUnreadable(walk: Walk, place: Place, code: string): void {
  const message = `The file cannot be read (${code}).`;
  skipNamed(walk, place.location, { reason: "unreadable", message, names: namesOf(place) });
  walk.sink.diagnostic(
    makeDiagnostic("file/unreadable", {
      path: place.location,
      message,
      profileCode: walk.codes?.fileUnreadable ?? null,
      hint: unreadableHint(code),
    }),
  );
}

export function reportUnlisted(walk: Walk, path: string, code: string): void {
  const message = `The folder cannot be listed (${code}).`;
  skip(walk, path, { reason: "unreadable", message });
  walk.sink.diagnostic(
    makeDiagnostic("discovery/unreadable-folder", { path, message, hint: unreadableHint(code) }),
  );
}

function unreadableHint(code: string): string {
  return code === "EACCES"
    ? "Give yourself permission to read it"
    : "See what the system says about this path";
}

/** The file system has no text for such a name, so nothing can be opened by it (row C17). */
export function reportUnreadableName(walk: Walk, path: string): void {
  const message = "The name is not valid UTF-8, so what it names cannot be opened.";
  skip(walk, path, { reason: "unreadable", message });
  walk.sink.diagnostic(makeDiagnostic("discovery/unreadable-folder", { path, message, hint: "Rename it" }));
}

export function reportFileCase(walk: Walk, directory: string, name: string): void {
  walk.sink.diagnostic(
    makeDiagnostic("discovery/skill-file-case", {
      path: `${directory}/${name}`,
      message: `The file is named ${name}; most agents only see ${skillFile}.`,
      hint: `Rename it to ${skillFile}`,
    }),
  );
}

export function reportRepeats(walk: Walk, path: string, most: number): void {
  walk.sink.diagnostic(
    makeDiagnostic("discovery/too-many-entries", {
      path: walk.root.path,
      message: `Links lead to the same folders on more than ${most} paths; from ${path} on such paths are left out.`,
      hint: "Remove links that lead to folders beside or above them",
    }),
  );
}

/** The search of this root ends here; said once. */
export function exhaust(walk: Walk, path: string): void {
  if (walk.exhausted) return;
  walk.exhausted = true;
  const { folders, entries } = walk.input.limits;
  walk.sink.diagnostic(
    makeDiagnostic("discovery/too-many-entries", {
      path: walk.root.path,
      message: `The search stopped at ${path}: more than ${folders} folders or ${entries} entries under this root.`,
      hint: "Point the root at a smaller folder, or raise `limits` in your own configuration",
    }),
  );
}
