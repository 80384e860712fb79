/**
 * What the core may know of the machine, handed in as a value (invariants 3 and 5). Paths are absolute and use `/`
 * on every system; the host converts at its border.
 */
export interface Environment {
  /** Working folder as the user gave it, links not resolved. */
  readonly cwd: string;
  readonly home: string;
  /** The profile's data folder, or null for the profile's own default. */
  readonly data: string | null;
  readonly platform: "linux" | "darwin" | "win32";
  /** Variables that count for this run (see `--home` in docs/cli.md: moved-folder variables may have been dropped). */
  readonly variables: Readonly<Record<string, string>>;
  /** BCP 47 tag of the interface language. */
  readonly language: string;
  /** The home folder was replaced (`--home`): nothing outside the given folders is read. */
  readonly isolated?: boolean;
}

/** A variable's value, or null when it is unset or empty (case d-env-roots: empty counts as not set). */
export function variable(environment: Environment, name: string): string | null {
  const value = environment.variables[name];
  return value === undefined || value === "" ? null : value;
}
