import { codePointLength, cutCodePoints } from "../text/single-line.ts";
import type { BudgetRow, BudgetStep } from "./allocate-budget.ts";
import { type CutPoint, cutPoints } from "./cut-points.ts";
import { escapeCatalog, inlineName, inlineText } from "./inline-text.ts";
import type { TokenCounter } from "./token-counter.ts";

/** One skill as the catalog gets it. */
export interface CatalogInput {
  readonly name: string;
  readonly description: string | null;
  readonly whenToUse: string | null;
  /** Never shortened below the entry cap and never left out. */
  readonly pinned: boolean;
  /** Kept for the report; not part of the text. */
  readonly location: string;
}

/** An entry prepared for rendering: everything that does not depend on the budget. */
export interface PreparedEntry {
  readonly input: CatalogInput;
  /** Safe for output, one line. */
  readonly name: string;
  /** Description and use, one line, cut to the entry cap. */
  readonly text: string;
  /** Code points before the cap. */
  readonly total: number;
  /** The cap cut something. */
  readonly capped: boolean;
}

/** Description and `when_to_use` as one line, or "". */
function joined(input: CatalogInput): string {
  const description = inlineText(input.description ?? "");
  const use = inlineText(input.whenToUse ?? "");
  if (description === "" || use === "") return description + use;
  return /[.!?…:;。！？：；]$/.test(description) ? `${description} ${use}` : `${description}. ${use}`;
}

/** Cuts an over-long entry at the best place within `cap` code points. */
function capped(text: string, cap: number): string {
  const best = cutPoints(cutCodePoints(text, cap + 1)).findLast((point) => point.from <= cap);
  // A place far back means a text without word ends, such as a long link.
  if (best !== undefined && best.length > cap / 2) return text.slice(0, best.end) + best.mark;
  return `${cutCodePoints(text, Math.max(0, cap - 1)).replace(/[\u200d\ufe0f]+$/u, "")}…`;
}

/** `cap` in code points: description and use together (spec field, 1,024 in the published standard). */
export function prepareEntry(input: CatalogInput, cap: number): PreparedEntry {
  const text = joined(input);
  const total = codePointLength(text);
  const over = total > cap;
  return { input, name: inlineName(input.name), text: over ? capped(text, cap) : text, total, capped: over };
}

/** The line of one skill, with its line feed. `text` is plain; "" leaves the name alone. */
export function entryLine(name: string, text: string): string {
  const open = `<skill name="${escapeCatalog(name)}"`;
  return text === "" ? `${open}/>\n` : `${open}>${escapeCatalog(text)}</skill>\n`;
}

/** Prices of an entry and the cuts that its steps stand for; the last step (the whole text) has no cut. */
export function priceEntry(
  entry: PreparedEntry,
  counter: TokenCounter,
): { readonly row: BudgetRow; readonly cuts: readonly CutPoint[] } {
  const measure = (part: string): number => counter.measure?.(part) ?? counter.count(part);
  const { name, text } = entry;
  const pinned = entry.input.pinned;
  const nameCost = measure(entryLine(name, ""));
  if (text === "") return { row: { nameCost, steps: [], pinned }, cuts: [] };
  const frame = measure(`<skill name="${escapeCatalog(name)}">`) + measure("</skill>\n");
  const marked = Math.max(measure("…"), measure(" …"));
  const steps: BudgetStep[] = [];
  const cuts: CutPoint[] = [];
  let sum = frame;
  let measured = 0;
  if (!pinned)
    for (const cut of cutPoints(text)) {
      sum += measure(escapeCatalog(text.slice(measured, cut.end)));
      measured = cut.end;
      steps.push({ from: cut.from, cost: sum + marked });
      cuts.push(cut);
    }
  sum += measure(escapeCatalog(text.slice(measured)));
  // A cut that saves nothing is none: the whole text costs the same.
  while (steps.length > 0 && (steps.at(-1)?.cost ?? 0) >= sum) {
    steps.pop();
    cuts.pop();
  }
  steps.push({ from: codePointLength(text), cost: sum });
  return { row: { nameCost, steps, pinned }, cuts };
}
