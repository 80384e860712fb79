import type { Diagnostic } from "../diagnostic.ts";
import { makeDiagnostic } from "../diagnostics/make.ts";
import type { DiagnosticCode } from "../diagnostics/table.ts";
import { printable } from "../text/printable.ts";
import { matchWildcard } from "../visibility/wildcard.ts";
import { originOf } from "./origin.ts";
import type { Policy } from "./policy.ts";

/** One question that the policy was asked, and its answer as a sentence. */
export interface PolicyStep {
  /** The key of the policy that decided, e.g. `origins`. */
  readonly rule: string;
  readonly allowed: boolean;
  readonly message: string;
}

/** Everything that the policy may ask about one skill. */
export interface SkillFacts {
  readonly name: string;
  /** Address or path of its source. */
  readonly origin: string;
  readonly files: readonly { readonly path: string; readonly bytes: number; readonly script: boolean }[];
  /** What arrived was compared with a digest or a commit that the source, a lock or the user states. */
  readonly digestStated: boolean;
  /** The publisher of the policy whose signature fits; null = none. */
  readonly publisher: string | null;
}

export interface Judgement {
  readonly allowed: boolean;
  /** In the order in which they were asked; a refusal does not end the questions. */
  readonly steps: readonly PolicyStep[];
}

/** Whether anything may be fetched from an address. */
export function judgeOrigin(policy: Policy, address: string): PolicyStep {
  if (policy.broken !== null)
    return { rule: "policy", allowed: false, message: `The policy cannot be read: ${policy.broken}` };
  if (policy.origins === null)
    return { rule: "origins", allowed: true, message: "The policy names no origins, so all are allowed." };
  const origin = originOf(address);
  const rule = origin === null ? undefined : policy.origins.find(({ matches }) => matches(origin));
  return rule === undefined
    ? { rule: "origins", allowed: false, message: "`policy.origins` does not name this address." }
    : { rule: "origins", allowed: true, message: `\`policy.origins\` allows it: ${printable(rule.text)}.` };
}

/** Whether a skill of this name may come from elsewhere. */
export function judgeName(policy: Policy, name: string): PolicyStep {
  // Names are lower-case by the standard, and a mirrored agent's may not be: a rule means the name, not its spelling.
  const fits = (pattern: string): boolean => matchWildcard(name.toLowerCase(), pattern.toLowerCase());
  const denied = policy.deny.find(fits);
  if (denied !== undefined)
    return {
      rule: "deny",
      allowed: false,
      message: `\`policy.deny\` denies the name: ${printable(denied)}.`,
    };
  if (policy.allow === null) return { rule: "deny", allowed: true, message: "No rule denies the name." };
  const allowed = policy.allow.find(fits);
  return allowed === undefined
    ? { rule: "allow", allowed: false, message: "`policy.allow` does not name it." }
    : { rule: "allow", allowed: true, message: `\`policy.allow\` names it: ${printable(allowed)}.` };
}

/**
 * Every question of the policy about one skill: origin, name, how sure its content is, scripts, sizes. The same function
 * decides at pull, install, load and serve, so the answers cannot differ.
 */
export function judgeSkill(policy: Policy, facts: SkillFacts): Judgement {
  const steps = [
    judgeOrigin(policy, facts.origin),
    judgeName(policy, facts.name),
    judgeProof(policy, facts),
    judgeScripts(policy, facts),
    judgeSize(policy, facts),
  ];
  return { allowed: steps.every(({ allowed }) => allowed), steps };
}

function judgeProof(policy: Policy, { digestStated, publisher }: SkillFacts): PolicyStep {
  if (policy.require === "signature") {
    return publisher === null
      ? {
          rule: "require",
          allowed: false,
          message: "`policy.require` asks for a signature, and none of a known publisher fits.",
        }
      : { rule: "require", allowed: true, message: `Signed by ${printable(publisher)}.` };
  }
  if (policy.require === "digest") {
    return digestStated || publisher !== null
      ? { rule: "require", allowed: true, message: "Its content is what the stated digest says." }
      : {
          rule: "require",
          allowed: false,
          message: "`policy.require` asks for a digest, and its source states none.",
        };
  }
  return { rule: "require", allowed: true, message: "The policy asks for no digest or signature." };
}

function judgeScripts(policy: Policy, { files }: SkillFacts): PolicyStep {
  const scripts = files.filter(({ script }) => script).map(({ path }) => printable(path));
  if (scripts.length === 0) return { rule: "scripts", allowed: true, message: "It has no scripts." };
  const named = `${scripts.slice(0, 3).join(", ")}${scripts.length > 3 ? ` and ${scripts.length - 3} more` : ""}`;
  return policy.scripts === "deny"
    ? { rule: "scripts", allowed: false, message: `\`policy.scripts\` forbids scripts, and it has ${named}.` }
    : { rule: "scripts", allowed: true, message: `Scripts are allowed; it has ${named}.` };
}

function judgeSize(policy: Policy, { files }: SkillFacts): PolicyStep {
  const { limits } = policy;
  const refuse = (message: string): PolicyStep => ({ rule: "limits", allowed: false, message });
  if (files.length > limits.files)
    return refuse(`It has ${files.length} files; \`policy.limits.files\` is ${limits.files}.`);
  const large = files.find(({ bytes }) => bytes > limits.fileBytes);
  if (large !== undefined)
    return refuse(
      `${printable(large.path)} has ${large.bytes} bytes; \`policy.limits.fileBytes\` is ${limits.fileBytes}.`,
    );
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  return total > limits.skillBytes
    ? refuse(`It has ${total} bytes; \`policy.limits.skillBytes\` is ${limits.skillBytes}.`)
    : { rule: "limits", allowed: true, message: "Its size is within the limits." };
}

const codes: Readonly<Record<string, DiagnosticCode>> = {
  policy: "policy/invalid",
  origins: "policy/origin",
  deny: "policy/name",
  allow: "policy/name",
  scripts: "policy/script",
  limits: "policy/size",
};

/** The refusals of a judgement as diagnostics. */
export function policyDiagnostics(
  judgement: Judgement,
  at: { readonly name: string; readonly path: string | null; readonly policy: Policy },
): readonly Diagnostic[] {
  return judgement.steps
    .filter(({ allowed }) => !allowed)
    .map(({ rule, message }) =>
      makeDiagnostic(
        codes[rule] ?? (at.policy.require === "signature" ? "policy/signature" : "policy/digest"),
        { path: at.path, message: `${printable(at.name.slice(0, 100))}: ${message}` },
      ),
    );
}
