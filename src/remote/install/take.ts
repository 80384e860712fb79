/**
 * Who wins in an update. "mine" and "new" decide only what both sides changed: the lines or files in conflict; "source"
 * takes what the source has, so that edits go.
 */
export type Whose = "mine" | "new" | "source";

export interface Take {
  /** For every file that `files` does not name; null = nobody. */
  readonly all: Whose | null;
  /** By path inside the skill. */
  readonly files: ReadonlyMap<string, Whose>;
}

export const takeNothing: Take = { all: null, files: new Map() };

/** Who wins in one file. */
export function takeOf(take: Take, path: string): Whose | null {
  return take.files.get(path) ?? take.all;
}
