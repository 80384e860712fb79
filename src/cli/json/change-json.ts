import type { SkillsChange } from "../../host/watch/live-state.ts";
import { diagnosticJson } from "./list-json.ts";

/** One line of `list --watch --json` behind the first, version 1 (docs/watching.md). Only additions within a version. */
export function changeJson(profile: string, change: SkillsChange): object {
  return {
    type: "change",
    version: 1,
    profile,
    cause: change.cause,
    added: change.added,
    removed: change.removed,
    changed: change.changed,
    winnerChanged: change.winnerChanged,
    shadowed: change.shadowed,
    diagnosticsAdded: change.diagnosticsAdded.map(diagnosticJson),
    diagnosticsRemoved: change.diagnosticsRemoved.map(diagnosticJson),
  };
}
