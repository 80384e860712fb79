import type { SkillSource } from "../../core/skill/document.ts";
import type { CheckedFile, CheckTools } from "./check-file.ts";
import type { CheckTarget } from "./check-targets.ts";
import type { Finding } from "./finding.ts";

/** The findings of a file, each with its repair where there is a safe one. */
export function findingsOf({ diagnostics }: CheckedFile, _tools: CheckTools): readonly Finding[] {
  return diagnostics.map((diagnostic) => ({ ...diagnostic, fix: null }));
}

/** Writes a file's safe repairs, all or nothing. False when there was nothing to repair. */
export function mendFile(_target: CheckTarget, _source: SkillSource, _tools: CheckTools): boolean {
  return false;
}
