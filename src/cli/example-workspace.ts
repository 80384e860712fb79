import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Skills } from "../host/skills.ts";
import type { Context } from "./command.ts";

/**
 * The skills of the package's own `examples/workspace`, for a request in a folder that has none at all, so that a first
 * try shows something real. They count as trusted, because they are ours. Null when there are skills here (built-in
 * ones that a model is offered count too), when something here was skipped (that is then the news), when the caller
 * says where to look, or when the package came without examples.
 */
export async function exampleSkills(context: Context, skills: Skills): Promise<Skills | null> {
  if (["cwd", "home", "data"].some((name) => context.flags.on(name))) return null;
  const offered = skills.entries.some(({ skill, modelInvocable }) => modelInvocable || !skill.root.bundled);
  if (offered || skills.shadowed.length > 0 || skills.skipped.length > 0) return null;
  const folder = exampleFolder();
  if (folder === null) return null;
  const [{ openSkills }, { openOptions }] = await Promise.all([
    import("../host/open-skills.ts"),
    import("./open-options.ts"),
  ]);
  return openSkills({ ...openOptions(context.flags, context.io), cwd: folder, trust: true });
}

/** Upward from this file, built or not: the folder beside our package.json. */
function exampleFolder(): string | null {
  let folder = dirname(fileURLToPath(import.meta.url));
  for (let level = 0; level < 5; level += 1) {
    if (existsSync(join(folder, "package.json"))) {
      const workspace = join(folder, "examples", "workspace");
      if (existsSync(workspace)) return workspace;
    }
    folder = dirname(folder);
  }
  return null;
}
