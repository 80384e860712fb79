import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { PermissionRule } from "../../visibility/permission.ts";
import { rulesFromConfig } from "../../visibility/permission-config.ts";
import { type Fields, isFields } from "./merge-settings.ts";

/** Tools of the older `tools` setting that one permission covers. */
const editTools = new Set(["write", "edit", "patch", "multiedit"]);

/** `permission` in its long form: a single word is for everything. */
export function permissionFields(value: unknown): Fields {
  if (isFields(value)) return value;
  return value === undefined || value === null ? {} : { "*": value };
}

/** The older `tools: {NAME: false}` as permission fields. */
export function toolFields(value: unknown): Fields {
  const fields: Record<string, unknown> = Object.create(null);
  if (!isFields(value)) return fields;
  for (const [tool, enabled] of Object.entries(value))
    if (typeof enabled === "boolean")
      fields[editTools.has(tool) ? "edit" : tool] = enabled ? "allow" : "deny";
  return fields;
}

/** An agent's own permission: its older `tools`, each replaced as a whole by `permission`. */
export function agentPermission(agent: Fields): Fields {
  return { ...toolFields(agent.tools), ...permissionFields(agent.permission) };
}

/** Rules in the order of keys, patterns as they are written (feature O11; spec mimo-opencode 4.4). */
export function openCodeRules(
  value: unknown,
  options: { readonly home: string; readonly path: string | null; readonly diagnostics: Diagnostic[] },
): readonly PermissionRule[] {
  const rules = rulesFromConfig(value, { home: options.home, path: options.path, patterns: "as-is" });
  options.diagnostics.push(...rules.diagnostics);
  return rules.value;
}

/** The list form of the second generation: `[{action, resource, effect}]`. */
export function listedRules(
  value: unknown,
  options: { readonly path: string | null; readonly diagnostics: Diagnostic[] },
): readonly PermissionRule[] {
  if (value === undefined) return [];
  const wrong = (message: string): void => {
    const hint = "Write {action, resource, effect}";
    options.diagnostics.push(makeDiagnostic("config/wrong-type", { path: options.path, message, hint }));
  };
  if (!Array.isArray(value)) {
    wrong("`permissions` is not a list, so it is ignored.");
    return [];
  }
  return value.flatMap((item: unknown): readonly PermissionRule[] => {
    const { action, resource, effect } = isFields(item) ? item : {};
    if (typeof action !== "string" || typeof resource !== "string") {
      wrong("An entry of `permissions` has no action or no resource; it is left out.");
      return [];
    }
    if (effect === "allow" || effect === "ask")
      return [{ permission: action, pattern: resource, action: effect }];
    if (effect !== "deny") wrong("An entry of `permissions` has no known effect, so it denies.");
    return [{ permission: action, pattern: resource, action: "deny" }];
  });
}
