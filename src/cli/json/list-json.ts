import type { Diagnostic } from "../../core/diagnostic.ts";
import type { VisibleSkill } from "../../core/profile.ts";
import type { Skills } from "../../host/skills.ts";
import type { SkillsPart } from "../filter-skills.ts";

/** `list --json`, version 1 (docs/cli.md). Only additions within a version. */
export function listJson(skills: Skills, part: SkillsPart): object {
  return {
    version: 1,
    profile: skills.snapshot.profile,
    cwd: skills.environment.cwd,
    skills: part.listed.map(skillJson),
    shadowed: part.shadowed.map(({ skill, winner, reason, message }) => ({
      name: skill.name,
      location: skill.location,
      scope: skill.root.scope,
      source: skill.root.source,
      digest: skill.digest,
      winner: winner.location,
      reason,
      message,
    })),
    hidden: part.hidden.map(({ skill, hidden }) => ({
      name: skill.name,
      location: skill.location,
      reason: hidden?.reason ?? "",
      message: hidden?.message ?? "",
    })),
    skipped: part.skipped.map(({ path, reason, message }) => ({ path, reason, message })),
    diagnostics: skills.diagnostics.map(diagnosticJson),
  };
}

/** One skill as `list --json` and `show --json` give it. */
export function skillJson(entry: VisibleSkill): object {
  const { skill } = entry;
  return {
    name: skill.name,
    title: skill.title,
    description: skill.description,
    location: skill.location,
    directory: skill.directory,
    scope: skill.root.scope,
    source: skill.root.source,
    priority: skill.root.priority,
    aliases: skill.aliases,
    displayNames: skill.displayNames,
    descriptions: skill.descriptions,
    allowedTools: skill.allowedTools,
    bundled: skill.root.bundled,
    modelInvocable: entry.modelInvocable,
    userInvocable: entry.userInvocable,
    enabled: entry.enabled,
    trusted: entry.trusted,
    digest: skill.digest,
  };
}

export function diagnosticJson(diagnostic: Diagnostic): object {
  const { code, profileCode, severity, message, path, range, hint } = diagnostic;
  return { code, profileCode, severity, message, path, range: range ?? null, hint };
}
