import type { Diagnostic } from "../core/diagnostic.ts";
import { contains } from "../core/path.ts";
import type { Skills } from "../host/skills.ts";

/** What was noticed about the user's and the project's things: Skillet's built-in skills are not theirs to mend. */
export function ownDiagnostics({ diagnostics, snapshot }: Skills): readonly Diagnostic[] {
  const bundled = snapshot.roots.filter(({ root }) => root.bundled).map(({ root }) => root.path);
  return diagnostics.filter(({ path }) => path === null || !bundled.some((folder) => contains(folder, path)));
}
