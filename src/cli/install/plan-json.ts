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
  /** What `verify --fix` put back before it looked, or could not. */
  readonly repaired?: readonly SkillChange[];
}): object {
  return {
    version: 1,
    dryRun: report.dryRun,
    written: report.written,
    scope: report.scope.name,
    changes: report.changes.map(changeJson),
    ...(report.repaired === undefined || report.repaired.length === 0
      ? {}
      : { repaired: report.repaired.map(changeJson) }),
    lock: report.scope.lockPath,
    diagnostics: report.diagnostics.map(diagnosticJson),
  };
}

function changeJson({
  name,
  action,
  from,
  since = null,
  to,
  agents,
  digest,
  previous,
  files,
  findings,
}: SkillChange): object {
  return {
    ...{ name, action, from, since, to, agents, digest, previous },
    files: files.map(({ path, action, bytes, executable, diff }) => ({
      path,
      action,
      bytes,
      executable,
      diff,
    })),
    findings: findings.map(diagnosticJson),
  };
}
