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
  /** Is shortened before others and more than they are, and is left out before them; default false. */
  readonly yields?: boolean;
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

/** A way to shorten an entry; the last step of an entry is the whole text and has no cut. */
export interface EntryStep extends BudgetStep {
  readonly cut: CutPoint | null;
}

export interface PricedEntry extends BudgetRow {
  readonly steps: readonly EntryStep[];
}

/** Price of a part of the catalog's text in tokens, see `TokenCounter`. */
export function measureWith(counter: TokenCounter): (part: string) => number {
  return (part) => counter.measure?.(part) ?? counter.count(part);
}

export function nameCost(entry: PreparedEntry, measure: (part: string) => number): number {
  return measure(entryLine(entry.name, ""));
}

/** Prices of every way to show an entry. Each part of its text is measured once. */
export function priceEntry(entry: PreparedEntry, measure: (part: string) => number): PricedEntry {
  const { name, text } = entry;
  const { pinned, yields = false } = entry.input;
  const bare = nameCost(entry, measure);
  const steps: EntryStep[] = [];
  if (text === "") return { nameCost: bare, steps, pinned, yields };
  const marked = Math.max(measure("…"), measure(" …"));
  // Where nothing needs escaping a part is a plain slice.
  const safe = escapeCatalog(text) === text;
  const price = (from: number, to?: number): number =>
    measure(safe ? text.slice(from, to) : escapeCatalog(text.slice(from, to)));
  let sum = Math.max(bare, measure(`<skill name="${escapeCatalog(name)}">`) + measure("</skill>\n"));
  let measured = 0;
  if (!pinned)
    for (const cut of cutPoints(text)) {
      sum += price(measured, cut.end);
      measured = cut.end;
      steps.push({ from: cut.from, cost: sum + marked, cut });
    }
  sum += price(measured);
  // A cut that saves nothing is none: the whole text costs no more.
  while (steps.length > 0 && (steps.at(-1)?.cost ?? 0) >= sum) steps.pop();
  steps.push({ from: codePointLength(text), cost: Math.max(sum, bare), cut: null });
  return { nameCost: bare, steps, pinned, yields };
}
