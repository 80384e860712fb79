import { type Diagnostic, noDiagnostics } from "../diagnostic.ts";
import type { FileIdentity } from "../file-system.ts";
import type { SkillRead } from "../skill/document.ts";
import type { Root } from "./root.ts";
import { type FoundSkill, skillOf } from "./skill-of.ts";

/** Where a SKILL.md stands, and which bytes were read there. */
export interface FilePlace {
  /** As found, links not resolved. */
  readonly location: string;
  readonly directory: string;
  readonly realPath: string;
  readonly root: Root;
  readonly flat: boolean;
  readonly digest: string;
  readonly identity: FileIdentity;
}

/**
 * A SKILL.md that was found and read under a root (DESIGN word "candidate"). A file that could be used and has nothing to
 * be said of is the skill itself: nearly all are, and ten thousand wrappers would be felt.
 */
export type Candidate = FoundSkill | NotedFile;

/** A file with something to say of it. */
export interface NotedFile {
  readonly place: FilePlace;
  /** What the file says; null when it can't be used, for the reason in `skip`. */
  readonly skill: FoundSkill | null;
  readonly diagnostics: readonly Diagnostic[];
  readonly skip: SkillRead["skip"];
}

function isNoted(candidate: Candidate): candidate is NotedFile {
  return "skip" in candidate;
}

export function placeOf(candidate: Candidate): FilePlace {
  return isNoted(candidate) ? candidate.place : candidate;
}

export function skillIn(candidate: Candidate): FoundSkill | null {
  return isNoted(candidate) ? candidate.skill : candidate;
}

export function diagnosticsOf(candidate: Candidate): readonly Diagnostic[] {
  return isNoted(candidate) ? candidate.diagnostics : noDiagnostics;
}

export function skipOf(candidate: Candidate): SkillRead["skip"] {
  return isNoted(candidate) ? candidate.skip : null;
}

/** The same file at another place: a root that counts it in another way, or a path through a link. */
export function movedTo(place: FilePlace, candidate: Candidate): Candidate {
  const known = skillIn(candidate);
  const skill = known === null ? null : skillOf(known, place);
  return candidateOf(place, { skill, diagnostics: diagnosticsOf(candidate), skip: skipOf(candidate) });
}

export function candidateOf(
  place: FilePlace,
  { skill, diagnostics, skip }: Omit<NotedFile, "place">,
): Candidate {
  return skill !== null && diagnostics.length === 0
    ? skill
    : { place: skill ?? place, skill, diagnostics, skip };
}

export function sameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.inode === b.inode && a.modified === b.modified && a.size === b.size && a.device === b.device;
}
