import { stringify } from "yaml";
import type { Skill } from "../core/snapshot.ts";
import { cutCodePoints, singleLine } from "../core/text/single-line.ts";

/** SKILL.md as the Skills API takes it, and what had to be changed for that. */
export interface BundleManifest {
  readonly name: string;
  readonly text: string;
  /** One sentence a change; empty = nothing. */
  readonly changes: readonly string[];
  /** Why it can't be uploaded; empty = it can. */
  readonly problems: readonly string[];
}

/** Fields that an upload may have; others make it fail. */
const nameLength = 64;
const descriptionLength = 1024;
const reserved = ["anthropic", "claude"];

/**
 * The frontmatter of an upload: six fields are allowed, the name is lower-case letters, digits and hyphens without a
 * reserved word, the description has at most 1,024 characters and no tags. The body stays byte for byte.
 */
export function bundleManifest(skill: Skill, body: string): BundleManifest {
  const changes: string[] = [];
  const problems: string[] = [];
  const name = uploadName(skill.name);
  if (name !== skill.name) changes.push(`The name "${skill.name}" becomes "${name}".`);
  if (name === "")
    problems.push(`No name can be made of "${skill.name}": only a to z, 0 to 9 and hyphens are allowed.`);
  for (const word of reserved)
    if (name.includes(word)) problems.push(`The name "${name}" has the reserved word "${word}".`);
  const description = uploadDescription(skill.description ?? "", changes);
  if (description === "") problems.push("It has no description; an upload needs one.");
  const kept: Record<string, unknown> = { name, description };
  if (skill.license !== null) kept.license = skill.license;
  if (skill.compatibility !== null) kept.compatibility = cutCodePoints(skill.compatibility, 500);
  if (skill.allowedTools.length > 0) kept["allowed-tools"] = skill.allowedTools.join(" ");
  const metadata = Object.entries(skill.metadata).map(([key, value]) => [
    key,
    typeof value === "string" ? value : JSON.stringify(value),
  ]);
  if (metadata.length > 0) kept.metadata = Object.fromEntries(metadata);
  const left = leftOut(skill);
  if (left.length > 0) changes.push(`Left out, because an upload may not have them: ${left.join(", ")}.`);
  const frontmatter = stringify(kept, { lineWidth: 0 });
  return {
    name,
    text: `---\n${frontmatter}---\n${body.startsWith("\n") ? "" : "\n"}${body}`,
    changes,
    problems,
  };
}

function uploadName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, nameLength)
    .replace(/^-+|-+$/g, "");
}

function uploadDescription(text: string, changes: string[]): string {
  const line = singleLine(text);
  const plain = line.replace(/[<>]/g, " ").replace(/ {2,}/g, " ").trim();
  if (plain !== line) changes.push("Angle brackets in the description become blanks.");
  const cut = cutCodePoints(plain, descriptionLength);
  if (cut !== plain) changes.push(`The description is cut after ${descriptionLength} characters.`);
  return cut;
}

function leftOut(skill: Skill): readonly string[] {
  const fields: readonly (readonly [string, boolean])[] = [
    ["title", skill.title !== null],
    ["when_to_use", skill.whenToUse !== null],
    ["argument-hint", skill.argumentHint !== null],
    ["arguments", skill.argumentNames.length > 0],
    ["aliases", skill.aliases.length > 0],
    ["paths", skill.paths !== null],
    ["requires", skill.requires !== null],
    ["disable-model-invocation", skill.disableModelInvocation],
    ["user-invocable", !skill.userInvocable],
    ["displayNames", Object.keys(skill.displayNames).length > 0],
    ["descriptions", Object.keys(skill.descriptions).length > 0],
  ];
  return [...fields.flatMap(([name, there]) => (there ? [name] : [])), ...Object.keys(skill.extra)];
}
