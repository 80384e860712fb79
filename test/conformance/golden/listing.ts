import { createHash } from "node:crypto";
import { openSkills, type Skill, type Skills } from "../../../src/index.ts";
import { compare, type GoldenSuite } from "./golden-file.ts";
import { type TreeInput, withTree } from "./tree.ts";

interface ListingExpected {
  readonly skills: readonly { readonly name: string }[];
  readonly list_order?: readonly string[];
  readonly duplicate_warning?: readonly string[];
  readonly builtin_replaced?: boolean;
  readonly exit_code?: number;
}

/** Longest body that the recordings hold as text, in UTF-16 units. */
const bodyLimit = 2_000;

/** `*.discovery`: the skills that a profile lists for a tree. `warnings`: the recording has the warnings too. */
export function listingSuite(profile: string, options: { readonly warnings: boolean }): GoldenSuite {
  return (goldenCase) => {
    const expected = goldenCase.expected as ListingExpected;
    if (expected.exit_code !== undefined) return { kind: "skipped", reason: "the program refuses to start" };
    return withTree(goldenCase.input as TreeInput, (tree) => {
      const skills = openSkills({ profile, cwd: tree.cwd, home: tree.home, env: tree.env });
      const listed = skills.snapshot.skills.filter((skill) => skill.embedded === null);
      const actual = {
        skills: listed.map((skill) => described(skill, skills)).sort(byName),
        ...(expected.list_order === undefined ? {} : { list_order: listed.map(({ name }) => name) }),
        ...(options.warnings
          ? {
              duplicate_warning: warnedNames(skills),
              builtin_replaced: listed.length === skills.snapshot.skills.length,
            }
          : {}),
      };
      return compare(
        tree.fillAll({
          skills: [...expected.skills].sort(byName),
          ...(expected.list_order === undefined ? {} : { list_order: expected.list_order }),
          ...(options.warnings
            ? {
                duplicate_warning: [...(expected.duplicate_warning ?? [])].sort(),
                builtin_replaced: expected.builtin_replaced ?? false,
              }
            : {}),
        }),
        actual,
      );
    });
  };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

function described(
  skill: Skill,
  skills: Skills,
): { readonly name: string } & Readonly<Record<string, unknown>> {
  const body = skills.body(skill);
  return {
    name: skill.name,
    description: skill.description,
    location: skill.location,
    ...(skill.extra.slash === undefined ? {} : { slash: skill.extra.slash }),
    ...(body.length > bodyLimit
      ? { body_length: body.length, body_sha256: createHash("sha256").update(body).digest("hex") }
      : { body }),
  };
}

/** Names about which the mirrored system's own warning is given. */
function warnedNames(skills: Skills): readonly string[] {
  const { skills: winners, shadowed, skipped } = skills.snapshot;
  const names = new Map<string | null, string | undefined>([
    ...skipped.map(({ path, names: known }) => [path, known[0]] as const),
    ...[...winners, ...shadowed.map(({ skill }) => skill)].map(
      (skill) => [skill.location, skill.name] as const,
    ),
  ]);
  const warned = skills.diagnostics
    .filter(({ profileCode }) => profileCode === "duplicate skill name")
    .flatMap(({ path }) => names.get(path) ?? []);
  return [...new Set(warned)].sort();
}
