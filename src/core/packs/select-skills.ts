import type { Decision } from "../decision.ts";
import type { Environment } from "../environment.ts";
import { join } from "../path.ts";
import type { Pack } from "./pack.ts";
import { isSwitchOn, type PackPlace } from "./pack-policy.ts";

export interface SkillSelection {
  /** Names of folders, in the pack's order. */
  readonly enabled: readonly string[];
  readonly disabled: readonly string[];
  /** Why each disabled one is left out. */
  readonly decisions: readonly Decision[];
}

/** Which skills of a pack this machine gets: switches and programs decide, and every refusal is recorded (M4, M8). */
export function selectSkills(
  pack: Pack,
  place: PackPlace,
  facts: {
    readonly environment: Environment;
    readonly hasProgram: (name: string) => boolean;
    readonly folder: string;
  },
): SkillSelection {
  const enabled: string[] = [];
  const disabled: string[] = [];
  const decisions: Decision[] = [];
  for (const { name, bins } of pack.skills) {
    const refusal = refusalOf(name, [...bins, ...(own(place.programs, name) ?? [])], place, facts);
    if (refusal === null) {
      enabled.push(name);
      continue;
    }
    disabled.push(name);
    decisions.push({ stage: "gate", outcome: "off", path: join(facts.folder, name), ...refusal });
  }
  return { enabled, disabled, decisions };
}

function refusalOf(
  name: string,
  programs: readonly string[],
  place: PackPlace,
  {
    environment,
    hasProgram,
  }: { readonly environment: Environment; readonly hasProgram: (name: string) => boolean },
): { readonly reason: string; readonly message: string } | null {
  const group = place.groups.find((one) => one.skills.includes(name) && isSwitchOn(environment, one.switch));
  if (group !== undefined)
    return {
      reason: "switched-off",
      message: `The built-in skill "${name}" is switched off by ${group.switch}.`,
    };
  const missing = programs.find((program) => !hasProgram(program));
  if (missing === undefined) return null;
  return {
    reason: "missing-program",
    message: `The built-in skill "${name}" needs the program \`${missing}\`, which is not on PATH.`,
  };
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
