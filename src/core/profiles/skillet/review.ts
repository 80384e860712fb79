import type { Diagnostic } from "../../diagnostic.ts";
import { makeDiagnostic } from "../../diagnostics/make.ts";
import { relativeInside } from "../../path.ts";
import type { Skill } from "../../snapshot.ts";

/** Names shown in one diagnostic; more are counted. */
const namedAtMost = 10;

/** What is worth knowing of all winners together. Linear, and one look at each for what nearly no plan has. */
export function reviewWinners(winners: readonly Skill[]): readonly Diagnostic[] {
  const below: Skill[] = [];
  const shared: Skill[] = [];
  let capitals = false;
  for (let index = 0; index < winners.length; index++) {
    const skill = winners[index] as Skill;
    const { root, name } = skill;
    if (isGrouped(skill)) below.push(skill);
    if (root.note !== null && root.scope === "workspace") shared.push(skill);
    if (!capitals && !/^[a-z0-9-]*$/.test(name) && name !== name.toLowerCase()) capitals = true;
  }
  // Names are different, so twins need a capital letter.
  return [...grouped(below), ...shared.map(fromMainCheckout), ...(capitals ? caseTwins(winners) : [])];
}

/** Whether it lies deeper than directly in its root. */
function isGrouped({ root, directory, flat, name }: Skill): boolean {
  if (directory === null || flat || root.brand === null || isChild(root.path, directory, name)) return false;
  return relativeInside(root.path, directory)?.includes("/") === true;
}

/** Skills below grouping folders: fine here, unseen by agents that look one level deep (case d-nesting). */
function grouped(below: readonly Skill[]): readonly Diagnostic[] {
  const byRoot = new Map<string, Skill[]>();
  for (const skill of below) {
    const group = byRoot.get(skill.root.path);
    if (group === undefined) byRoot.set(skill.root.path, [skill]);
    else group.push(skill);
  }
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

function fromMainCheckout({ location, name, root }: Skill): Diagnostic {
  return makeDiagnostic("discovery/main-checkout", {
    path: location,
    message: `"${name}" comes from the ${root.note}; the worktree has no copy of its own.`,
  });
}

function caseTwins(winners: readonly Skill[]): readonly Diagnostic[] {
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
