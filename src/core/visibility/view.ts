import { matchesPath } from "../activation/file-patterns.ts";
import type { Decision } from "../decision.ts";
import type { AgentFacts, VisibilityRules, VisibleSkill } from "../profile.ts";
import type { Skill, Snapshot } from "../snapshot.ts";
import { judgeOf } from "./judge-of.ts";
import type { PermissionEvaluation, PermissionRule } from "./permission.ts";
import { unmetRequirement } from "./requirements.ts";
import { matchWildcard } from "./wildcard.ts";

/** Whether the user trusts a project's skill as it is now, and if not, why. */
export type TrustVerdict =
  | { readonly trusted: true }
  | { readonly trusted: false; readonly reason: "untrusted" | "new" | "changed"; readonly message: string };

const trustedVerdict: TrustVerdict = Object.freeze({ trusted: true });

/** Everything besides the snapshot that decides who sees a skill. Plain data and pure questions. */
export interface VisibilityFacts {
  /** Rules of this agent; the last match wins. */
  readonly permission: readonly PermissionRule[];
  readonly agent: AgentFacts;
  /** Whether a project's skill is trusted; asked only where the root needs trust. */
  readonly trust: (skill: Skill) => TrustVerdict;
  /** Stored or configured state: why the skill is off, or null. */
  readonly disabled: (skill: Skill) => { readonly reason: string; readonly message: string } | null;
  /** This run's own gate: why the skill is not offered, or null; absent = there is none. */
  readonly gate?: (skill: Skill) => { readonly reason: string; readonly message: string } | null;
  /** Files in play; null = nobody said, patterns then keep a skill back. */
  readonly touched: readonly string[];
  /** Programs on PATH. */
  readonly hasProgram: (name: string) => boolean;
  readonly variables: Readonly<Record<string, string>>;
  readonly platform: string;
}

const passed: readonly Decision[] = Object.freeze([
  {
    stage: "permission",
    outcome: "passed",
    reason: "allowed",
    path: null,
    message: "Allowed: no rule keeps it back.",
  },
]);

/**
 * One decision per skill and question, in a fixed order: permission, stored state, gates, trust, who may call it, file
 * patterns. The first that hides a skill ends the questions; what keeps it from a model only is recorded and goes on.
 * One function for list, catalog, search, load and commands (rows H08, H09). Features O11, M10, X11.
 */
export function decideVisibility(
  snapshot: Snapshot,
  rules: VisibilityRules,
  facts: VisibilityFacts,
): readonly VisibleSkill[] {
  const everything = facts.permission.length === 1 ? facts.permission[0] : undefined;
  const open =
    everything !== undefined &&
    everything.action === "allow" &&
    everything.pattern === "*" &&
    matchWildcard("skill", everything.permission);
  const judge = judgeOf(facts.permission, rules.spellings === true);
  const input: VisibilityInput = { rules, facts, allowed: [], steps: [] };
  return snapshot.skills.map((skill) => {
    const evaluation: PermissionEvaluation | null = open ? null : judge(skill.name);
    return decide(skill, evaluation, input);
  });
}

interface VisibilityInput {
  readonly rules: VisibilityRules;
  readonly facts: VisibilityFacts;
  /** The record of skills that a rule allows and nothing keeps back, by place of the rule: one for all of them. */
  readonly allowed: (readonly Decision[])[];
  /** The step of each rule that lets a skill pass, by place of the rule; a skill that no rule concerns has its own. */
  readonly steps: Decision[];
}

function decide(skill: Skill, evaluation: PermissionEvaluation | null, input: VisibilityInput): VisibleSkill {
  const { rules, facts } = input;
  const permission = evaluation?.action ?? "allow";
  const off = rules.state ? facts.disabled(skill) : null;
  const unmet =
    (rules.requires && skill.requires !== null ? unmetRequirement(skill.requires, facts) : null) ??
    rules.gate?.(skill, facts) ??
    null;
  const gate = unmet === null ? (facts.gate?.(skill) ?? null) : { reason: "gate", message: unmet };
  const trust = rules.trust && skill.root.needsTrust ? facts.trust(skill) : trustedVerdict;
  const manual = rules.manualOnly && skill.disableModelInvocation;
  const tied = rules.paths && skill.paths !== null ? skill.paths : null;
  const matches = tied === null || facts.touched.some((file) => matchesPath(tied, file));
  const denied = permission === "deny";
  const userInvocable =
    !denied && off === null && gate === null && (!rules.userInvocable || skill.userInvocable);

  if (
    permission === "allow" &&
    off === null &&
    gate === null &&
    trust.trusted &&
    !manual &&
    tied === null &&
    userInvocable
  ) {
    return {
      skill,
      permission,
      enabled: true,
      trusted: true,
      modelInvocable: true,
      userInvocable,
      hidden: null,
      decisions: allowedBy(evaluation, input),
    };
  }
  return explained(skill, { evaluation, input, off, gate, trust, manual, tied, matches, userInvocable });
}

