import type { SkillDocument } from "../skill/document.ts";
import type { Skill } from "../snapshot.ts";
import type { FilePlace } from "./candidate.ts";

/** `index` of a skill whose place in the scan is not known yet. */
export const unplaced = -1;

/** A skill whose place in the scan is not known yet. */
export type FoundSkill = { -readonly [Key in keyof Skill]: Skill[Key] } & FilePlace;

/**
 * What a file says, together with where it stands. Made while the document is still at hand, so that only one of the two
 * stays, and written out field by field: a spread of this many fields makes an object that is ten times slower to build
 * and to read (bench/README.md). A field that is forgotten is a type error.
 */
export function skillOf(document: SkillDocument, place: FilePlace): FoundSkill {
  return {
    name: document.name,
    nameFrom: document.nameFrom,
    description: document.description,
    descriptionFrom: document.descriptionFrom,
    title: document.title,
    license: document.license,
    compatibility: document.compatibility,
    whenToUse: document.whenToUse,
    argumentHint: document.argumentHint,
    argumentNames: document.argumentNames,
    allowedTools: document.allowedTools,
    aliases: document.aliases,
    paths: document.paths,
    requires: document.requires,
    disableModelInvocation: document.disableModelInvocation,
    userInvocable: document.userInvocable,
    displayNames: document.displayNames,
    descriptions: document.descriptions,
    metadata: document.metadata,
    extra: document.extra,
    location: place.location,
    directory: place.directory,
    realPath: place.realPath,
    root: place.root,
    digest: place.digest,
    identity: place.identity,
    flat: place.flat,
    embedded: null,
    index: unplaced,
  };
}
