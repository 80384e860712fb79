import type { Diagnostic } from "../../core/diagnostic.ts";
import type { InstallScope } from "../../remote/install/install-scope.ts";
import type { SkillChange } from "../../remote/install/operation.ts";
import { diagnosticJson } from "../json/list-json.ts";

/** `add`, `remove`, `update`, `verify` and `ci` with --json, version 1 (docs/cli.md). */
export function planJson(report: {
  readonly scope: InstallScope;
  readonly changes: readonly SkillChange[];
  readonly diagnostics: readonly Diagnostic[];
  readonly dryRun: boolean;
  /** Something was, or would be, written. */
  readonly written: boolean;
}): object {
  return {
    version: 1,
    dryRun: report.dryRun,
    written: report.written,
    scope: report.scope.name,
    changes: report.changes.map(({ name, action, from, to, agents, digest, previous, files, findings }) => ({
      ...{ name, action, from, to, agents, digest, previous },
      files: files.map(({ path, action, bytes, executable, diff }) => ({
        path,
        action,
        bytes,
        executable,
        diff,
      })),
      findings: findings.map(diagnosticJson),
    })),
    lock: report.scope.lockPath,
    diagnostics: report.diagnostics.map(diagnosticJson),
  };
}
