import type { VisibleSkill } from "../core/profile.ts";
import type { Skill } from "../core/snapshot.ts";
import type { Skills } from "../host/skills.ts";
import { mimeTypeOf } from "./mime-type.ts";
import { pageSize } from "./page-after.ts";
import type { Resource } from "./sdk.ts";
import { skillUri } from "./skill-uri.ts";

/** Files of one skill that are listed besides SKILL.md; reading a folder (`resources/directory/read`) gives all. */
const listedFiles = 50;

/**
 * One page of `resources/list`: skill by skill SKILL.md and what lies beside it, for clients that know resources but not
 * the skills extension. Only folders of skills on this page are looked at, so that a page costs the same however many
 * skills there are. A cursor names the last resource that was given, so it holds when skills come and go.
 */
export function listResources(
  skills: Skills,
  offered: readonly VisibleSkill[],
  cursor: string | undefined,
): { readonly resources: Resource[]; readonly nextCursor?: string } {
  const [afterName = "", afterPath = ""] = Buffer.from(cursor ?? "", "base64url")
    .toString("utf8")
    .split("\0");
  const resources: Resource[] = [];
  let last = "";
  const rest = offered
    .map(({ skill }) => skill)
    .filter(({ name }) => cursor === undefined || name >= afterName)
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  for (const skill of rest) {
    const begun = cursor !== undefined && skill.name === afterName;
    // SKILL.md stands first, as "".
    for (const path of ["", ...filesBeside(skills, skill)]) {
      if (begun && path <= afterPath) continue;
      if (resources.length === pageSize)
        return { resources, nextCursor: Buffer.from(last).toString("base64url") };
      resources.push(path === "" ? mainResource(skill) : fileResource(skill, path));
      last = `${skill.name}\0${path}`;
    }
  }
  return { resources };
}

/** Name of the file that SKILL.md is served from. */
export function fileName(skill: Skill): string {
  return skill.location.slice(skill.location.lastIndexOf("/") + 1);
}

function filesBeside(skills: Skills, skill: Skill): readonly string[] {
  if (skill.flat || skill.directory === null) return [];
  const own = fileName(skill);
  return skills
    .files(skill, listedFiles + 1)
    .files.filter((path) => path !== own)
    .slice(0, listedFiles)
    .sort();
}

function mainResource(skill: Skill): Resource {
  return {
    uri: skillUri(skill.name, "SKILL.md"),
    name: skill.name,
    ...(skill.title === null ? {} : { title: skill.title }),
    ...(skill.description === null ? {} : { description: skill.description }),
    mimeType: "text/markdown",
  };
}

function fileResource(skill: Skill, path: string): Resource {
  return { uri: skillUri(skill.name, path), name: `${skill.name}/${path}`, mimeType: mimeTypeOf(path) };
}
