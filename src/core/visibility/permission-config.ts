import type { Diagnostic, Result } from "../diagnostic.ts";
import { printable } from "../text/printable.ts";
import { cutCodePoints } from "../text/single-line.ts";
import { evaluate, isStricter, type PermissionAction, type PermissionRule } from "./permission.ts";

export interface PermissionConfigOptions {
  /** What `~` and `$HOME` at the start of a pattern stand for; null = left as written. */
  readonly home: string | null;
  /** File the value came from, for diagnostics. */
  readonly path: string | null;
  /**
   * "checked" (default) fails closed on patterns that cannot be meant and on numeric names, whose place in a JSON
   * object is lost. "as-is" takes every text as a pattern in the order that the object has, as mirrored systems do.
   */
  readonly patterns?: "checked" | "as-is";
}

/** UTF-16 units; a longer pattern is refused. */
const longestPattern = 4_096;

const integerKey = /^(0|[1-9][0-9]{0,9})$/;

function isAction(value: unknown): value is PermissionAction {
  return value === "allow" || value === "ask" || value === "deny";
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function expandHome(pattern: string, home: string | null): string {
  if (home === null) return pattern;
  for (const mark of ["~", "$HOME"]) {
    if (pattern === mark) return home;
    if (pattern.startsWith(`${mark}/`)) return home + pattern.slice(mark.length);
  }
  return pattern;
}

/** Why a pattern cannot be meant as written (a sentence without subject), or null. */
function refusal(pattern: string): string | null {
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  if (/[\u0000-\u001f\u007f]/.test(pattern)) return "contains a control character";
  let depth = 0;
  for (const character of pattern) {
    if (character === "{") depth++;
    else if (character === "}" && --depth < 0) break;
  }
  return depth === 0 ? null : "has an unbalanced brace";
}

/** Keeps a foreign text short and on one line inside a message. */
function quoted(text: string): string {
  const shown = cutCodePoints(text, 60);
  return `"${printable(shown)}${shown === text ? "" : "…"}"`;
}

/**
 * Rules from a permission setting: `"allow"` alone is for everything, `{permission: action}` for one permission,
 * `{permission: {pattern: action}}` for patterns; the order of keys is the order of rules. What cannot be read fails
 * closed: it becomes a `deny` with a diagnostic, for the whole permission when the pattern itself is unusable
 * (rows H08, H09; spec mimo-opencode 4.4). Never throws.
 */
export function rulesFromConfig(
  value: unknown,
  options: PermissionConfigOptions,
): Result<readonly PermissionRule[]> {
  const diagnostics: Diagnostic[] = [];
  const checked = options.patterns !== "as-is";

  const report = (code: string, message: string, hint: string): void => {
    diagnostics.push({
      code: `permission/${code}`,
      profileCode: null,
      severity: code === "numeric-pattern" ? "warning" : "error",
      message,
      path: options.path,
      hint,
    });
  };

  const action = (given: unknown, where: string): PermissionAction => {
    if (isAction(given)) return given;
    const shown =
      typeof given === "string"
        ? quoted(given)
        : Array.isArray(given)
          ? "a list"
          : given === null
            ? "empty"
            : `of type ${typeof given}`;
    report(
      "unknown-action",
      `The permission for ${where} is ${shown}, so it is denied.`,
      'Write "allow", "ask" or "deny".',
    );
    return "deny";
  };

  const ofPermission = (permission: string, given: unknown): PermissionRule[] => {
    if (!isRecord(given)) return [{ permission, pattern: "*", action: action(given, quoted(permission)) }];
    const rules: PermissionRule[] = [];
    const numeric: PermissionRule[] = [];
    for (const [key, inner] of Object.entries(given)) {
      const problem = checked ? refusal(key) : null;
      if (problem !== null) {
        report(
          "bad-pattern",
          `The ${quoted(permission)} pattern ${quoted(key)} ${problem}, so ${quoted(permission)} is denied there.`,
          "Only * and ? have a meaning in patterns; write the name out otherwise.",
        );
        rules.push({ permission, pattern: "*", action: "deny" });
        continue;
      }
      const rule: PermissionRule = {
        permission,
        pattern: expandHome(key, options.home),
        action: action(inner, `${quoted(permission)} ${quoted(key)}`),
      };
      if (checked && integerKey.test(key)) numeric.push(rule);
      else rules.push(rule);
    }
    return checked ? placeNumeric(numeric, rules, report) : [...numeric, ...rules];
  };

  if (value === undefined || value === null) return { value: [], diagnostics };
  if (!isRecord(value))
    return { value: [{ permission: "*", pattern: "*", action: action(value, "everything") }], diagnostics };
  const rules = Object.entries(value).flatMap(([permission, given]) => ofPermission(permission, given));
  return { value: rules, diagnostics };
}

/**
 * An object puts keys like "2024" before all others, wherever they were written. Where that place matters the
 * stricter reading holds: a numeric rule comes last when it is stricter than what the others say of it, else first.
 */
function placeNumeric(
  numeric: readonly PermissionRule[],
  others: readonly PermissionRule[],
  report: (code: string, message: string, hint: string) => void,
): PermissionRule[] {
  const first: PermissionRule[] = [];
  const last: PermissionRule[] = [];
  for (const rule of numeric) {
    const else_ = evaluate(others, rule.permission, rule.pattern);
    const stricter = else_.index !== null && isStricter(rule.action, else_.action);
    (stricter ? last : first).push(rule);
    if (else_.index !== null && else_.action !== rule.action)
      report(
        "numeric-pattern",
        `The place of ${quoted(rule.pattern)} among the ${quoted(rule.permission)} rules is lost, because objects ` +
          `list numbers first; the stricter reading is used.`,
        `Write it with a wildcard, such as "${rule.pattern}*", where the order must count.`,
      );
  }
  return [...first, ...others, ...last];
}
