import type { Decision, Outcome, Stage } from "../../core/decision.ts";
import type { Explanation } from "../../core/explain/explanation.ts";
import { contains } from "../../core/path.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import { displayPath, shortenPaths } from "../output/display-path.ts";
import { nextCommands } from "../output/next-commands.ts";
import type { Painter } from "../output/paint.ts";
import { safeLine } from "../output/safe-text.ts";
import { textWidth, wrap } from "../output/text-width.ts";
import { count } from "../output/words.ts";

interface Chapter {
  readonly title: string;
  readonly stages: readonly Stage[];
}

const chapters: readonly Chapter[] = [
  { title: "Searched", stages: ["config", "root"] },
  { title: "Found", stages: ["scan", "read"] },
  { title: "Precedence", stages: ["precedence"] },
  { title: "Visibility", stages: ["permission", "state", "gate", "trust", "invocation"] },
  { title: "Catalog", stages: ["catalog"] },
  { title: "Search", stages: ["search"] },
];

const good: ReadonlySet<Outcome> = new Set(["searched", "found", "read", "won", "passed", "full", "ranked"]);
const bad: ReadonlySet<Outcome> = new Set(["skipped", "shadowed", "hidden", "omitted"]);

/** The answer first, then what led to it, chapter by chapter, then what to do. */
export function printExplanation(context: Context, skills: Skills, explanation: Explanation): void {
  const { paint } = context;
  const offered = explanation.verdict === "offered" && explanation.catalog !== "absent";
  const mark = offered ? paint.green(paint.symbols.yes) : paint.red(paint.symbols.no);
  const summary = wrap(tidy(skills, explanation.summary), paint.textWidth - 2);
  context.print(...summary.map((line, index) => `${index === 0 ? mark : " "} ${paint.bold(line)}`));
  const absent = explanation.verdict === "absent";
  for (const chapter of chapters) {
    const steps = explanation.steps.filter(({ stage }) => chapter.stages.includes(stage));
    if (steps.length > 0)
      context.print("", paint.bold(chapter.title), ...chapterLines(context, skills, { steps, absent }));
  }
  if (explanation.notes.length > 0) {
    context.print("", paint.bold("Good to know"));
    for (const note of explanation.notes)
      context.print(...hanging(paint, paint.symbols.dot, tidy(skills, note)));
  }
  if (explanation.next !== null) {
    const line = explanation.next.replace(/^skillet /, "");
    context.print(...nextCommands([[safeLine(line), ""]], context.flags, paint));
  }
}

/**
 * Steps that share a path stand below it. Places that don't exist are only counted unless -v asks; of those in which
 * something absent could have been, the likeliest are named.
 */
function chapterLines(
  { paint, verbose }: Context,
  skills: Skills,
  { steps, absent }: { readonly steps: readonly Decision[]; readonly absent: boolean },
): readonly string[] {
  const away = steps.filter(({ outcome, stage }) => stage === "root" && outcome === "missing");
  const named = verbose ? away : absent ? likelyPlaces(away, skills) : [];
  const missing = away.filter((step) => !named.includes(step));
  const lines: string[] = [];
  let path: string | null = null;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    // That it was found is plain when it was read.
    if (!verbose && step.outcome === "found" && next?.stage === "read" && next.path === step.path) continue;
    if (missing.includes(step)) continue;
    const own = ownsPlace(step);
    if (step.path !== null && !own && step.path !== path)
      lines.push(
        ...wrap(displayPath(step.path, skills.environment), paint.textWidth - 2).map(
          (line) => `  ${paint.cyan(line)}`,
        ),
      );
    path = own ? null : step.path;
    lines.push(...stepLines(paint, skills, { step, indent: own || step.path === null ? 2 : 4, verbose }));
  }
  if (missing.length > 0) {
    const text = `${count(missing.length, "more place does", "more places do")} not exist (-v names them)`;
    lines.push(...hanging(paint, paint.symbols.dot, text).map(paint.dim));
  }
  return lines;
}

/** Where people would put a skill: the first places of the nearest level of the project, and the user's first. */
function likelyPlaces(away: readonly Decision[], { snapshot, environment }: Skills): readonly Decision[] {
  const roots = new Map(snapshot.roots.map(({ root }) => [root.path, root]));
  const of = (scope: "workspace" | "user") =>
    away.filter(({ path }) => path !== null && roots.get(path)?.scope === scope);
  const near = of("workspace").filter(({ path }) => path !== null && contains(environment.cwd, path));
  return [...(near.length > 0 ? near : of("workspace")).slice(0, 3), ...of("user").slice(0, 3)];
}

/** Steps about a place itself name it in their own line. */
function ownsPlace({ stage }: Decision): boolean {
  return stage === "root" || stage === "config";
}

function stepLines(
  paint: Painter,
  skills: Skills,
  { step, indent, verbose }: { readonly step: Decision; readonly indent: number; readonly verbose: boolean },
): readonly string[] {
  // A file was read, and yet this is something to look at.
  const isFinding = step.stage === "read" && step.reason !== "read" && step.outcome === "read";
  const mark =
    good.has(step.outcome) && !isFinding
      ? paint.green(paint.symbols.yes)
      : bad.has(step.outcome)
        ? paint.red(paint.symbols.no)
        : paint.dim(paint.symbols.dot);
  const place = ownsPlace(step) && step.path !== null ? displayPath(step.path, skills.environment) : null;
  if (place !== null && step.reason === "absent")
    return hanging(paint, mark, place, { indent }).map(paint.dim);
  const message = tidy(skills, step.message.replace(/^Searched; /, ""));
  const text =
    place === null || message.includes(place) ? message : `${place} ${paint.symbols.dash} ${message}`;
  return hanging(paint, mark, text, {
    indent,
    code: step.reason === step.outcome && !verbose ? "" : step.reason,
  });
}

/** A marked item whose further lines are indented; the reason code dim at its end when it fits there. */
function hanging(
  paint: Painter,
  mark: string,
  text: string,
  { indent = 2, code = "" }: { readonly indent?: number; readonly code?: string } = {},
): readonly string[] {
  const room = Math.max(10, paint.textWidth - indent - 2);
  const lines = [...wrap(text, room)];
  const last = lines.at(-1) ?? "";
  if (code !== "") {
    if (textWidth(last) + 3 + textWidth(code) <= room)
      lines[lines.length - 1] = `${last}  ${paint.dim(safeLine(code))}`;
    else lines.push(paint.dim(safeLine(code)));
  }
  return lines.map((line, index) => `${" ".repeat(indent)}${index === 0 ? mark : " "} ${line}`);
}

/** A sentence of the library with its absolute paths shortened for people. */
function tidy(skills: Skills, text: string): string {
  return safeLine(shortenPaths(text, skills.environment));
}
