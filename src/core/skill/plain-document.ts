import type { SkillDocument } from "./document.ts";

const none: readonly string[] = Object.freeze([]);
const nothing = Object.freeze({});

/** A document with a name, a description and every other field empty. */
export function plainDocument(name: string, description: string | null): SkillDocument {
  return {
    name,
    nameFrom: "frontmatter",
    description,
    descriptionFrom: description === null ? null : "frontmatter",
    title: null,
    license: null,
    compatibility: null,
    whenToUse: null,
    argumentHint: null,
    argumentNames: none,
    allowedTools: none,
    aliases: none,
    paths: null,
    requires: null,
    disableModelInvocation: false,
    userInvocable: true,
    displayNames: nothing,
    descriptions: nothing,
    metadata: nothing,
    extra: nothing,
  };
}
