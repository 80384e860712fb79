import type { VisibleSkill } from "../../core/profile.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import { countBy } from "../count-by.ts";
import { displayPath } from "../output/display-path.ts";
import { nextCommands } from "../output/next-commands.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { shellWord } from "../output/shell-words.ts";
import { wrap } from "../output/text-width.ts";
import { count, markCell, scopeWord } from "../output/words.ts";
import { ownDiagnostics } from "../own-diagnostics.ts";
import { descriptionText } from "./description-text.ts";
import { trustSentence } from "./notes.ts";

const shown = 8;

/** A few lines: how many, from where, the first names, what is wrong, what to do. All of it is the data of this command. */
export function printOverview(context: Context, skills: Skills, listed: readonly VisibleSkill[]): void {
  const { paint } = context;
  const { environment } = skills;
  const where = displayPath(environment.cwd, { cwd: "", home: environment.home });
  const profile = context.flags.text("as") === undefined ? "" : ` as ${skills.profile.title} sees it`;
  const scopes = [...countBy(listed, ({ skill }) => scopeWord(skill.root.scope))];
  const [only] = scopes;
  const all = scopes.length === 1 && only !== undefined ? `${only[0]} skill` : "skill";
  const from =
    scopes.length < 2 ? "" : ` (${scopes.map(([word, number]) => `${number} ${word}`).join(", ")})`;
  context.print(
    ...wrap(`${count(listed.length, all)} in ${where}${profile}${from}`, paint.textWidth).map(paint.bold),
  );
  if (listed.length > 0) context.print("", ...skillRows(context, listed, environment.language));
  const trust = trustSentence(context, skills);
  const wrong = problems(skills);
  if (trust !== null || wrong.length > 0) context.print("");
  if (trust !== null) context.print(...warn(context, trust));
  if (wrong.length > 0) context.print(...warn(context, `${wrong.join(", ")}.`));
  context.print(...nextCommands(next(skills, listed), context.flags, paint));
}

function skillRows(context: Context, listed: readonly VisibleSkill[], language: string): readonly string[] {
  const { paint } = context;
  const table = listed.slice(0, shown).map((entry) => [
    markCell(entry, paint),
    { text: safeLine(entry.skill.name), paint: paint.bold },
    {
      text: descriptionText(entry.skill, language) ?? "no description",
      paint: paint.dim,
    },
  ]);
  const left = listed.length - shown;
  const more = left > 0 ? [paint.dim(`  ${paint.symbols.ellipsis} and ${left} more`)] : [];
  return [...rows(table, paint), ...more];
}

function problems(skills: Skills): readonly string[] {
  const grave = countBy(ownDiagnostics(skills), ({ severity }) => severity);
  const errors = grave.get("error") ?? 0;
  const warnings = grave.get("warning") ?? 0;
  return [
    errors > 0 ? count(errors, "error") : "",
    warnings > 0 ? count(warnings, "warning") : "",
    skills.shadowed.length > 0 ? `${skills.shadowed.length} shadowed` : "",
    skills.skipped.length > 0 ? `${skills.skipped.length} skipped` : "",
  ].filter((text) => text !== "");
}

function warn({ paint }: Context, text: string): readonly string[] {
  return wrap(text, paint.textWidth - 4).map((line, index) =>
    paint.yellow(`  ${index === 0 ? paint.symbols.warning : " "} ${line}`),
  );
}

function next(
  skills: Skills,
  listed: readonly VisibleSkill[],
): readonly (readonly [line: string, meaning: string])[] {
  const first = listed[0]?.skill.name;
  return [
    ...(skills.workspace !== null && !skills.workspace.trusted && skills.workspace.needsTrust > 0
      ? ([["trust", "let models use its skills"]] as const)
      : []),
    ['"what you want to do"', "which skill serves it, and why"],
    ...(first === undefined
      ? ([
          ["new NAME", "make a skill here"],
          ["paths", "where skills are looked for"],
        ] as const)
      : ([
          ["list --all", "also losers, with reasons"],
          [`why ${shellWord(first)}`, "how one skill got here"],
        ] as const)),
    ...(problems(skills).length > 0 ? ([["doctor", "what to mend, and how"]] as const) : []),
    ["help", "all commands"],
  ];
}
