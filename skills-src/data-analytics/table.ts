/** A cell: null = nothing there. */
export type Cell = string | number | null;

/** Rows in the order of the source; every row has one cell a column. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** What was noticed while reading, one sentence each. */
  readonly notes: readonly string[];
}
