/** One recorded question and the answer that the mirrored system gave. */
export interface GoldenCase {
  readonly id: string;
  readonly about?: string;
  readonly input: unknown;
  readonly expected: unknown;
  /** False: the system itself listed other files on every run; per run and result, what was listed. */
  readonly file_set_stable?: boolean;
  readonly file_lists_observed?: readonly (readonly (readonly string[])[])[];
}

/** A file of `shared/golden` format. */
export interface GoldenFile {
  readonly suite: string;
  readonly about?: unknown;
  readonly pools?: Readonly<Record<string, unknown>>;
  readonly cases: readonly GoldenCase[];
}

/** What a suite made of one case; `skipped` says that the recording itself has nothing to compare. */
export type GoldenOutcome =
  | { readonly kind: "equal" }
  | { readonly kind: "different"; readonly expected: unknown; readonly actual: unknown }
  | { readonly kind: "skipped"; readonly reason: string };

/** Builds the input of a case, asks the product and compares. Holds no rule of any agent. */
export type GoldenSuite = (
  goldenCase: GoldenCase,
  file: GoldenFile,
) => GoldenOutcome | Promise<GoldenOutcome>;

export function compare(expected: unknown, actual: unknown): GoldenOutcome {
  return stableText(expected) === stableText(actual)
    ? { kind: "equal" }
    : { kind: "different", expected, actual };
}

/** JSON with sorted keys, so that objects compare by content. */
export function stableText(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
