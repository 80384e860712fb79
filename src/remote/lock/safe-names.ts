import { nameFault } from "../../core/skill/skill-name.ts";
import { pathProblem } from "../archive/path-problem.ts";

/** A name that may become a folder: lower-case letters, digits and single hyphens, at most 64 (the standard's rule). */
export function isSkillName(name: string): boolean {
  return name.length <= 64 && /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && nameFault(name) === null;
}

/** A path of a lock that stays inside a skill or a source on every system. */
export function isLockedPath(path: string): boolean {
  return path.length <= 1000 && pathProblem(path) === null;
}
