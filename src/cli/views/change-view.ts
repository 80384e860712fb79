import { contains, dirname } from "../../core/path.ts";
import type { Skills } from "../../host/skills.ts";
import type { SkillsChange } from "../../host/watch/live-state.ts";
import type { Context } from "../command.ts";
import { displayPath, shortenPaths } from "../output/display-path.ts";
import type { Painter } from "../output/paint.ts";
import { type Cell, rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";

interface Line {
  readonly sign: "+" | "-" | "~" | "!";
  readonly name: string;
  readonly location: string;
  readonly text: string;
}

/** One line a change: what, which skill, the path that led to it, and a sentence or the new description. */
export function printChange(context: Context, skills: Skills, change: SkillsChange): void {
  const { paint } = context;
  const table = linesOf(change).map(({ sign, name, location, text }): Cell[] => [
    { text: sign, paint: signPaint(sign, paint) },
    { text: safeLine(name), paint: paint.bold },
    { text: causeOf(change, location, skills), paint: paint.dim },
    { text: safeLine(shortenPaths(text, skills.environment)) },
  ]);
  context.print(...rows(table, paint, { indent: 0 }));
}

/** Says on stderr what is new and wrong, unless a line has said it already. */
export function noteChange(context: Context, skills: Skills, change: SkillsChange): void {
  const said = new Set([...change.removed, ...change.shadowed].map(({ location }) => location));
  const news = change.diagnosticsAdded.filter(
    ({ severity, path }) => severity !== "info" && (path === null || !said.has(path)),
  );
  for (const { path, range, message } of news.slice(0, 5)) {
    const line = range === undefined ? "" : `:${range.line}`;
    const place = path === null ? "" : `${displayPath(path, skills.environment)}${line}: `;
    context.note(`${place}${safeLine(message)}`, "warning");
  }
}

function linesOf(change: SkillsChange): readonly Line[] {
  return [
    ...change.added.map(({ name, location, description }): Line => {
      return { sign: "+", name, location, text: description ?? "no description" };
    }),
    ...change.removed.map(
      ({ name, location, message }): Line => ({ sign: "-", name, location, text: message }),
    ),
    ...change.changed.map(({ name, what, after, message }): Line => {
      const text = what.join() === "description" ? (after.description ?? "no description") : message;
      return { sign: "~", name, location: after.location, text };
    }),
    ...change.winnerChanged.map(
      ({ name, to, message }): Line => ({ sign: "!", name, location: to, text: message }),
    ),
    ...change.shadowed.map(({ name, location, winner, message }): Line => {
      return { sign: "!", name, location, text: `A new copy is shadowed by ${winner}. ${message}` };
    }),
  ];
}

/** The path that fits this skill best; a setting or a stored decision concerns them all. */
function causeOf({ cause }: SkillsChange, location: string, skills: Skills): string {
  const folder = dirname(location);
  const own = cause.find((path) => contains(path, location) || contains(folder, path));
  const path = own ?? cause[0];
  return path === undefined ? "" : displayPath(path, skills.environment);
}

function signPaint(sign: Line["sign"], paint: Painter): (text: string) => string {
  return { "+": paint.green, "-": paint.red, "~": paint.cyan, "!": paint.yellow }[sign];
}