function allowedBy(evaluation: PermissionEvaluation | null, input: VisibilityInput): readonly Decision[] {
  if (evaluation === null || evaluation.index === null) return passed;
  const known = input.allowed[evaluation.index];
  if (known !== undefined) return known;
  const steps: readonly Decision[] = Object.freeze([passingStep(evaluation, input)]);
  input.allowed[evaluation.index] = steps;
  return steps;
}

function passingStep(evaluation: PermissionEvaluation, { steps }: VisibilityInput): Decision {
  const { index } = evaluation;
  if (index === null) return permissionStep(evaluation);
  const known = steps[index];
  if (known !== undefined) return known;
  const step = permissionStep(evaluation);
  steps[index] = step;
  return step;
}

interface Answers {
  readonly evaluation: PermissionEvaluation | null;
  readonly input: VisibilityInput;
  readonly off: { readonly reason: string; readonly message: string } | null;
  readonly gate: { readonly reason: string; readonly message: string } | null;
  readonly trust: TrustVerdict;
  readonly manual: boolean;
  readonly tied: readonly string[] | null;
  readonly matches: boolean;
  readonly userInvocable: boolean;
}

/** A skill that something keeps back, or that passed more than a rule, with each step. */
function explained(skill: Skill, answers: Answers): VisibleSkill {
  const { evaluation, input, off, gate, trust, manual, tied, matches, userInvocable } = answers;
  const { rules } = input;
  const permission = evaluation?.action ?? "allow";
  const denied = permission === "deny";
  const { trusted } = trust;
  const decisions: Decision[] = [];
  let hidden: VisibleSkill["hidden"] = null;
  const keep = (stage: Decision["stage"], reason: string, message: string): void => {
    decisions.push({ stage, outcome: "hidden", reason, path: skill.location, message });
  };
  const hide = (stage: Decision["stage"], reason: string, message: string): void => {
    keep(stage, reason, message);
    hidden ??= { reason, message };
  };
  if (evaluation === null) decisions.push(...passed);
  else if (!denied) decisions.push(passingStep(evaluation, input));
  else if (rules.denied === "nowhere") hide("permission", "denied", deniedMessage(evaluation));
  else keep("permission", "denied", deniedMessage(evaluation));
  if (off !== null) hide("state", off.reason, off.message);
  if (gate !== null) hide("gate", gate.reason, gate.message);
  if (!trust.trusted) {
    const alone = !manual && matches && hidden === null && !denied;
    const command = skill.root.scope === "mcp" ? `skillet trust ${skill.root.path}` : "skillet trust";
    const remedy = alone
      ? `\`${command}\` changes that.`
      : `\`${command}\` lifts that, not what else keeps it back.`;
    keep("trust", trust.reason, `${trust.message} ${remedy}`);
  }
  if (trust.trusted && rules.trust && skill.root.needsTrust) {
    decisions.push({
      stage: "trust",
      outcome: "passed",
      reason: "trusted",
      path: skill.location,
      message: skill.root.scope === "mcp" ? "You approved these files of it." : "Its project is trusted.",
    });
  }
  if (manual) {
    const nobody = rules.userInvocable && !skill.userInvocable;
    const who = nobody ? "no model can call it" : `only a person can call it, with /${skill.name}`;
    keep("invocation", "manual-only", `\`disable-model-invocation\` is set: ${who}.`);
  }
  if (rules.userInvocable && !skill.userInvocable) {
    keep("invocation", "model-only", "`user-invocable: false` is set: it is not a slash command.");
  }
  if (tied !== null) {
    const patterns = tied.join(", ");
    if (matches) {
      decisions.push({
        stage: "gate",
        outcome: "passed",
        reason: "paths",
        path: skill.location,
        message: `A file in play matches ${patterns}.`,
      });
    } else {
      keep("gate", "paths", `Tied to files that match ${patterns}; no such file is in play.`);
    }
  }
  return {
    skill,
    permission,
    enabled: off === null,
    trusted,
    modelInvocable: !denied && hidden === null && trusted && !manual && matches,
    userInvocable,
    hidden,
    decisions,
  };
}

function permissionStep(evaluation: PermissionEvaluation): Decision {
  const rule = ruleName(evaluation);
  return evaluation.action === "ask"
    ? {
        stage: "permission",
        outcome: "passed",
        reason: "ask",
        path: null,
        message: `${rule}: a model has to ask before it loads this.`,
      }
    : {
        stage: "permission",
        outcome: "passed",
        reason: "allowed",
        path: null,
        message: `${rule}: allowed.`,
      };
}

/** Which rule it was, as it stands in a settings file. A number would count the defaults, which stand in none. */
function ruleName({ index, permission, pattern }: PermissionEvaluation): string {
  if (index === null) return "No rule matches";
  return pattern === "*"
    ? `The rule for every skill (\`${permission}\`: \`*\`)`
    : `The rule \`${permission}\`: \`${pattern}\``;
}

function deniedMessage(evaluation: PermissionEvaluation): string {
  return `The permission rule \`${evaluation.permission}\`: \`${evaluation.pattern}\` denies it.`;
}
