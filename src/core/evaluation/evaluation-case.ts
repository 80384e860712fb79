/** One labelled request. */
export interface EvaluationCase {
  readonly query: string;
  /** Ids or names of the skills that serve it; empty: none does, or only `forbidden` is known. */
  readonly relevant: readonly string[];
  /** A skill that must not be loaded for it. */
  readonly forbidden: string | null;
  readonly language: "han" | "other";
  /** Where it stands, for messages. */
  readonly place: string;
}

export interface ReadCases {
  readonly cases: readonly EvaluationCase[];
  /** Lines that could not be used, one sentence each. */
  readonly problems: readonly string[];
  /** What was used, but is hardly meant so, one sentence each. */
  readonly notes: readonly string[];
}

const han = /\p{Script=Han}/u;

function text(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function texts(value: unknown): readonly string[] | null {
  if (!Array.isArray(value)) return text(value) === null ? null : [value as string];
  return value.every((one) => typeof one === "string") ? (value as string[]) : null;
}

/**
 * Reads labelled requests: lines of JSON, or one JSON list, or an object with such a list in `queries` or `evals`.
 * A request is `query` (or `prompt`) with one of
 * - `relevant`, `expected` or `skill`: a name or id, a list of them, or null for none;
 * - `not_skill`: what must not be loaded;
 * - `should_trigger` (the published trigger format): whether `owner`, the skill that the file belongs to, serves it.
 */
export function readCases(
  source: string,
  options: { readonly place: string; readonly owner: string | null },
): ReadCases {
  const cases: EvaluationCase[] = [];
  const problems: string[] = [];
  const notes: string[] = [];
  let { owner } = options;
  const take = (value: unknown, place: string): void => {
    const made = caseOf(value, { owner, place });
    if (typeof made === "string") problems.push(`${place}: ${made}`);
    else {
      cases.push(made);
      if (made.forbidden === null && text((value as Row).not_skill) !== null)
        notes.push(`${place}: \`not_skill\` does not count beside another label; give it a line of its own`);
    }
  };
  const whole = source.replace(/^\ufeff/, "");
  if (/^\s*\[/.test(whole) || (/^\s*\{/.test(whole) && parsed(whole) !== undefined)) {
    const value = parsed(whole) as unknown;
    const single = value as {
      readonly queries?: unknown;
      readonly evals?: unknown;
      readonly skill_name?: unknown;
    };
    const list = Array.isArray(value) ? value : (single?.queries ?? single?.evals);
    if (!Array.isArray(value)) owner = text(single?.skill_name) ?? owner;
    if (Array.isArray(list))
      for (const [index, one] of list.entries()) take(one, `${options.place}[${index}]`);
    else if (value === undefined) problems.push(`${options.place}: is not JSON`);
    else take(value, `${options.place}:${whole.split(/\S/, 1)[0]?.split("\n").length}`);
    return { cases, problems, notes };
  }
  for (const [index, line] of whole.split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `${options.place}:${index + 1}`;
    const value = parsed(line);
    if (value === undefined) problems.push(`${place}: is not JSON`);
    else take(value, place);
  }
  return { cases, problems, notes };
}

function parsed(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

type Row = Readonly<Record<string, unknown>>;

function caseOf(
  value: unknown,
  { owner, place }: { readonly owner: string | null; readonly place: string },
): EvaluationCase | string {
  if (typeof value !== "object" || value === null) return "is no object";
  const row = value as Row;
  const query = text(row.query) ?? text(row.prompt);
  if (query === null) return "has no `query`";
  const base = { query, place, language: han.test(query) ? "han" : "other" } as const;
  for (const key of ["relevant", "expected", "skill"]) {
    if (!Object.hasOwn(row, key)) continue;
    if (row[key] === null) return { ...base, relevant: [], forbidden: null };
    const relevant = texts(row[key]);
    if (relevant === null) return `\`${key}\` is no name or list of names`;
    if (typeof row.not_skill === "string" && relevant.includes(row.not_skill))
      return `\`${key}\` wants the skill that \`not_skill\` forbids`;
    return { ...base, relevant, forbidden: null };
  }
  const forbidden = text(row.not_skill);
  if (forbidden !== null) return { ...base, relevant: [], forbidden };
  if (typeof row.should_trigger === "boolean") {
    if (owner === null) return "belongs to no skill: put it below a skill's folder, or name `skill_name`";
    return row.should_trigger
      ? { ...base, relevant: [owner], forbidden: null }
      : { ...base, relevant: [], forbidden: owner };
  }
  return "says neither `relevant`, `not_skill` nor `should_trigger`";
}
