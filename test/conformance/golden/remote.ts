import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { openSkills, pullSkills, type Skill, type Skills } from "../../../src/index.ts";
import { type AnsweringServer, answeringServer, type Script } from "./answering-server.ts";
import { compare, type GoldenOutcome, type GoldenSuite } from "./golden-file.ts";
import { type Tree, type TreeInput, withTree } from "./tree.ts";

interface RemoteStep {
  readonly responses?: Script;
  readonly responses_origin2?: Script;
  /** Files changed by hand before this start. */
  readonly write?: Readonly<Record<string, string>>;
}

interface RemoteInput extends TreeInput, RemoteStep {
  readonly urls: readonly string[];
  readonly paths?: readonly string[];
  /** The flat form of the setting. */
  readonly array?: boolean;
  readonly steps?: readonly RemoteStep[];
}

interface StepExpected {
  readonly skills: readonly { readonly name: string }[];
  readonly requested?: unknown;
  readonly requested_origin2?: unknown;
  readonly written?: Readonly<Record<string, string>>;
  readonly exit_code?: number;
}

interface Stage {
  readonly profile: string;
  readonly tree: Tree;
  readonly servers: readonly [AnsweringServer, AnsweringServer];
  /** Files that were there before anything ran. */
  readonly before: ReadonlySet<string>;
}

/** `*.remote`: what is asked, written and listed when skills are pulled from scripted servers. */
export function remoteSuite(profile: string): GoldenSuite {
  return async (goldenCase) => {
    const servers = [await answeringServer(), await answeringServer()] as const;
    try {
      const input = withAddresses(goldenCase.input as RemoteInput, servers);
      const expected = withAddresses(
        goldenCase.expected as StepExpected & { steps?: StepExpected[] },
        servers,
      );
      const steps = expected.steps ?? [expected];
      if (steps.some((step) => step.exit_code !== undefined))
        return { kind: "skipped", reason: "the program refuses to start" };
      const config = {
        skills: input.array
          ? [...(input.paths ?? []), ...input.urls]
          : { paths: input.paths ?? [], urls: input.urls },
      };
      const disk = {
        git: "$PROJECT",
        ...input,
        config: { "$CONFIG/opencode.json": config, ...input.config },
      };
      return await withTree(disk, async (tree) => {
        const before = new Set(filesBelow(tree.home).keys());
        for (const [index, step] of (input.steps ?? [input]).entries()) {
          const wanted = steps[index];
          if (wanted === undefined) break;
          const outcome = await runStep(step, wanted, { profile, tree, servers, before });
          if (outcome.kind !== "equal") return outcome;
        }
        return { kind: "equal" };
      });
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
  };
}

async function runStep(step: RemoteStep, wanted: StepExpected, stage: Stage): Promise<GoldenOutcome> {
  const { profile, tree, servers, before } = stage;
  const [first, second] = servers;
  first.script = step.responses ?? {};
  second.script = step.responses_origin2 ?? {};
  for (const server of servers) server.requested.length = 0;
  for (const [path, text] of Object.entries(step.write ?? {})) {
    mkdirSync(dirname(tree.fill(path)), { recursive: true });
    writeFileSync(tree.fill(path), text);
  }
  // What Skillet itself keeps is not the mirrored program's.
  const env = { ...tree.env, SKILLET_DATA_DIR: join(tree.root, "skillet") };
  const skills = openSkills({ profile, cwd: tree.cwd, home: tree.home, env });
  await pullSkills(skills);
  skills.reload();
  const listed = skills.snapshot.skills.filter((skill) => skill.embedded === null);
  const written = [...filesBelow(tree.home)].filter(([path]) => !before.has(path));
  const actual = {
    skills: listed.map((skill) => described(skill, skills)).sort(byName),
    requested: asRecorded(first.requested, wanted.requested),
    ...(wanted.requested_origin2 === undefined
      ? {}
      : { requested_origin2: asRecorded(second.requested, wanted.requested_origin2) }),
    written: Object.fromEntries(written.map(([path, text]) => [join(tree.home, path), text])),
  };
  skills.close();
  const expected = {
    skills: [...wanted.skills].sort(byName),
    requested: wanted.requested ?? [],
    ...(wanted.requested_origin2 === undefined ? {} : { requested_origin2: wanted.requested_origin2 }),
    written: wanted.written ?? {},
  };
  return sameUnderSomeNames(tree.fillAll(expected), actual);
}

/** A long recording counts how often each path was asked for. */
function asRecorded(requested: readonly string[], wanted: unknown): unknown {
  const sorted = [...requested].sort();
  if (Array.isArray(wanted) || wanted === undefined) return sorted;
  const counts: Record<string, number> = {};
  for (const path of sorted) counts[path] = (counts[path] ?? 0) + 1;
  return counts;
}

/** `$HASH` and `$HASH2` stand for folders whose names the recording does not keep: some naming has to fit. */
function sameUnderSomeNames(expected: unknown, actual: unknown): GoldenOutcome {
  const text = JSON.stringify(expected);
  const names = [...new Set(text.match(/\$HASH\d*/g) ?? [])];
  const found = [...new Set(JSON.stringify(actual).match(/(?<=\/)[0-9a-f]{16,64}(?=\/)/g) ?? [])];
  if (names.length === 0) return compare(expected, actual);
  if (names.length > found.length) return { kind: "different", expected, actual };
  const attempts = permutations(found, names.length).map((chosen) => {
    const named = names.reduce(
      (whole, name, at) => whole.replaceAll(new RegExp(`\\${name}(?!\\d)`, "g"), chosen[at] ?? name),
      text,
    );
    return compare(JSON.parse(named), actual);
  });
  return (
    attempts.find(({ kind }) => kind === "equal") ?? attempts[0] ?? { kind: "different", expected, actual }
  );
}

function permutations(items: readonly string[], length: number): readonly (readonly string[])[] {
  if (length === 0) return [[]];
  return items.flatMap((item) =>
    permutations(
      items.filter((other) => other !== item),
      length - 1,
    ).map((rest) => [item, ...rest]),
  );
}

function withAddresses<T>(value: T, [first, second]: readonly [AnsweringServer, AnsweringServer]): T {
  const text = JSON.stringify(value)
    .replaceAll("$ORIGIN2", second.origin)
    .replaceAll("$ORIGIN", first.origin)
    .replaceAll("$HOST2", second.host)
    .replaceAll("$HOST", first.host);
  return JSON.parse(text) as T;
}

/** Path relative to the folder → text, of every file below it. */
function filesBelow(folder: string): ReadonlyMap<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path), readFileSync(path, "utf8")];
    }),
  );
}

function described(
  skill: Skill,
  skills: Skills,
): { readonly name: string } & Readonly<Record<string, unknown>> {
  const { name, description, location } = skill;
  return { name, description, location, body: skills.body(skill) };
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
