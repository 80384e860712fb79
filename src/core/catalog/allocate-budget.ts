/** A description cut short: usable from a common length of `from` code points on, at a price in tokens. */
export interface BudgetStep {
  readonly from: number;
  readonly cost: number;
}

/** One skill's prices in tokens (may be fractions). */
export interface BudgetRow {
  readonly nameCost: number;
  /**
   * Ascending in `from`, never cheaper than the one before nor than the name; the last one is the whole entry. Empty
   * when there is nothing but the name.
   */
  readonly steps: readonly BudgetStep[];
  /** Always shown whole. */
  readonly pinned: boolean;
}

/** What is shown of a row: index of a step, only the name, or nothing. */
export type Allotment = number | "name-only" | "omitted";

/** Below this common length (code points) descriptions go one after the other instead of all getting shorter. */
export const shortestDescription = 20;

/** Index of the longest step that a common length allows, or -1. */
function stepAt(steps: readonly BudgetStep[], length: number): number {
  let low = 0;
  let high = steps.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((steps[middle]?.from ?? 0) <= length) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/**
 * Shares `available` tokens among rows in their order (DESIGN word "budget"; spec field D5). States from poorest to
 * richest: names from the front on; all names; descriptions of `shortestDescription` from the front on; all
 * descriptions up to a common length, where a remainder lets rows in front go one code point further. The richest
 * affordable state is taken and prices never fall along that line, so more tokens never show less of any row.
 * Pinned rows are whole in every state, even when they alone cost more than there is. Linear but for two logarithms.
 */
export function allocateBudget(rows: readonly BudgetRow[], available: number): readonly Allotment[] {
  const cost = (index: number, length: number): number => {
    const row = rows[index];
    if (row === undefined) return 0;
    const { steps, pinned, nameCost } = row;
    return steps[pinned ? steps.length - 1 : stepAt(steps, length)]?.cost ?? nameCost;
  };
  const total = (length: number): number => rows.reduce((sum, _, index) => sum + cost(index, length), 0);
  const allotment = (index: number, length: number): Allotment => {
    const steps = rows[index]?.steps ?? [];
    if (rows[index]?.pinned) return steps.length === 0 ? "name-only" : steps.length - 1;
    const step = stepAt(steps, length);
    return step < 0 ? "name-only" : step;
  };
  /** How many rows from the front can move from one length to another. */
  const affordable = (from: number, to: number): number => {
    let spent = total(from);
    for (let index = 0; index < rows.length; index++) {
      spent += cost(index, to) - cost(index, from);
      if (spent > available) return index;
    }
    return rows.length;
  };
  const upTo = (count: number, rich: number, poor: number): readonly Allotment[] =>
    rows.map((_, index) => allotment(index, index < count ? rich : poor));

  if (total(shortestDescription) <= available) {
    let low = shortestDescription;
    let high = Math.max(low, longest(rows));
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (total(middle) <= available) low = middle;
      else high = middle - 1;
    }
    return upTo(affordable(low, low + 1), low + 1, low);
  }
  if (total(0) <= available) return upTo(affordable(0, shortestDescription), shortestDescription, 0);

  let spent = rows.reduce((sum, row, index) => sum + (row.pinned ? cost(index, 0) : 0), 0);
  let open = true;
  return rows.map((row, index) => {
    if (row.pinned) return allotment(index, 0);
    spent += row.nameCost;
    open &&= spent <= available;
    return open ? "name-only" : "omitted";
  });
}

function longest(rows: readonly BudgetRow[]): number {
  return rows.reduce((most, { steps }) => Math.max(most, steps.at(-1)?.from ?? 0), 0);
}
