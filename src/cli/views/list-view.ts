import type { VisibleSkill } from "../../core/profile.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import type { SkillsPart } from "../filter-skills.ts";
import { displayPath, shortenPaths } from "../output/display-path.ts";
import { type Cell, rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { skilletLine } from "../output/shell-words.ts";
import { wrap } from "../output/text-width.ts";
import { count, markCell, restriction, scopeWord } from "../output/words.ts";
import { descriptionText } from "./description-text.ts";
import { noteProblems, noteTrust } from "./notes.ts";

/** Rows on stdout, everything about them on stderr. */
export function printList(context: Context, skills: Skills, part: SkillsPart): void {
  const { paint } = context;
  const wide = paint.width >= 70;
  const restricted = wide && part.listed.some((entry) => restriction(entry) !== null);
  const table = part.listed.map((entry): Cell[] => [
    markCell(entry, paint),
    { text: safeLine(entry.skill.name), paint: paint.bold },
    ...(wide ? [{ text: scopeWord(entry.skill.root.scope), paint: paint.dim }] : []),
    ...(restricted ? [{ text: restriction(entry) ?? "", paint: paint.yellow }] : []),
    {
      text: descriptionText(entry.skill, skills.environment.language) ?? "no description",
      ...(entry.modelInvocable ? {} : { paint: paint.dim }),
    },
  ]);
  for (const [index, line] of rows(table, paint, { indent: 0 }).entries()) {
    context.print(line);
    const place = part.listed[index]?.skill.location;
    if (context.verbose && place !== undefined)
      context.print(
        ...wrap(displayPath(place, skills.environment), paint.textWidth - 3).map(
          (text) => `   ${paint.dim(text)}`,
        ),
      );
  }
  if (context.flags.on("all")) context.print(...rest(context, skills, part));
  notes(context, skills, part);
}

function rest(context: Context, skills: Skills, part: SkillsPart): readonly string[] {
  const { paint } = context;
  const section = (
    title: string,
    entries: readonly (readonly [name: string, path: string, why: string])[],
  ) =>
    entries.length === 0
      ? []
      : [
          "",
          paint.bold(title),
          ...entries.flatMap(([name, path, why]) => [
            ...rows(
              [
                [
                  { text: paint.symbols.no, paint: paint.dim },
                  { text: safeLine(name) },
                  { text: displayPath(path, skills.environment), paint: paint.dim },
                ],
              ],
              paint,
              { indent: 0 },
            ),
            ...wrap(safeLine(shortenPaths(why, skills.environment)), paint.textWidth - 3).map(
              (line) => `   ${paint.dim(line)}`,
            ),
          ]),
        ];
  const waiting = context.verbose ? [] : part.hidden.filter(isOffByDefault);
  const hidden = part.hidden.filter((entry) => !waiting.includes(entry));
  return [
    ...section(
      "Shadowed",
      part.shadowed.map(({ skill, message }) => [skill.name, skill.location, message] as const),
    ),
    ...section(
      "Hidden",
      hidden.map(({ skill, hidden }) => [skill.name, skill.location, hidden?.message ?? ""] as const),
    ),
    ...section(
      "Skipped",
      part.skipped.map(({ names, path, message }) => [names[0] ?? "", path, message] as const),
    ),
    ...(waiting.length === 0
      ? []
      : [
          "",
          ...wrap(
            `${count(waiting.length, "built-in skill")} off by default (-v names ${waiting.length === 1 ? "it" : "them"})`,
            paint.textWidth,
          ).map(paint.dim),
        ]),
  ];
}

/** A skill of our own packs that waits for another kind of agent, and that nobody switched off. */
function isOffByDefault({ skill, hidden }: VisibleSkill): boolean {
  return skill.root.bundled && hidden !== null && hidden.reason !== "disabled";
}

function notes(context: Context, skills: Skills, part: SkillsPart): void {
  const filter = context.operands[0];
  const { flags } = context;
  if (part.listed.length === 0)
    context.note(
      filter === undefined
        ? `No skills here. ${skilletLine("new NAME", flags)} makes one, ${skilletLine("paths", flags)} shows where was looked.`
        : `No skill matches "${safeLine(filter)}". All: ${skilletLine("list", flags)}`,
    );
  // Packs of ours that wait for another kind of agent are no news.
  const hidden = part.hidden.filter((entry) => !isOffByDefault(entry)).length;
  const more = [
    part.shadowed.length > 0 ? `${part.shadowed.length} shadowed` : "",
    hidden > 0 ? `${hidden} hidden` : "",
    part.skipped.length > 0 ? `${part.skipped.length} skipped` : "",
  ].filter((text) => text !== "");
  if (part.listed.length > 0 || more.length > 0) {
    const tail = more.length === 0 || flags.on("all") ? "" : `: ${skilletLine("list --all", flags)}`;
    context.note(`${[count(part.listed.length, "skill"), ...more].join(", ")}${tail}`, "dim");
  }
  noteTrust(context, skills);
  noteProblems(context, skills);
}
