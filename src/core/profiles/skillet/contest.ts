import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { Scope } from "../../discovery/root.ts";
import type { Contest } from "../../profile.ts";
import type { Skill } from "../../snapshot.ts";

const scopeWords: Readonly<Record<Scope, string>> = {
  managed: "managed",
  workspace: "project",
  user: "user",
  config: "configured",
  agent: "agent",
  plugin: "plugin",
  remote: "remote",
  mcp: "MCP",
  builtin: "built-in",
};

interface Loss {
  readonly reason: string;
  readonly message: string;
}

/** Why `loser` stands behind `winner`; both have one name and `winner` came first in the scan. */
function loss(winner: Skill, loser: Skill): Loss {
  const behind = winner.root;
  const own = loser.root;
  if (winner.digest === loser.digest && winner.embedded === null) {
    return { reason: "identical", message: `An identical copy of ${winner.location}; listed once.` };
  }
  if (behind.id === own.id) {
    return {
      reason: "same-root",
      message: `Two folders of one root claim this name; ${winner.location} comes first in the order of folder names.`,
    };
  }
  if (behind.scope !== own.scope) {
    return {
      reason: "lower-scope",
      message: `The ${scopeWords[behind.scope]} copy ${winner.location} outranks the ${scopeWords[own.scope]} copy.`,
    };
  }
  if (own.note !== behind.note && behind.level !== null) {
    return {
      reason: "main-checkout",
      message: `The worktree's own copy ${winner.location} outranks the ${own.note ?? "other"} copy.`,
    };
  }
  if (behind.level !== own.level) {
    return {
      reason: "farther-level",
      message: `The copy nearer to the working folder, ${winner.location}, outranks it.`,
    };
  }
  if (behind.brand !== own.brand) {
    return {
      reason: "brand-order",
      message: `${winner.location} comes first in the order of brands (${behind.brand ?? "-"} before ${own.brand ?? "-"}).`,
    };
  }
  return { reason: "root-order", message: `The root of ${winner.location} is listed before this one.` };
}

/** Skillet's rule: roots are searched strongest first and the first copy wins. Cases pr-project-user, pr-same-root. */
export function firstWins(skills: readonly Skill[]): Contest {
  const [winner, ...others] = skills;
  if (winner === undefined) throw new RangeError("a contest needs a skill");
  const losers = others.map((skill) => ({ skill, ...loss(winner, skill) }));
  return {
    winner,
    losers,
    diagnostics: losers.map(({ skill, reason, message }) => report(winner, skill, { reason, message })),
  };
}

function report(winner: Skill, loser: Skill, { reason, message }: Loss): Diagnostic {
  if (reason === "same-root") {
    return makeDiagnostic("precedence/declared-twice", {
      path: loser.location,
      message: `"${winner.name}" is declared twice in ${winner.root.path}: ${winner.location} is in use, ${loser.location} is not.`,
      hint: "Give one of the two another name",
    });
  }
  if (reason === "identical") {
    return makeDiagnostic("precedence/identical-copy", {
      path: loser.location,
      message,
      hint: "Nothing to do; one of the two can be removed",
    });
  }
  return makeDiagnostic("precedence/shadowed", {
    path: loser.location,
    message: `"${winner.name}": the ${scopeWords[winner.root.scope]} copy ${winner.location} is in use, the ${scopeWords[loser.root.scope]} copy ${loser.location} is shadowed.`,
    hint: `Run \`skillet why ${winner.name}\` to see how it was decided`,
  });
}
