import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { Contest } from "../../profile.ts";
import type { Skill } from "../../snapshot.ts";
import { printable } from "../../text/printable.ts";
import { duplicateWarning, neededSecondTry } from "./reader.ts";

/**
 * The copy that is scanned last wins, always, with the program's warning for each copy that replaced one (feature O7;
 * decision D3: the program intends this order but parses all files at once). A file that is met again on another path
 * is not worth a warning. A text that needed the second try is read once only: the program's parser remembers that
 * the first try failed and takes every further copy as empty.
 */
export function lastWins(skills: readonly Skill[]): Contest {
  return contest(skills, { program: "OpenCode", bundledYields: false });
}

/** In what the contests of the family differ. */
export interface ContestRules {
  readonly program: string;
  /** A skill that came with the program never replaces another one, and giving way to one is no warning (feature M6). */
  readonly bundledYields: boolean;
}

/** See `lastWins`. */
export function contest(skills: readonly Skill[], rules: ContestRules): Contest {
  const repeats = new Set(
    skills.filter(
      (skill, index) =>
        neededSecondTry(skill) && skills.findIndex(({ digest }) => digest === skill.digest) < index,
    ),
  );
  const counted = skills.filter((skill) => !repeats.has(skill));
  const replacements: { readonly skill: Skill; readonly replaced: Skill }[] = [];
  let winner: Skill | undefined;
  for (const skill of counted) {
    if (winner !== undefined && rules.bundledYields && skill.root.bundled && !winner.root.bundled) continue;
    if (winner !== undefined) replacements.push({ skill, replaced: winner });
    winner = skill;
  }
  if (winner === undefined) throw new RangeError("a contest needs a skill");
  const used = winner;
  const losers = skills
    .filter((skill) => skill !== used)
    .map((skill) => ({
      skill,
      ...(repeats.has(skill) ? repeatedText(used, rules) : loss(skill, used, rules)),
    }));
  const diagnostics = replacements.flatMap(({ skill, replaced }) => {
    if (replaced.realPath === skill.realPath) return [];
    if (rules.bundledYields && replaced.root.bundled && !skill.root.bundled)
      return [
        makeDiagnostic("precedence/duplicate-name", {
          path: skill.location,
          severity: "info",
          profileCode: "user skill overrides bundled",
          message: `"${printable(skill.name)}" takes the place of the skill of that name that comes with ${rules.program}: ${replaced.location}.`,
          hint: "Nothing to do if that is meant",
        }),
      ];
    return [
      makeDiagnostic("precedence/duplicate-name", {
        path: skill.location,
        profileCode: duplicateWarning,
        message: `"${printable(skill.name)}" is here and in ${replaced.location}; ${used.location} is scanned last and is in use.`,
      }),
    ];
  });
  return { winner: used, losers, diagnostics };
}

function repeatedText(
  winner: Skill,
  { program }: ContestRules,
): { readonly reason: string; readonly message: string } {
  const message = `The same text as an earlier copy. ${program} reads a text with an unquoted colon once and drops the rest; ${winner.location} is in use.`;
  return { reason: "same-text", message };
}

function loss(
  skill: Skill,
  winner: Skill,
  { bundledYields }: ContestRules,
): { readonly reason: string; readonly message: string } {
  if (skill.realPath === winner.realPath)
    return { reason: "same-file", message: `The same file as ${winner.location}, which is scanned later.` };
  if (bundledYields && skill.root.bundled && !winner.root.bundled)
    return {
      reason: "bundled-yields",
      message: `A skill that comes with the program never replaces another one: ${winner.location}.`,
    };
  if (skill.embedded !== null)
    return {
      reason: "builtin-replaced",
      message: `A skill on disk replaces the built-in one: ${winner.location}.`,
    };
  return { reason: "later-wins", message: `${winner.location} is scanned later, and the last copy wins.` };
}
