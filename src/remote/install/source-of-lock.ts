import type { Environment } from "../../core/environment.ts";
import { relativeInside, resolve, tildify } from "../../core/path.ts";
import type { LockedSkill } from "../lock/lock-data.ts";
import { hasRefForm } from "./git-address.ts";
import type { InstallScope } from "./install-scope.ts";
import { type ParseSourceContext, parseSource } from "./parse-source.ts";
import type { Source } from "./source.ts";

/**
 * The source that a lock's entry came from, all of it: which skill is meant is known by name and folder. Parsed by the
 * same rules as what a user types, since a lock may come from a stranger. Throws `SkilletError` "usage" or "not-found".
 */
export function sourceOfLock(
  locked: LockedSkill,
  scope: InstallScope,
  look: ParseSourceContext["look"],
  environment: Environment,
): Source {
  const context = { environment, base: scope.base, look };
  const { kind, url, source, ref } = locked;
  if (kind === "oci" || kind === "folder" || url === null) return parseSource(source, context);
  if (kind === "git") {
    if (url.startsWith("file://")) return { ...parseSource(url, context), text: source } as Source;
    const address = url.endsWith(".git") || !/^https?:/.test(url) ? url : `git+${url}`;
    const parsed = parseSource(address, context);
    if (parsed.kind === "git") {
      return {
        ...parsed,
        text: source,
        url,
        ref: ref !== null && hasRefForm(ref) ? ref : null,
        path: null,
        tree: null,
        skill: null,
      };
    }
  }
  const parsed = parseSource(url, context);
  return { ...parsed, text: source, skill: null };
}

/** How a local path stands in a lock: relative to the project where it lies in it, else below the home folder. */
export function lockedPath(path: string, scope: InstallScope, environment: Environment): string {
  const absolute = resolve(environment.cwd, path);
  const inside = scope.name === "workspace" ? relativeInside(scope.base, absolute) : null;
  if (inside !== null) return inside === "" ? "." : `./${inside}`;
  return tildify(environment.home, absolute);
}
