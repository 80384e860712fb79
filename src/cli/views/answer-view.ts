import type { CatalogState } from "../../core/catalog/render-catalog.ts";
import type { Catalog } from "../../core/profile.ts";
import { nothingBelow } from "../../core/search/decide.ts";
import { escapeXml } from "../../core/text/escape-xml.ts";
import type { Loaded, Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import type { ElsewhereHit } from "../other-agent.ts";
import { displayPath } from "../output/display-path.ts";
import { heading } from "../output/heading.ts";
import { nextCommands } from "../output/next-commands.ts";
import { safeLine, safeLines } from "../output/safe-text.ts";
import { shellWord, skilletLine } from "../output/shell-words.ts";
import { truncate, wrap } from "../output/text-width.ts";
import { count } from "../output/words.ts";
import type { MeantHit } from "../search-meaning.ts";
import { catalogSentence, stateWords } from "./catalog-view.ts";
import { likely, percent, requestFits, servesFrom } from "./how-likely.ts";
import { trustSentence } from "./notes.ts";

interface Answer {
  readonly text: string;
  readonly results: readonly MeantHit[];
  readonly catalog: Catalog;
  readonly state: CatalogState | null;
  readonly loaded: Loaded | null;
  /** What another agent would be offered first; null = nothing else. */
  readonly elsewhere: ElsewhereHit | null;
  readonly example: boolean;
}

const loadedLines = 8;
/** A skill that another agent must be chosen for is told from this probability on. */
const elsewhereFrom = 0.25;
/** Hits less likely than this are only named. */
const worthShowing = 0.05;

/** The answer to a request: the best skill first, then why, what a model is told, what it is given, what to do next. */
export function printAnswer(context: Context, skills: Skills, answer: Answer): void {
  const { paint } = context;
  const best = answer.results[0];
  if (answer.example) {
    const sentence =
      "There are no skills of your own here, so this answer comes from Skillet's example workspace:";
    context.print(
      ...wrap(sentence, paint.textWidth).map(paint.yellow),
      paint.yellow(displayPath(skills.environment.cwd, { cwd: "", home: skills.environment.home })),
      "",
    );
  }
  if (best === undefined) {
    noHit(context, skills, answer);
    context.print(...elsewhereLines(context, answer));
  } else {
    context.print(
      ...wrap(verdict(best, answer), paint.textWidth).map(paint.bold),
      ...elsewhereLines(context, answer),
      ...heading(fits(answer) ? "Skills that would serve it" : "Closest", paint),
    );
    const shown = answer.results.filter((hit) => hit === best || hit.probability >= worthShowing);
    for (const hit of shown) context.print(...hitLines(context, skills, hit));
    const weak = answer.results.filter((hit) => !shown.includes(hit)).map(({ name }) => safeLine(name));
    if (weak.length > 0)
      context.print(
        ...wrap(`hardly: ${weak.join(", ")}`, paint.textWidth - 8).map(
          (line) => `        ${paint.dim(line)}`,
        ),
      );
    if (fits(answer)) context.print(...toldLines(context, answer, best), ...givenLines(context, answer));
  }
  const trust = trustSentence(context, skills);
  if (trust !== null)
    context.print("", ...wrap(`Not considered: ${trust}`, paint.textWidth).map(paint.yellow));
  const first = trust === null ? [] : [["trust", "let models use this project's skills"] as const];
  context.print(...nextCommands([...first, ...next(answer)], context.flags, paint));
}

function fits({ results }: Answer): boolean {
  return requestFits(results);
}

/** What another agent would be offered, and how to choose it. */
function elsewhereLines({ paint, flags }: Context, { elsewhere, text }: Answer): readonly string[] {
  if (elsewhere === null || elsewhere.probability < elsewhereFrom) return [];
  const { name, agent, probability } = elsewhere;
  const verb = probability >= servesFrom ? "serves" : "may serve";
  const sentence = `${safeLine(name)} ${verb} this (${percent(probability)}), but only the agent "${safeLine(agent)}" is offered it:`;
  const command = skilletLine(`${shellWord(text)} --agent ${shellWord(agent)}`, flags);
  return ["", ...wrap(sentence, paint.textWidth).map(paint.yellow), `  ${command}`];
}

function verdict({ name, probability, meaning }: MeantHit, answer: Answer): string {
  const skill = safeLine(name);
  if (probability >= servesFrom) return `${skill} serves this.`;
  if (probability < nothingBelow && meaning !== undefined)
    return fits(answer)
      ? `${skill} may serve this; its meaning puts it first.`
      : `By words nothing fits well; with its meaning ${skill} comes closest.`;
  return probability >= nothingBelow
    ? `${skill} may serve this.`
    : `Nothing fits well; ${skill} comes closest.`;
}

function noHit(context: Context, skills: Skills, { text }: Answer): void {
  const { paint } = context;
  const offered = skills.entries.filter((entry) => entry.modelInvocable);
  context.print(
    ...wrap(`No skill here serves "${safeLine(text)}".`, paint.textWidth).map(paint.bold),
    ...(offered.length === 0
      ? ["There is none that a model could use."]
      : wrap(
          `${count(offered.length, "skill was", "skills were")} considered: ${offered
            .slice(0, 8)
            .map(({ skill }) => safeLine(skill.name))
            .join(", ")}${offered.length > 8 ? ` ${paint.symbols.ellipsis}` : ""}`,
          paint.textWidth,
        )),
  );
}

function hitLines(context: Context, skills: Skills, hit: MeantHit): readonly string[] {
  const { paint } = context;
  const entry = skills.entries.find(
    ({ skill }) => skill.location === hit.location && skill.name === hit.name,
  );
  const room = Math.max(10, paint.textWidth - 8);
  const place = entry?.skill.directory ?? hit.location;
  const description = safeLine(entry?.skill.description ?? "");
  return [
    `  ${likely(hit.probability, paint)(percent(hit.probability).padStart(5))} ${paint.bold(truncate(safeLine(hit.name), room, paint.symbols.ellipsis))}`,
    ...wrap(safeLine(hit.reason), room).map((line) => `        ${line}`),
    ...(description === ""
      ? []
      : [`        ${paint.dim(truncate(description, room, paint.symbols.ellipsis))}`]),
    `        ${paint.dim(truncate(displayPath(place, skills.environment), room, paint.symbols.ellipsis))}`,
  ];
}

function toldLines(context: Context, { catalog, state }: Answer, best: MeantHit): readonly string[] {
  const { paint } = context;
  const title = heading("What a model is told", paint);
  if (catalog.text === null) return [...title, "  Nothing: this agent's model gets no list of skills."];
  const name = safeLine(best.name);
  const stands = state === null ? `${name} is not in it.` : `${name} stands in it ${stateWords[state]}.`;
  const sentence = `A list of ${catalogSentence(catalog)} ${state === "omitted" ? `${name} is left out of it.` : stands}`;
  return [
    ...title,
    ...wrap(sentence, paint.textWidth - 2).map((line) => `  ${line}`),
    ...quoted(context, excerpt(catalog.text, best.name)),
  ];
}

/** The lines of a catalog that are about one skill, as far as that can be seen from outside. */
function excerpt(text: string, name: string): readonly string[] {
  const lines = text.split("\n");
  const wanted = [name, escapeXml(name)];
  const at = lines.findIndex((line) => wanted.some((form) => line.includes(form)));
  if (at < 0) return [];
  const from = /^\s*<[\w-]+>\s*$/.test(lines[at - 1] ?? "") ? at - 1 : at;
  const to = lines.findIndex((line, index) => index > at && /^\s*(<\/[\w-]+>\s*)?$/.test(line));
  const end = to < 0 || from === at ? at + 1 : /\S/.test(lines[to] ?? "") ? to + 1 : to;
  return lines.slice(from, Math.min(end, from + 6));
}

function givenLines(context: Context, { loaded }: Answer): readonly string[] {
  const { paint } = context;
  if (loaded === null) return [];
  const title = heading("What it is given on load", paint);
  const lines = safeLines(loaded.output.trimEnd());
  const shown = lines.slice(0, loadedLines);
  const left = lines.length - shown.length;
  return [
    ...title,
    ...quoted(context, shown),
    ...(left > 0 ? [paint.dim(`  ${paint.symbols.ellipsis} ${count(left, "more line")}`)] : []),
  ];
}

function quoted({ paint }: Context, lines: readonly string[]): readonly string[] {
  return lines.map((line) => {
    const safe = safeLines(line)[0] ?? "";
    return `  ${paint.dim(paint.symbols.bar)} ${paint.dim(truncate(safe, paint.textWidth - 4, paint.symbols.ellipsis))}`.trimEnd();
  });
}

function next(answer: Answer): readonly (readonly [string, string])[] {
  const best = answer.results[0];
  if (best === undefined)
    return [
      ["list --all", "everything that was found"],
      ["new NAME", "make the skill that is missing"],
    ];
  if (answer.example)
    return [
      ["new NAME", "make your first skill here"],
      ["paths", "where skills are looked for"],
    ];
  const name = shellWord(best.name);
  if (!fits(answer))
    return [
      ["list", "every skill there is"],
      ["new NAME", "make the skill that is missing"],
      [`why ${name} --for ${shellWord(answer.text)}`, "why the closest one is not closer"],
    ];
  return [
    [`load ${name}`, "all that it is given"],
    [`why ${name} --for ${shellWord(answer.text)}`, "every decision, from folder to rank"],
    ["catalog", "all that it is told"],
  ];
}
