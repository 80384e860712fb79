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
  const repeats = new Set(
    skills.filter(
      (skill, index) =>
        neededSecondTry(skill) && skills.findIndex(({ digest }) => digest === skill.digest) < index,
    ),
  );
  const counted = skills.filter((skill) => !repeats.has(skill));
  const winner = counted.at(-1);
  if (winner === undefined) throw new RangeError("a contest needs a skill");
  const losers = skills
    .filter((skill) => skill !== winner)
    .map((skill) => ({ skill, ...(repeats.has(skill) ? repeat(winner) : loss(skill, winner)) }));
  const diagnostics = counted.slice(1).flatMap((skill, index) => {
    const replaced = counted[index];
    if (replaced === undefined || replaced.realPath === skill.realPath) return [];
    return [
      makeDiagnostic("precedence/duplicate-name", {
        path: skill.location,
        profileCode: duplicateWarning,
        message: `"${printable(skill.name)}" is here and in ${replaced.location}; ${winner.location} is scanned last and is in use.`,
      }),
    ];
  });
  return { winner, losers, diagnostics };
}

function repeat(winner: Skill): { readonly reason: string; readonly message: string } {
  const message = `The same text as an earlier copy. OpenCode reads a text with an unquoted colon once and drops the rest; ${winner.location} is in use.`;
  return { reason: "same-text", message };
}

function loss(skill: Skill, winner: Skill): { readonly reason: string; readonly message: string } {
  if (skill.realPath === winner.realPath)
    return { reason: "same-file", message: `The same file as ${winner.location}, which is scanned later.` };
  if (skill.embedded !== null)
    return {
      reason: "builtin-replaced",
      message: `A skill on disk replaces the built-in one: ${winner.location}.`,
    };
  return { reason: "later-wins", message: `${winner.location} is scanned later, and the last copy wins.` };
}
