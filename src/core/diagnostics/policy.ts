import { defineCodes } from "./define-codes.ts";

/** What the user or the administrator forbids of skills from elsewhere. */
export const policyCodes = defineCodes({
  "policy/origin": {
    severity: "error",
    title: "Policy does not allow this address",
    why: "Skills may be fetched only from the addresses that the policy names.",
    fix: "Ask whoever set `policy.origins`, or add the address there.",
  },
  "policy/digest": {
    severity: "error",
    title: "Policy asks for a digest",
    why: "Without a digest nobody can tell whether what arrives is what was published.",
    fix: "Use a source that states digests (index 0.2, a lock file, a commit).",
  },
  "policy/signature": {
    severity: "error",
    title: "Policy asks for a signature",
    why: "The skill has none, or none of a publisher that the policy trusts fits what arrived.",
    fix: "Ask the publisher to sign it; `docs/policy.md` says how.",
  },
  "policy/script": {
    severity: "error",
    title: "Policy does not allow scripts",
    why: "A model that has the skill may run what lies beside it.",
    fix: "Use the skill without its scripts, or ask whoever set `policy.scripts`.",
  },
  "policy/size": {
    severity: "error",
    title: "Skill is larger than the policy allows",
    why: "Files, bytes or entries are above the limit.",
    fix: "Ask whoever set `policy.limits`.",
  },
  "policy/name": {
    severity: "error",
    title: "Policy denies this name",
    why: "Skills of this name may not come from elsewhere.",
    fix: "Ask whoever set `policy.deny`.",
  },
  "policy/invalid": {
    severity: "error",
    title: "Policy cannot be used as written",
    why: "A rule that cannot be read must not let anything pass, so nothing is fetched by it.",
    fix: "Write the policy as docs/policy.md says.",
  },
});
