import type { Configuration } from "../../core/configuration.ts";

/** A setting's value by its dotted name as `skillet.jsonc` spells it; undefined when there is no such setting. */
export function settingValue(configuration: Configuration, key: string): unknown {
  const { agents, skills, ...rest } = configuration;
  const written: object = {
    ...rest,
    agent: agents,
    skills: { ...skills, paths: skills.paths.map((path) => path.path) },
  };
  if (key === "origin" || key.startsWith("origin.")) return undefined;
  let value: unknown = written;
  for (const part of key.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}
