import type { Severity } from "../../../src/core/diagnostic.ts";

/** What `expect.json` may say; a key that is not named here fails the run, so that nothing goes unchecked. */
export interface Case {
  readonly id: string;
  readonly kind: string;
  readonly input: string;
  readonly expected: Expected;
  /** What npm `yaml` says of each file: background for people, checked by the reader's own tests. */
  readonly yaml?: unknown;
}

export interface Expected {
  readonly skills?: readonly ExpectedSkill[];
  readonly diagnostics?: readonly ExpectedDiagnostic[];
  readonly variants?: readonly Variant[];
  /** Spelling → name, or "refused", or "not found; suggests a, b", or "not found; lists available names". */
  readonly lookups?: Readonly<Record<string, string>>;
  readonly load?: unknown;
  readonly limits?: readonly string[];
  readonly install?: unknown;
  /** Remarks and pointers to tables beside the file. */
  readonly notes?: string;
  readonly steps?: unknown;
  readonly also?: unknown;
  readonly render?: string;
  readonly search?: string;
  readonly listing?: string;
  /** Skills that an agent's file names → "full text…" or "reported…". */
  readonly preload?: Readonly<Record<string, string>>;
}

export interface ExpectedSkill {
  readonly name?: string;
  /** Folder under `skills/`, where the name itself is the problem. */
  readonly dir?: string;
  /** A condition in words is settled by the case's interpretation. */
  readonly included: boolean | string;
  readonly orIncludedAs?: string;
  readonly description?: string;
  readonly license?: string;
  readonly body?: string;
  readonly allowedTools?: readonly string[];
  readonly argumentHint?: string;
  readonly modelInvocable?: boolean;
  readonly userInvocable?: boolean;
  readonly listedToModel?: boolean;
  readonly loadByModel?: string;
  readonly loadByUser?: string;
  readonly files?: readonly string[];
  readonly winner?: string;
  readonly shadowed?: readonly string[];
  readonly from?: string;
  readonly scope?: string;
  readonly derived?: readonly string[];
}

export interface ExpectedDiagnostic {
  readonly level: Severity;
  readonly file?: string;
  readonly line?: number;
  readonly optional?: boolean;
  readonly says: string;
}

export interface Variant {
  readonly config: Readonly<Record<string, unknown>>;
  readonly winner: string;
}

/** What plain files cannot hold (`setup.json`). */
export interface Setup {
  readonly rename?: readonly (readonly [from: string, to: string])[];
  readonly links?: readonly { readonly path: string; readonly target: string }[];
  readonly home?: string;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly profile?: string;
  /** Folder whose skills take the place of the built-in ones. */
  readonly bundles?: string;
}

const caseKeys = ["id", "kind", "input", "expected", "yaml"];
const setupKeys = ["rename", "links", "home", "cwd", "env", "profile", "bundles"];
const expectedKeys = [
  ...["skills", "diagnostics", "variants", "lookups", "load", "limits", "install"],
  ...["notes", "steps", "also", "render", "search", "listing", "preload"],
];
const skillKeys = [
  ...[
    "name",
    "dir",
    "included",
    "orIncludedAs",
    "description",
    "license",
    "body",
    "allowedTools",
    "argumentHint",
  ],
  ...["modelInvocable", "userInvocable", "listedToModel", "loadByModel", "loadByUser"],
  ...["files", "winner", "shadowed", "from", "scope", "derived"],
];
const diagnosticKeys = ["level", "file", "line", "optional", "says"];

/** Keys of a case and its set-up that the runner would not look at. */
export function unknownKeys(one: Case, setup: Setup): readonly string[] {
  const { expected } = one;
  return [
    ...strangers(one, caseKeys),
    ...strangers(setup, setupKeys),
    ...strangers(expected, expectedKeys),
    ...(expected.skills ?? []).flatMap((skill) => strangers(skill, skillKeys)),
    ...(expected.diagnostics ?? []).flatMap((diagnostic) => strangers(diagnostic, diagnosticKeys)),
    ...(expected.variants ?? []).flatMap((variant) => strangers(variant, ["config", "winner"])),
  ];
}

function strangers(value: object, known: readonly string[]): readonly string[] {
  return Object.keys(value).filter((key) => !known.includes(key));
}
