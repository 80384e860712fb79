import type { TokenCounter } from "../../catalog/token-counter.ts";
import type { CatalogRow } from "./catalog-rows.ts";
import { type CatalogScale, createScale, renderRows, type Shown } from "./catalog-scale.ts";
import { compareNames } from "./order.ts";

/** A skill that may be in the catalog. */
export interface CatalogSkill {
  readonly name: string;
  readonly description: string;
  /** Its root is of kind builtin. */
  readonly builtin: boolean;
}

export interface MinimaxCatalog {
  /** "" = nothing is mounted. */
  readonly text: string;
  readonly tokens: number;
  readonly budget: number;
  /** Descriptions were shortened. */
  readonly softOverflow: boolean;
  /** Names are missing. */
  readonly hardOverflow: boolean;
  /** A description was longer than the cap. */
  readonly descriptionCapTruncated: boolean;
  /** In the order of the text: code points shown of each description, of how many, null = left out. */
  readonly rows: readonly {
    readonly skill: CatalogSkill;
    readonly shown: number | null;
    readonly total: number;
    readonly tokens: number;
  }[];
}

const mostTokens = 5_000;
const windowShare = 0.02;
/** Code points of one description (the seed's value; later versions have 300). */
const descriptionCap = 1_024;
const protectedNames = new Set(["mcode-tools-master", "minimax-code-product"]);
const shortenedNotice = "Skill descriptions were shortened to fit the catalog budget.";
const omittedNotice =
  "Some skills were omitted because not every skill name fits within the skills context budget.";
/** Levels above the best one that may fail in a row before the search ends; counts are not monotone. */
const misses = 8;

/** Tokens for the catalog: a fiftieth of the window, at most 5,000, and 5,000 when the window is unknown (feature X10). */
export function catalogBudget(window: number | null): number {
  if (window === null || !Number.isFinite(window) || window <= 0) return mostTokens;
  return Math.min(Math.floor(window * windowShare), mostTokens);
}

/**
 * The catalog as MiniMax Code writes it (features X10, X12; spec minimax 4, golden `minimax.catalog`). Protected skills
 * first, then by name. What does not fit gives way in steps: descriptions of others than built-in skills, then of
 * built-in ones, to a common length and one code point more from the top; then names from the end. The second notice
 * stands whenever the frame with it fits (reading of the seed). Counts each row once where the counter has seams.
 */
export function renderMinimaxCatalog(
  skills: readonly CatalogSkill[],
  options: { readonly budget: number; readonly counter: TokenCounter },
): MinimaxCatalog {
  const { budget, counter } = options;
  const prepared = prepare(skills);
  const rows = prepared.map(({ row }) => row);
  const scale = createScale(rows, counter);
  const result = (
    text: string,
    tokens: number,
    flags: { readonly soft?: true; readonly hard?: true },
  ): MinimaxCatalog => ({
    text,
    tokens,
    budget,
    softOverflow: flags.soft === true,
    hardOverflow: flags.hard === true,
    descriptionCapTruncated: prepared.some(({ capped }) => capped),
    rows: prepared.map(({ skill, total }, index) => ({
      skill,
      shown: text === "" ? null : (scale.shown[index] ?? null),
      total,
      tokens: text === "" ? 0 : scale.weigh(index),
    })),
  });
  if (rows.length === 0) return result("", 0, {});

  rows.forEach((row, index) => {
    scale.set(index, row.length);
  });
  const full = scale.count(null);
  if (full <= budget) return result(renderRows(rows, scale.shown, null), full, {});

  rows.forEach((row, index) => {
    scale.set(index, row.pinned ? row.length : 0);
  });
  if (scale.count(null) > budget) {
    const notice = dropNames(rows, scale, budget);
    if (notice === undefined) return result("", 0, { hard: true });
    return result(renderRows(rows, scale.shown, notice), scale.count(notice), { hard: true });
  }
  const notice = scale.count(shortenedNotice) <= budget ? shortenedNotice : null;
  shorten(rows, scale, { budget, notice });
  return result(renderRows(rows, scale.shown, notice), scale.count(notice), { soft: true });
}

function prepare(skills: readonly CatalogSkill[]): readonly {
  readonly skill: CatalogSkill;
  readonly row: CatalogRow;
  readonly capped: boolean;
  readonly total: number;
}[] {
  const isProtected = ({ name }: CatalogSkill): boolean => protectedNames.has(name);
  return [...skills]
    .sort((a, b) => Number(isProtected(b)) - Number(isProtected(a)) || compareNames(a.name, b.name))
    .map((skill) => {
      const points = [...skill.description.replace(/\s+/g, " ").trim()];
      const pinned = isProtected(skill);
      const capped = !pinned && points.length > descriptionCap;
      const kept = capped ? points.slice(0, descriptionCap) : points;
      const row = {
        name: skill.name,
        description: kept.join(""),
        length: kept.length,
        builtin: skill.builtin,
        pinned,
      };
      return { skill, row, capped, total: points.length };
    });
}

/** Gives descriptions back, first to built-in skills and, once those are whole, to the others. */
function shorten(
  rows: readonly CatalogRow[],
  scale: CatalogScale,
  limit: { readonly budget: number; readonly notice: string | null },
): void {
  for (const builtin of [true, false]) {
    const tier = rows.flatMap((row, index) =>
      !row.pinned && row.builtin === builtin && row.length > 0 ? [{ row, index }] : [],
    );
    const setLevel = (level: number): void => {
      for (const { row, index } of tier) scale.set(index, Math.min(level, row.length));
    };
    const longest = tier.reduce((most, { row }) => Math.max(most, row.length), 0);
    const level = largestFitting(longest, (candidate) => {
      setLevel(candidate);
      return scale.count(limit.notice) <= limit.budget;
    });
    setLevel(level);
    for (const { row, index } of tier) {
      if (level >= row.length) continue;
      scale.set(index, level + 1);
      if (scale.count(limit.notice) > limit.budget) scale.set(index, level);
    }
    if (tier.some(({ row, index }) => scale.shown[index] !== row.length)) return;
  }
}

/** Keeps the longest beginning of the rows that fits. Gives the notice; undefined: not even the empty frame fits. */
function dropNames(
  rows: readonly CatalogRow[],
  scale: CatalogScale,
  budget: number,
): string | null | undefined {
  const floor: Shown = [...scale.shown];
  let kept = rows.length;
  const keep = (count: number): void => {
    for (; kept > count; kept--) scale.set(kept - 1, null);
    for (; kept < count; kept++) scale.set(kept, floor[kept] ?? 0);
  };
  keep(0);
  if (scale.count(null) > budget) return undefined;
  const notice = scale.count(omittedNotice) <= budget ? omittedNotice : null;
  keep(
    largestFitting(rows.length, (count) => {
      keep(count);
      return scale.count(notice) <= budget;
    }),
  );
  return notice;
}

/**
 * The largest of 0 … `most` that fits, as the mirrored program finds it: by halves, then upwards from there, since a
 * longer text may count less. 0 is taken to fit.
 */
function largestFitting(most: number, fits: (candidate: number) => boolean): number {
  let best = 0;
  let low = 0;
  let high = most;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    if (fits(middle)) {
      best = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  let missed = 0;
  for (let next = best + 1; next <= most && missed < misses; next++) {
    if (fits(next)) {
      best = next;
      missed = 0;
    } else missed++;
  }
  return best;
}
