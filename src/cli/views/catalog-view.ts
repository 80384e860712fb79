import type { CatalogState } from "../../core/catalog/render-catalog.ts";
import type { Catalog } from "../../core/profile.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import type { Painter } from "../output/paint.ts";
import { rows } from "../output/rows.ts";
import { safeLine } from "../output/safe-text.ts";
import { skilletLine } from "../output/shell-words.ts";
import { count } from "../output/words.ts";
import { noteTrust } from "./notes.ts";

/** How a skill stands in the catalog, in words. */
export const stateWords: Readonly<Record<CatalogState, string>> = {
  full: "in full",
  shortened: "shortened",
  "name-only": "by name only",
  omitted: "left out",
};

/** `1,234`; the same in every locale. */
export function thousands(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** One row a skill: how it stands in the catalog and what it costs. */
export function printReport(context: Context, catalog: Catalog): void {
  const { paint } = context;
  const widest = Math.max(...catalog.skills.map(({ tokens }) => thousands(tokens).length), 1);
  context.print(
    ...rows(
      catalog.skills.map(({ name, state, tokens, reason }) => [
        { text: safeLine(name), paint: paint.bold },
        { text: stateWords[state], paint: stateColor(state, paint) },
        { text: `${thousands(tokens).padStart(widest)} tokens`, paint: paint.dim },
        { text: safeLine(reason ?? ""), paint: paint.dim },
      ]),
      paint,
      { indent: 0 },
    ),
  );
}

/** Sums the catalog up on stderr. */
export function noteCatalog(context: Context, skills: Skills, catalog: Catalog): void {
  if (catalog.text === null) context.note(nothing(catalog));
  else if (context.flags.on("report") || context.io.stdout.isTTY)
    context.note(catalogSentence(catalog), "dim");
  if (catalog.overflow !== "none" && !context.flags.on("report")) {
    const cut = catalog.skills.filter(({ state }) => state !== "full").length;
    const line = skilletLine("catalog --report", context.flags);
    context.note(`${count(cut, "skill is", "skills are")} not shown in full: ${line}`, "warning");
  }
  noteTrust(context, skills);
}

function nothing({ skills, budget }: Catalog): string {
  return skills.length > 0 && budget !== null
    ? `The budget of ${thousands(budget)} tokens does not even hold an empty list: a model is told nothing.`
    : "Nothing is mounted: this agent's model is not told of any skill.";
}

/** `7 skills, 412 of 4,000 tokens.` */
export function catalogSentence(catalog: Catalog): string {
  const left = catalog.skills.filter(({ state }) => state === "omitted").length;
  const shown = catalog.skills.length - left;
  const room = catalog.budget === null ? "" : ` of ${thousands(catalog.budget)}`;
  return `${count(shown, "skill")}${left > 0 ? `, ${left} left out` : ""}, about ${thousands(catalog.tokens)}${room} tokens.`;
}

function stateColor(state: CatalogState, paint: Painter): (text: string) => string {
  return state === "full" ? paint.green : state === "omitted" ? paint.red : paint.yellow;
}
