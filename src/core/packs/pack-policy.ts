import type { ScanRules } from "../discovery/root.ts";
import type { Environment } from "../environment.ts";

/**
 * By which rule bundled skills are kept on disk.
 * `seed`: the marker's text decides alone and files are overwritten, as MiMo Code does it (features M2–M4).
 * `proven`: the marker says what every file was, damage is repaired and edits are kept aside (rows K01–K07).
 */
export type MarkerRule = "seed" | "proven";

/** One pack of a profile and where its skills go. */
export interface PackPlace {
  readonly pack: string;
  /** Below the data folder, above the version. */
  readonly folder: string;
  /** Variables that switch the whole pack off when they are `true` or `1` (feature M8). */
  readonly switches: readonly string[];
  /** What is compared in a `seed` marker: its whole text, or only that it is there. */
  readonly marker: "text" | "existence";
  /** Some of its skills have a switch of their own. */
  readonly groups: readonly { readonly switch: string; readonly skills: readonly string[] }[];
  /** Programs that a skill needs, by skill, besides what the pack itself says (feature M4). */
  readonly programs: Readonly<Record<string, readonly string[]>>;
  /** `source` of its root. */
  readonly source: string;
  readonly scan: ScanRules;
}

/** How a profile has skills of its own. A profile without a policy has none. */
export interface PackPolicy {
  readonly rule: MarkerRule;
  /** True: the packs of this package; false: only packs that a caller names (`--pack`). */
  readonly own: boolean;
  /** Folder name of the version; null = the version of the package. */
  readonly version: string | null;
  /** Skillet's own setting `skills.builtin` counts. */
  readonly setting: boolean;
  readonly packs: readonly PackPlace[];
  data(environment: Environment): string;
}

/** `true` and `1`, in any case; every other word is off (feature M8). */
export function isSwitchOn(environment: Environment, name: string): boolean {
  return /^(?:true|1)$/i.test(environment.variables[name] ?? "");
}
