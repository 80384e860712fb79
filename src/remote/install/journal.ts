/** One step of an operation; every one can be done again after it was cut off anywhere (invariant 7). */
export type Step = SwapStep | LinkStep | UnlinkStep;

/** A folder takes the place of what stands at `target`; `staged` null = what stands there only goes. */
export interface SwapStep {
  readonly do: "swap";
  readonly target: string;
  readonly staged: string | null;
  /** Where the old one waits until the new one stands. */
  readonly aside: string;
  /** Tree digest of what may be replaced; null = nothing stood there. */
  readonly from: string | null;
}

export interface LinkStep {
  readonly do: "link";
  readonly target: string;
  readonly store: string;
}

/** Removes a link, and nothing but a link that leads to `store`. */
export interface UnlinkStep {
  readonly do: "unlink";
  readonly target: string;
  readonly store: string;
}

/** What was begun: written whole before the first step, removed after the last. Paths are absolute. */
export interface Journal {
  readonly version: 1;
  readonly lockPath: string;
  /** Text of the lock afterwards; null = no lock any more. */
  readonly lock: string | null;
  readonly steps: readonly Step[];
  /** Folders of ours that hold staged and old content; removed at the end. */
  readonly stages: readonly string[];
}

/** Reads a journal of ours; null for anything else, which is then not acted on. */
export function parseJournal(text: string): Journal | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return null;
  const { version, lockPath, lock, steps, stages } = value as Readonly<Record<string, unknown>>;
  const whole =
    version === 1 &&
    isPath(lockPath) &&
    (lock === null || typeof lock === "string") &&
    Array.isArray(steps) &&
    steps.every(isStep) &&
    Array.isArray(stages) &&
    stages.every((stage) => isPath(stage) && isStage(stage));
  return whole ? (value as Journal) : null;
}

/** The names that only our own staging folders have. */
export function isStage(path: string): boolean {
  return /(?:^|[\\/])\.skillet-stage-[0-9a-f]{12}$/.test(path);
}

function isStep(step: unknown): boolean {
  if (typeof step !== "object" || step === null) return false;
  const record = step as Readonly<Record<string, unknown>>;
  if (!isPath(record.target)) return false;
  if (record.do === "link" || record.do === "unlink") return isPath(record.store);
  const { staged, aside, from } = record;
  return (
    record.do === "swap" &&
    (staged === null || isPath(staged)) &&
    isPath(aside) &&
    (from === null || typeof from === "string")
  );
}

function isPath(value: unknown): value is string {
  return typeof value === "string" && value !== "" && !value.includes("\0");
}
