import { codePointLength } from "../text/single-line.ts";
import { type Allotment, allocateBudget } from "./allocate-budget.ts";
import {
  type CatalogInput,
  entryLine,
  measureWith,
  nameCost,
  type PreparedEntry,
  type PricedEntry,
  prepareEntry,
  priceEntry,
} from "./catalog-entry.ts";
import { byteCounter, type TokenCounter } from "./token-counter.ts";

export type CatalogState = "full" | "shortened" | "name-only" | "omitted";

/** Why not in full: no room, longer than one entry may be, or nothing to tell a model. */
export type CatalogReason = "budget" | "entry-cap" | "no-description";

export interface RenderCatalogOptions {
  /** Tokens for the whole text; not a number or negative counts as 0. */
  readonly budget: number;
  /** Default: a quarter of the UTF-8 bytes. */
  readonly counter?: TokenCounter;
  /** Code points of description and use together in one entry, whatever the budget. */
  readonly entryCap?: number;
  /** Names of the tools that the text points to; `search` null = there is none. */
  readonly tools?: { readonly load: string; readonly search: string | null };
}

export interface CatalogReportEntry {
  readonly name: string;
  readonly location: string;
  readonly state: CatalogState;
  /** Tokens of its line, 0 when omitted. */
  readonly tokens: number;
  /** Code points of description and use: shown (with the ellipsis), and there are. */
  readonly shown: number;
  readonly total: number;
  /** Why it is not full, one sentence; null when it is. */
  readonly reason: string | null;
  readonly code?: CatalogReason;
}

export interface RenderedCatalog {
  /** "" when there are no skills, or when the budget does not even hold the frame. Ends without a line feed. */
  readonly text: string;
  readonly tokens: number;
  readonly budget: number;
  readonly overflow: "none" | "shortened" | "omitted";
  /** In the given order. */
  readonly skills: readonly CatalogReportEntry[];
}

const defaultTools = { load: "skill", search: "skill_search" } as const;

/** Digits in groups of three, the same on every machine. */
function grouped(value: number): string {
  return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

interface Counts {
  readonly shortened: number;
  readonly nameOnly: number;
  readonly omitted: number;
}

/** The line that says what is missing, with its line feed; "" when nothing is. */
function notice({ shortened, nameOnly, omitted }: Counts, search: string | null): string {
  const parts: string[] = [];
  if (shortened > 0)
    parts.push(shortened === 1 ? "1 description is shortened" : `${shortened} descriptions are shortened`);
  if (nameOnly > 0)
    parts.push(nameOnly === 1 ? "1 description is left out" : `${nameOnly} descriptions are left out`);
  if (omitted > 0)
    parts.push(omitted === 1 ? "1 more skill is not listed" : `${omitted} more skills are not listed`);
  if (parts.length === 0) return "";
  return `${parts.join(", ")}${search === null ? "." : `; find skills with \`${search}\`.`}\n`;
}

function header(load: string): string {
  return (
    "Each skill holds instructions for one kind of work. When a task fits one, " +
    `load it with the \`${load}\` tool, by name, before you begin, and follow it.\n<available_skills>\n`
  );
}

const footer = "</available_skills>";

/** What is shown of one entry. */
interface Shown {
  readonly entry: PreparedEntry;
  readonly state: CatalogState;
  readonly text: string;
  /** Why the state is not better. */
  readonly by: "cap" | "budget" | null;
}

function whole(entry: PreparedEntry): Shown {
  return {
    entry,
    state: entry.capped ? "shortened" : "full",
    text: entry.text,
    by: entry.capped ? "cap" : null,
  };
}

function shownAs(entry: PreparedEntry, allotment: Allotment, row: PricedEntry | undefined): Shown {
  if (allotment === "omitted") return { entry, state: "omitted", text: "", by: "budget" };
  if (entry.text === "") return whole(entry);
  if (allotment === "name-only") return { entry, state: "name-only", text: "", by: "budget" };
  const cut = row?.steps[allotment]?.cut ?? null;
  if (cut === null) return whole(entry);
  return { entry, state: "shortened", text: entry.text.slice(0, cut.end) + cut.mark, by: "budget" };
}

