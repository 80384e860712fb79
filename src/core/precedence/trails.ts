import type { Decision } from "../decision.ts";
import type { Diagnostic } from "../diagnostic.ts";
import { type Candidate, placeOf, skillIn } from "../discovery/candidate.ts";
import { basename } from "../path.ts";
import type { CandidateTrail, Skill, SkippedPath } from "../snapshot.ts";

/** Of a file without a problem; shared, as nearly all files are. */
export const foundAndRead: readonly Decision[] = Object.freeze([
  { stage: "scan", outcome: "found", reason: "found", path: null, message: "Found." },
  { stage: "read", outcome: "read", reason: "read", path: null, message: "Read without a problem." },
]);

export const onlyCopy: Decision = Object.freeze({
  stage: "precedence",
  outcome: "won",
  reason: "only-copy",
  path: null,
  message: "The only skill of this name.",
});

export const uncontested: readonly Decision[] = Object.freeze([...foundAndRead, onlyCopy]);

/** Names of a candidate that a person would look it up by. */
export function nameOf(candidate: Candidate): readonly string[] {
  const skill = skillIn(candidate);
  return skill === null
    ? [basename(placeOf(candidate).directory)]
    : bothNames(skill.name, skill.directory, skill.flat);
}

/** The declared name, and the folder's where it is another: people look for either. */
function bothNames(name: string, directory: string | null, flat: boolean): readonly string[] {
  if (directory === null || flat || isFolderOf(name, directory)) return [name];
  return [name, basename(directory)];
}

/** `basename(directory) === name` without a new string. */
function isFolderOf(name: string, directory: string): boolean {
  return directory.endsWith(name) && directory.lastIndexOf("/") === directory.length - name.length - 1;
}

/** What was decided about a skill, `decisions` in order. */
export function trail(skill: Skill, decisions: readonly Decision[]): CandidateTrail {
  const names = bothNames(skill.name, skill.directory, skill.flat);
  return { location: skill.location, names, root: skill.root, decisions };
}

/** The first decisions of a file that something was said of. */
export function foundAndRepaired(diagnostics: readonly Diagnostic[]): readonly Decision[] {
  return [
    ...foundAndRead.slice(0, 1),
    ...diagnostics.map(
      (found): Decision => ({
        stage: "read",
        outcome: found.severity === "info" ? "read" : "repaired",
        reason: found.code,
        path: found.path,
        message: found.range === undefined ? found.message : `Line ${found.range.line}: ${found.message}`,
      }),
    ),
  ];
}

/** A file that was found and cannot be used. */
export function skippedCandidate(
  candidate: Candidate,
  skip: { readonly code: string; readonly message: string; readonly name: string | null },
): SkippedPath {
  const { location, directory, root, flat } = placeOf(candidate);
  const folder = flat ? basename(location).slice(0, -".md".length) : basename(directory);
  return {
    path: location,
    root,
    reason: skip.code,
    message: skip.message,
    names: skip.name === null || skip.name === folder ? [folder] : [skip.name, folder],
  };
}

export function skippedTrail(path: SkippedPath): CandidateTrail {
  return {
    location: path.path,
    names: path.names,
    root: path.root,
    decisions: [
      { stage: "read", outcome: "skipped", reason: path.reason, path: path.path, message: path.message },
    ],
  };
}
