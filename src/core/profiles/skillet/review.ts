import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { relativeInside } from "../../path.ts";
import type { Skill } from "../../snapshot.ts";

/** Names shown in one diagnostic; more are counted. */
const namedAtMost = 10;

/** What is worth knowing of all winners together. Linear. */
export function reviewWinners(winners: readonly Skill[]): readonly Diagnostic[] {
  return [...grouped(winners), ...fromMainCheckout(winners), ...caseTwins(winners)];
}

/** Skills below grouping folders: fine here, unseen by agents that look one level deep (case d-nesting). */
function grouped(winners: readonly Skill[]): readonly Diagnostic[] {
  const byRoot = new Map<string, Skill[]>();
  winners.forEach((skill) => {
    if (skill.directory === null || skill.flat || skill.root.brand === null) return;
    if (isChild(skill.root.path, skill.directory, skill.name)) return;
    if (relativeInside(skill.root.path, skill.directory)?.includes("/") !== true) return;
    const group = byRoot.get(skill.root.path);
    if (group === undefined) byRoot.set(skill.root.path, [skill]);
    else group.push(skill);
  });
  return [...byRoot].map(([path, skills]) => {
    const names = skills.map(({ name }) => name).sort();
    const shown = names.slice(0, namedAtMost).join(", ");
    const rest = names.length - namedAtMost;
    const list = rest > 0 ? `${shown} and ${rest} more` : shown;
    return makeDiagnostic("discovery/grouped", {
      path,
      message: `In grouping folders, where agents that look one level deep do not see them: ${list}.`,
    });
  });
}

/** Whether a folder is `parent/name`, without cutting anything out; false says nothing. */
function isChild(parent: string, folder: string, name: string): boolean {
  return folder.length === parent.length + 1 + name.length && folder.endsWith(name) && !name.includes("/");
}

function fromMainCheckout(winners: readonly Skill[]): readonly Diagnostic[] {
  return winners
    .filter(({ root }) => root.note !== null && root.scope === "workspace")
    .map((skill) =>
      makeDiagnostic("discovery/main-checkout", {
        path: skill.location,
        message: `"${skill.name}" comes from the ${skill.root.note}; the worktree has no copy of its own.`,
      }),
    );
}

function caseTwins(winners: readonly Skill[]): readonly Diagnostic[] {
  // Names are different, so twins need a capital letter; nearly all plans have none.
  if (winners.every(({ name }) => /^[a-z0-9-]*$/.test(name) || name === name.toLowerCase())) return [];
  const first = new Map<string, Skill>();
  const found: Diagnostic[] = [];
  for (const skill of winners) {
    const key = skill.name.toLowerCase();
    const twin = first.get(key);
    if (twin === undefined) {
      first.set(key, skill);
      continue;
    }
    found.push(
      makeDiagnostic("precedence/case-twins", {
        path: skill.location,
        message: `"${skill.name}" and "${twin.name}" (${twin.location}) differ in case only.`,
      }),
    );
  }
  return found;
}