function reasonOf(shown: Shown, budget: number, cap: number): string | null {
  const limit = `because the catalog is limited to ${grouped(budget)} tokens`;
  const length = `Cut from ${grouped(shown.entry.total)} to ${grouped(codePointLength(shown.text))} characters`;
  if (shown.by === "cap") return `${length} because one entry shows at most ${grouped(cap)}.`;
  if (shown.state === "shortened") return `${length} ${limit}.`;
  if (shown.state === "name-only") return `Only the name is listed ${limit}.`;
  return shown.state === "omitted" ? `Not listed ${limit}.` : null;
}

/**
 * The catalog that a model is told, within a budget (features E-catalog of profile `skillet`; spec field D5; rows B06,
 * B08, B09). One line a skill, in the given order; names and descriptions are escaped and freed of hidden characters,
 * so that no text of a skill can become structure. When not everything fits, the longest descriptions get shorter
 * first, then descriptions go, then entries from the end, and a line counts what is missing. Entries that yield lose
 * each of these before the others. Pinned entries stay.
 * A larger budget never shows less of any skill; `tokens` is at most `budget` unless pinned entries alone exceed it.
 */
export function renderCatalog(
  entries: readonly CatalogInput[],
  options: RenderCatalogOptions,
): RenderedCatalog {
  const counter = options.counter ?? byteCounter;
  const cap = Math.max(1, options.entryCap ?? 1_024);
  const tools = options.tools ?? defaultTools;
  const budget = Number.isNaN(options.budget) ? 0 : Math.max(0, options.budget);
  const prepared = entries.map((entry) => prepareEntry(entry, cap));
  const write = (shown: readonly Shown[]): string => {
    if (shown.length === 0) return "";
    const of = (state: CatalogState): number => shown.filter((one) => one.state === state).length;
    const counts = { shortened: of("shortened"), nameOnly: of("name-only"), omitted: of("omitted") };
    const lines = shown.map((one) => (one.state === "omitted" ? "" : entryLine(one.entry.name, one.text)));
    return header(tools.load) + lines.join("") + notice(counts, tools.search) + footer;
  };

  let shown = prepared.map(whole);
  let text = write(shown);
  let tokens = counter.count(text);
  if (tokens > budget) {
    const measure = measureWith(counter);
    const most = entries.length + 1;
    const widest = { shortened: most, nameOnly: most, omitted: most };
    const frame = measure(header(tools.load)) + measure(notice(widest, tools.search)) + measure(footer);
    const available = Math.floor(budget) - frame;
    const names = prepared.map((entry) => nameCost(entry, measure));
    // When the names alone are too many, no description can be shown and none needs to be priced.
    const onlyNames = names.reduce((sum, cost) => sum + cost, 0) > available;
    const rows = prepared.map(
      (entry, index): PricedEntry =>
        onlyNames && !entry.input.pinned
          ? { nameCost: names[index] ?? 0, steps: [], pinned: false, yields: entry.input.yields ?? false }
          : priceEntry(entry, measure),
    );
    const allotments = allocateBudget(rows, available);
    shown = prepared.map((entry, index) => shownAs(entry, allotments[index] ?? "omitted", rows[index]));
    // Nothing fits, not even the line that says so; pinned entries would be shown all the same.
    text = frame > budget && shown.every(({ state }) => state === "omitted") ? "" : write(shown);
    tokens = counter.count(text);
  }

  const skills = shown.map((one): CatalogReportEntry => {
    const { entry, state } = one;
    return {
      name: entry.input.name,
      location: entry.input.location,
      state,
      tokens: state === "omitted" ? 0 : counter.count(entryLine(entry.name, one.text)),
      shown: codePointLength(one.text),
      total: entry.total,
      reason: reasonOf(one, budget, cap),
      ...(one.by === "cap" ? { code: "entry-cap" as const } : {}),
    };
  });
  const overflow = skills.some(({ state }) => state === "omitted")
    ? "omitted"
    : skills.some(({ state }) => state !== "full")
      ? "shortened"
      : "none";
  return { text, tokens, budget, overflow, skills };
}
