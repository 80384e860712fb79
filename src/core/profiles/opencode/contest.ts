import { makeDiagnostic } from "../../diagnostics/make.ts";
import type { Contest } from "../../profile.ts";
import type { Skill } from "../../snapshot.ts";
import { printable } from "../../text/printable.ts";
import { duplicateWarning } from "./reader.ts";

/**
 * The copy that is scanned last wins, always, with the program's warning for each copy that replaced one (feature O7;
 * decision D3: the program intends this order but parses all files at once). A file that is met again on another path
 * is not worth a warning.
 */
export function lastWins(skills: readonly Skill[]): Contest {
  const winner = skills.at(-1);
  if (winner === undefined) throw new RangeError("a contest needs a skill");
  const losers = skills.slice(0, -1).map((skill) => ({ skill, ...loss(skill, winner) }));
  const diagnostics = skills.slice(1).flatMap((skill, index) => {
    const replaced = skills[index];
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
