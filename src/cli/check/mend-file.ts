import type { Diagnostic } from "../../core/diagnostic.ts";
import { codeText } from "../../core/diagnostics/table.ts";
import type { SkillSource } from "../../core/skill/document.ts";
import { fixSkill, type SkillEdit } from "../../core/skill/fix-skill.ts";
import { writeFileAtomic } from "../../host/atomic-write.ts";
import type { CheckedFile, CheckTools } from "./check-file.ts";
import type { Finding } from "./finding.ts";

/** The findings of a file, each with its repair where there is a safe one. */
export function findingsOf({ diagnostics, source }: CheckedFile, tools: CheckTools): readonly Finding[] {
  const mendable = source !== null && diagnostics.some(({ code }) => codeText(code)?.mendable === true);
  const edits = mendable ? (repair(source, tools)?.edits ?? []) : [];
  return diagnostics.map((diagnostic) => ({ ...diagnostic, fix: fixOf(diagnostic, edits) }));
}

/** Writes a file's safe repairs, all or nothing. False when there was nothing to repair. */
export function mendFile(path: string, source: SkillSource, tools: CheckTools): boolean {
  const fix = repair(source, tools);
  if (fix === null) return false;
  writeFileAtomic(path, fix.bytes, { action: "mend the skill", followLink: true });
  return true;
}

function repair(source: SkillSource, { codec, profile }: CheckTools): ReturnType<typeof fixSkill> {
  return fixSkill(source, { codec, limits: profile.readLimits });
}

/** The edits on a finding's lines; for a finding about something missing the insertions. */
function fixOf({ code, range }: Diagnostic, edits: readonly SkillEdit[]): Finding["fix"] {
  if (codeText(code)?.mendable !== true) return null;
  const line = range?.line;
  const own = edits.filter((edit) =>
    line === undefined || isInsertion(edit)
      ? false
      : edit.range.line <= line && line < Math.max(edit.range.endLine, edit.range.line + 1),
  );
  const used = own.length > 0 ? own : edits.filter(isInsertion);
  if (used.length === 0) return null;
  const description = [...new Set(used.map((edit) => edit.description))].join(" ");
  return { description, edits: used.map(({ range: place, newText }) => ({ range: place, newText })) };
}

function isInsertion({ range }: SkillEdit): boolean {
  return range.line === range.endLine && range.column === range.endColumn;
}
