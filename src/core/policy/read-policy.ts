import type { Diagnostic, Result } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import { closestNames } from "../text/closest-names.ts";
import { printable } from "../text/printable.ts";
import { originRule } from "./origin.ts";
import { defaultRemoteLimits, openPolicy, type Policy, type Publisher, type RemoteLimits } from "./policy.ts";

const keys = [
  ...["origins", "publishers", "require", "scripts", "deny", "allow", "limits"],
  // `commands` is read where commands are run (src/core/activation/command-policy.ts).
  ...["privateHosts", "plainHttp", "redirects", "commands"],
];

/**
 * Reads the setting `policy`. A rule that cannot be read closes everything (`broken`), because nobody can tell what it
 * meant to forbid; an unknown word is a warning, except that it closes everything too when it looks like a rule.
 */
export function readPolicy(
  value: Readonly<Record<string, unknown>>,
  path: string | null = null,
): Result<Policy> {
  const diagnostics: Diagnostic[] = [];
  let broken: string | null = null;
  const fail = (message: string): void => {
    broken ??= message;
    diagnostics.push(makeDiagnostic("policy/invalid", { path, message }));
  };
  for (const name of Object.keys(value)) {
    if (keys.includes(name)) continue;
    const meant = closestNames(name, keys, 1)[0];
    const shown = printable(name.slice(0, 60));
    if (meant !== undefined) fail(`\`policy.${shown}\` is unknown; \`${meant}\` may be meant.`);
    else
      diagnostics.push(
        makeDiagnostic("config/unknown-key", { path, message: `There is no setting "policy.${shown}".` }),
      );
  }
  const texts = (name: string): readonly string[] | null => {
    const list = value[name];
    if (list === undefined || list === null) return null;
    if (Array.isArray(list) && list.every((item) => typeof item === "string" && item !== "")) return list;
    fail(`\`policy.${name}\` must be a list of texts.`);
    return [];
  };
  const names = (name: string): readonly string[] | null => {
    const patterns = texts(name);
    const [never] = (patterns ?? []).filter((pattern) => !canMatchName(pattern));
    if (never !== undefined)
      fail(
        `\`policy.${name}\` holds "${printable(never.slice(0, 100))}", which no name can match: it is for names of skills, like "pdf" or "internal-*".`,
      );
    return patterns;
  };
  const word = <const W extends string>(name: string, words: readonly W[], usual: W): W => {
    const found = value[name];
    if (found === undefined) return usual;
    if (words.includes(found as W)) return found as W;
    fail(`\`policy.${name}\` must be one of ${words.join(", ")}.`);
    return usual;
  };
  const origins = texts("origins");
  const rules = (origins ?? []).flatMap((text) => {
    const matches = originRule(text);
    if (matches !== null) return [{ text, matches }];
    fail(`\`policy.origins\` holds "${printable(text.slice(0, 100))}", which is no host, address or path.`);
    return [];
  });
  const policy: Policy = {
    origins: origins === null ? null : rules,
    publishers: publishers(value.publishers, fail),
    require: word("require", ["nothing", "digest", "signature"], "nothing"),
    scripts: word("scripts", ["allow", "deny"], "allow"),
    deny: names("deny") ?? [],
    allow: names("allow"),
    limits: limits(value.limits, fail),
    privateHosts: (texts("privateHosts") ?? []).map((host) => host.toLowerCase()),
    plainHttp: (texts("plainHttp") ?? []).map((host) => host.toLowerCase()),
    redirects: (texts("redirects") ?? []).map((host) => host.toLowerCase()),
    broken: null,
  };
  return { value: broken === null ? policy : { ...policy, broken }, diagnostics };
}

/** Whether some name of a skill fits: no source has one with slashes, at signs, colons, blanks at the ends or control characters. */
function canMatchName(pattern: string): boolean {
  return pattern.trim() === pattern && !/[\\/@:\u0000-\u001f\u007f]/.test(pattern);
}

const keyForm = /^ed25519:[A-Za-z0-9+/]{43}=$/;

function publishers(value: unknown, fail: (message: string) => void): readonly Publisher[] {
  if (value === undefined || value === null) return openPolicy.publishers;
  if (!isFields(value)) {
    fail("`policy.publishers` must be an object of names and keys.");
    return [];
  }
  return Object.entries(value).flatMap(([name, given]) => {
    const list = typeof given === "string" ? [given] : isFields(given) ? given.keys : given;
    if (
      Array.isArray(list) &&
      list.length > 0 &&
      list.every((key) => typeof key === "string" && keyForm.test(key))
    )
      return [{ name, keys: list as string[] }];
    fail(
      `\`policy.publishers.${printable(name.slice(0, 60))}\` must be a key or a list of keys of the form ed25519:BASE64.`,
    );
    return [];
  });
}

function limits(value: unknown, fail: (message: string) => void): RemoteLimits {
  if (value === undefined) return defaultRemoteLimits;
  if (!isFields(value)) {
    fail("`policy.limits` must be an object of numbers.");
    return defaultRemoteLimits;
  }
  const result: Record<string, number> = { ...defaultRemoteLimits };
  for (const [name, number] of Object.entries(value)) {
    if (!Object.hasOwn(defaultRemoteLimits, name))
      fail(`\`policy.limits.${printable(name.slice(0, 60))}\` is unknown.`);
    else if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 1)
      fail(`\`policy.limits.${name}\` must be a whole number above 0.`);
    else result[name] = number;
  }
  return { ...defaultRemoteLimits, ...result };
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
