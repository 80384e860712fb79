import { isAbsolute, join } from "../../core/path.ts";
import type { Workspace } from "./workspace.ts";

/** Where a text in a command leads to, and how it stands there. */
export interface Place {
  /** Absolute; null where it cannot be told: another user's home, and the way up, which leads elsewhere behind a link. */
  readonly path: string | null;
  readonly shown: string;
}

/** Where texts of a command lead to, from every folder it may be in; null where a pattern cannot be told. */
export function placesOf(
  texts: readonly string[],
  parts: {
    readonly globs: readonly string[];
    readonly folders: readonly string[];
    readonly workspace: Workspace;
  },
): readonly Place[] | null {
  const { globs, folders, workspace } = parts;
  const found = new Map<string | null, Place>();
  const add = (shown: string, folder: string): void => {
    const path = located(shown, folder, workspace);
    if (!found.has(path)) found.set(path, { path, shown });
  };
  for (const text of new Set(texts)) {
    if (text === "" || text === "/dev/null" || /^(?:https?|git|ssh|npm):/i.test(text)) continue;
    for (const folder of folders) {
      add(text, folder);
      if (!globs.includes(text)) continue;
      const names = workspace.matches(text, folder);
      // A name that begins with a dash would be an option.
      if (names === null || names.some((name) => name.startsWith("-"))) return null;
      for (const name of names) add(name, folder);
    }
  }
  return [...found.values()];
}

function located(text: string, folder: string, workspace: Workspace): string | null {
  return /^~[^/]|(?:^|\/)\.\.(?:\/|$)/.test(text) ? null : workspace.absolute(from(folder, text));
}

/** A path that stands in a line, from the folder on in which it is read. */
export function from(folder: string, path: string): string {
  return isAbsolute(path) || path === "~" || path.startsWith("~/") ? path : join(folder, path);
}
