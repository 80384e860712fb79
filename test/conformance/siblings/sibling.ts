import type { Severity } from "../../../src/core/diagnostic.ts";
import type { OpenOptions, Skills } from "../../../src/host/skills.ts";
import type { ExpectedSkill, Setup } from "../cases/case-format.ts";
import type { CaseRun } from "../cases/check-case.ts";
import type { LaidOut, Tree } from "../cases/lay-out.ts";

/** A small case of our own, of the same kinds as those of test/fixtures/cases, written in the test. */
export interface Sibling {
  readonly id: string;
  readonly about: string;
  readonly tree: Tree;
  readonly setup?: Setup;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly options?: Partial<OpenOptions>;
  /** All names of the list, in its order. */
  readonly offered: readonly string[];
  /** Fields of single skills. */
  readonly skills?: Readonly<Record<string, Omit<ExpectedSkill, "name" | "included">>>;
  /** Every warning and error; information only where it matters. */
  readonly said?: readonly Said[];
  readonly lookups?: Readonly<Record<string, string>>;
  readonly more?: (skills: Skills, laid: LaidOut) => void;
}

export interface Said {
  readonly level: Severity;
  readonly code: string;
  /** From the case's folder; left out = any. */
  readonly file?: string;
  readonly line?: number;
  readonly says?: RegExp;
}

/** A SKILL.md with its usual fields; `fields` are further lines of the frontmatter. */
export function skill(name: string, description = `About ${name}.`, ...fields: readonly string[]): string {
  return ["---", `name: ${name}`, `description: ${description}`, ...fields, "---", "", "Do it.", ""].join(
    "\n",
  );
}

/** A SKILL.md with exactly these lines of frontmatter. */
export function matter(...lines: readonly string[]): string {
  return ["---", ...lines, "---", "", "Do it.", ""].join("\n");
}

/** The smallest thing that counts as a git repository. */
export function repository(folder: string): Tree {
  return { [`${folder}/.git/HEAD`]: "ref: refs/heads/main\n", [`${folder}/.git/objects`]: { folder: true } };
}

/** The sibling in the form that the runner of all cases takes. */
export function caseOf(kind: string, sibling: Sibling): CaseRun {
  const { id, about, offered, skills = {}, said = [], lookups } = sibling;
  return {
    one: {
      id,
      kind,
      input: about,
      expected: {
        skills: Object.entries(skills).map(([name, fields]) => ({
          name,
          included: offered.includes(name),
          ...fields,
        })),
        diagnostics: said.map(({ level, code, file, line }) => ({
          level,
          says: code,
          ...(file === undefined ? {} : { file }),
          ...(line === undefined ? {} : { line }),
        })),
        ...(lookups === undefined ? {} : { lookups }),
      },
    },
    setup: sibling.setup ?? {},
    from: sibling.tree,
    config: sibling.config,
    options: sibling.options,
    offered,
    reading: {
      diagnostics: said.map(({ code, says }) => ({ codes: [code], says: says === undefined ? [] : [says] })),
    },
    more: sibling.more,
  };
}
