import { existsSync, readdirSync, realpathSync } from "node:fs";
import type { Diagnostic } from "../../core/diagnostic.ts";
import { makeDiagnostic } from "../../core/diagnostics/make.ts";
import { SkilletError } from "../../core/error.ts";
import { join, resolve } from "../../core/path.ts";
import { printable } from "../../core/text/printable.ts";
import { toNative } from "../../host/native-path.ts";
import { archiveLimits } from "../archive/limits.ts";
import { treeDigest } from "../digest/tree-digest.ts";
import { fetchLocal } from "../install/fetch-local.ts";
import type { FetchedSkill } from "../install/fetched-skill.ts";

/**
 * The skills of a folder that can be handed on, by name, with what others get of them, and everything that stays behind:
 * hidden files (`.env`), links that lead elsewhere, linked skills, and skills that nobody could install.
 */
export function collectSkills(
  folder: string,
  cwd: string,
): { readonly skills: readonly FetchedSkill[]; readonly diagnostics: readonly Diagnostic[] } {
  const path = resolve(cwd, folder);
  if (!existsSync(toNative(path)))
    throw new SkilletError("not-found", `There is no folder ${printable(folder)}.`);
  const found = fetchLocal({ kind: "folder", text: folder, skill: null, path }, { limits: archiveLimits });
  const diagnostics: Diagnostic[] = [...found.diagnostics];
  const skills = found.skills.map((skill) => {
    const shared = withoutHidden(skill);
    const place = skill.path === null ? path : join(path, skill.path);
    for (const file of shared.hidden) diagnostics.push(leftOut("publish/hidden", join(place, file)));
    for (const link of skill.leftOut ?? []) diagnostics.push(leftOut("publish/link", join(place, link)));
    return shared.skill;
  });
  const within = new Set(found.skills.map((skill) => skill.path ?? ""));
  for (const link of outerLinks(path, within)) diagnostics.push(leftOut("publish/link", join(path, link)));
  return { skills: skills.toSorted((a, b) => (a.name < b.name ? -1 : 1)), diagnostics };
}

/** What is published is what the digest is made of, so whoever adds it gets the same digest. */
function withoutHidden(skill: FetchedSkill): {
  readonly skill: FetchedSkill;
  readonly hidden: readonly string[];
} {
  const secret = new Set(skill.files.filter(({ path }) => isHidden(path)).map(({ bytes }) => bytes));
  if (secret.size === 0) return { skill, hidden: [] };
  // A link that came as a hidden file has that file's very bytes; under its own name they would go out after all.
  const files = skill.files.filter(({ bytes }) => !secret.has(bytes));
  const kept = new Set(files.map(({ path }) => path));
  return {
    skill: {
      ...skill,
      files,
      links: new Map([...skill.links].filter(([path]) => kept.has(path))),
      digest: treeDigest(files),
    },
    hidden: skill.files.map(({ path }) => path).filter((path) => !kept.has(path)),
  };
}

function isHidden(path: string): boolean {
  return path.split("/").some((segment) => segment.startsWith("."));
}

function leftOut(code: "publish/hidden" | "publish/link", path: string): Diagnostic {
  const what = code === "publish/hidden" ? "a hidden file, or a link to one" : "a link or no regular file";
  return makeDiagnostic(code, { path, message: `${printable(path)} was left out: it is ${what}.` });
}

/** Folders that no skill is looked for in, as `fetchLocal` has it. */
const never = new Set(["node_modules", ".git", "__MACOSX"]);

/** Links beside the skills, by their paths: linked skills, linked folders of skills. */
function outerLinks(folder: string, skills: ReadonlySet<string>): readonly string[] {
  const top = realpathSync(toNative(folder));
  const found: string[] = [];
  const walk = (inner: string, depth: number): void => {
    if (skills.has(inner) || depth > archiveLimits.depth) return;
    for (const entry of readdirSync(join(top, inner), { withFileTypes: true })) {
      const path = inner === "" ? entry.name : `${inner}/${entry.name}`;
      if (never.has(entry.name)) continue;
      if (entry.isSymbolicLink()) found.push(path);
      else if (entry.isDirectory()) walk(path, depth + 1);
    }
  };
  walk("", 0);
  return found.sort();
}
