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
  /** Gets `yieldedShare` of the length that others get and is the first to lose what it has. */
  readonly yields: boolean;
}

/** Share of the common length for rows that yield. */
const yieldedShare = 0.5;

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

/** What a row may show where others may show `length` code points. */
function lengthFor(row: BudgetRow, length: number): number {
  return row.yields
    ? Math.max(Math.floor(length * yieldedShare), Math.min(length, shortestDescription))
    : length;
}

/**
 * Shares `available` tokens among rows in their order, those that yield behind all others (DESIGN word "budget"; spec
 * field D5). States from poorest to richest: names from the front on; all names; descriptions of `shortestDescription`
 * from the front on; all descriptions up to a common length, where a remainder lets rows in front go one code point
 * further. The richest affordable state is taken and prices never fall along that line, so more tokens never show less
 * of any row. Pinned rows are whole in every state, even when they alone cost more than there is. Linear but for two
 * logarithms.
 */
export function allocateBudget(rows: readonly BudgetRow[], available: number): readonly Allotment[] {
  const cost = (index: number, length: number): number => {
    const row = rows[index];
    if (row === undefined) return 0;
    const { steps, pinned, nameCost } = row;
    return steps[pinned ? steps.length - 1 : stepAt(steps, lengthFor(row, length))]?.cost ?? nameCost;
  };
  const total = (length: number): number => rows.reduce((sum, _, index) => sum + cost(index, length), 0);
  const allotment = (index: number, length: number): Allotment => {
    const row = rows[index];
    if (row === undefined) return "omitted";
    const { steps } = row;
    if (row.pinned) return steps.length === 0 ? "name-only" : steps.length - 1;
    const step = stepAt(steps, lengthFor(row, length));
    return step < 0 ? "name-only" : step;
  };
  const order = [...rows.keys()].sort((a, b) => Number(rows[a]?.yields) - Number(rows[b]?.yields));
  /** Moves rows from the front on from one length to another, as many as there is room for. */
  const upTo = (rich: number, poor: number): readonly Allotment[] => {
    const result = rows.map((_, index) => allotment(index, poor));
    let spent = total(poor);
    for (const index of order) {
      spent += cost(index, rich) - cost(index, poor);
      if (spent > available) break;
      result[index] = allotment(index, rich);
    }
    return result;
  };

  if (total(shortestDescription) <= available) {
    let low = shortestDescription;
    let high = Math.max(low, longest(rows));
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (total(middle) <= available) low = middle;
      else high = middle - 1;
    }
    return upTo(low + 1, low);
  }
  if (total(0) <= available) return upTo(shortestDescription, 0);

  let spent = rows.reduce((sum, row, index) => sum + (row.pinned ? cost(index, 0) : 0), 0);
  const result = rows.map((row, index): Allotment => (row.pinned ? allotment(index, 0) : "omitted"));
  for (const index of order) {
    const row = rows[index];
    if (row === undefined || row.pinned) continue;
    spent += row.nameCost;
    if (spent > available) break;
    result[index] = "name-only";
  }
  return result;
}

function longest(rows: readonly BudgetRow[]): number {
  return rows.reduce(
    (most, { steps, yields }) =>
      Math.max(most, Math.ceil((steps.at(-1)?.from ?? 0) / (yields ? yieldedShare : 1))),
    0,
  );
}
