import { join } from "node:path";
import { catalogCost } from "./catalog-cost.ts";
import type { LoadTask } from "./load-worker.ts";
import type { McpResult, McpTask } from "./mcp-worker.ts";
import type { OnceResult, OnceTask } from "./once-worker.ts";
import type { Peers } from "./peers.ts";
import { plainEnvironment, runToFile, runWorker } from "./processes.ts";
import type { RoundsResult, RoundsTask } from "./rounds-worker.ts";
import { median, type Ratio, ratioOf } from "./statistics.ts";
import type { LoopName, Places, SubjectName } from "./subjects.ts";
import type { Tree, TreeOptions } from "./trees.ts";

/** What a figure may use: one run's workers, trees and programs. */
export interface Bench {
  readonly size: number;
  readonly rounds: number;
  readonly dist: string;
  readonly peers: Peers | null;
  /** The bundled workers. */
  readonly workers: {
    readonly rounds: string;
    readonly once: string;
    readonly load: string;
    readonly mcp: string;
  };
  /** Made on first use and kept for the run. */
  tree(options: TreeOptions): Tree;
  places(tree: Tree): Places;
}

/** A figure's outcome: a ratio to a baseline, or megabytes above one. */
export interface Outcome extends Ratio {
  readonly unit: "×" | "MB" | "ms" | "characters";
  /** Medians in milliseconds (MB: megabytes; characters: a ratio of counts) of subject and baseline. */
  readonly subject: number;
  readonly baseline: number;
}

export interface Figure {
  /** For `--only`. */
  readonly name: string;
  readonly title: string;
  readonly baseline: string;
  /** At most this is aimed for at 10,000 skills. */
  readonly target: number;
  readonly needs?: "pi" | "opencode";
  measure(bench: Bench): Outcome;
}

export const figures: readonly Figure[] = [
  ...discoveryFigures("plain", { warm: 2.0, first: 2.5 }),
  ...discoveryFigures("wild", { warm: 3.5, first: 3.5 }),
  {
    name: "pi-plain",
    title: "discovery of plain skills",
    baseline: "loader of pi-coding-agent, same process",
    target: 0.2,
    needs: "pi",
    measure: (bench) => inTurns(bench, { kind: "plain", subject: "library", baseline: "pi" }),
  },
  {
    name: "pi-wild",
    title: "discovery of wild skills",
    baseline: "loader of pi-coding-agent, same process",
    target: 0.2,
    needs: "pi",
    measure: (bench) => inTurns(bench, { kind: "wild", subject: "library", baseline: "pi" }),
  },
  {
    name: "second",
    title: "second discovery after nothing changed",
    baseline: "the same process's first",
    target: 0.5,
    measure: secondDiscovery,
  },
  {
    name: "memory-plain",
    title: "peak resident memory of a process that discovers plain skills",
    baseline: "process that runs the bare loop",
    target: 60,
    measure: (bench) => memory(bench, "plain"),
  },
  {
    name: "memory-wild",
    title: "peak resident memory of a process that discovers wild skills",
    baseline: "process that runs the bare loop",
    target: 60,
    measure: (bench) => memory(bench, "wild"),
  },
  {
    name: "load",
    title: "load of one skill by name, each another one",
    baseline: "none, milliseconds",
    target: 2,
    measure: loadOne,
  },
  {
    name: "list",
    title: "`skillet list --json`, whole process",
    baseline: "`opencode debug skill`, whole process",
    target: 0.17,
    needs: "opencode",
    measure: listAgainstOpencode,
  },
  {
    name: "version",
    title: "`skillet --version`, whole process",
    baseline: "`node -e 0`, whole process",
    target: 1.15,
    measure: versionAgainstNode,
  },
  {
    name: "mcp-start",
    title: "`skillet mcp`: first answer to `tools/list` over stdio, 100 skills",
    baseline: "`node -e 0`, whole process",
    target: 3.0,
    measure: (bench) => mcp(bench, { what: "start", size: 100, rounds: bench.rounds }),
  },
  {
    name: "mcp-change",
    title: "a SKILL.md is written until an MCP client is told, 1,000 skills",
    baseline: "nothing",
    target: 400,
    measure: (bench) => mcp(bench, { what: "change", size: 1000, rounds: Math.min(bench.rounds, 10) }),
  },
  {
    name: "catalog-200",
    title: "characters tokenised to shorten the `minimax` catalog of 200 skills",
    baseline: "counting the whole text at every step",
    target: 0.1,
    measure: () => catalogCost(200),
  },
  {
    name: "catalog-500",
    title: "characters tokenised to shorten the `minimax` catalog of 500 skills",
    baseline: "counting the whole text at every step",
    target: 0.05,
    measure: () => catalogCost(500),
  },
];

/** A warm and a first discovery, each against both loops. */
function discoveryFigures(
  kind: Tree["kind"],
  targets: { readonly warm: number; readonly first: number },
): readonly Figure[] {
  return (["bare", "text"] as const).flatMap((loop): readonly Figure[] => {
    const end = loop === "bare" ? "" : `-${loop}`;
    const baseline = loop === "bare" ? "bare loop" : "loop of `readFileSync` as text";
    return [
      {
        name: `${kind}${end}`,
        title: `discovery of ${kind} skills, warm process`,
        baseline,
        target: targets.warm,
        measure: (bench) => inTurns(bench, { kind, subject: "library", baseline: loop }),
      },
      {
        name: `${kind}-first${end}`,
        title: `discovery of ${kind} skills, first thing of a process`,
        baseline: `${baseline}, first thing of a process`,
        target: targets.first,
        measure: (bench) => firstThing(bench, kind, loop),
      },
    ];
  });
}

function inTurns(
  bench: Bench,
  {
    kind,
    subject,
    baseline,
  }: { readonly kind: Tree["kind"]; readonly subject: SubjectName; readonly baseline: SubjectName },
): Outcome {
  const task: RoundsTask = {
    places: bench.places(bench.tree({ kind, size: bench.size })),
    subjects: [subject, baseline],
    rounds: bench.rounds,
    warmUp: 3,
  };
  const result = runWorker<RoundsResult>(bench.workers.rounds, task);
  return outcome(result[subject] ?? [], result[baseline] ?? []);
}

function once(bench: Bench, kind: Tree["kind"], subject: OnceTask["subject"]): OnceResult {
  const task: OnceTask = { places: bench.places(bench.tree({ kind, size: bench.size })), subject };
  const result = runWorker<OnceResult>(bench.workers.once, task);
  if (result.count !== bench.size) throw new Error(`${subject} met ${result.count} skills of ${bench.size}`);
  return result;
}

/** New processes in turns: library, loop, loop, library, … */
function pairs(
  bench: Bench,
  kind: Tree["kind"],
  loop: LoopName,
): readonly { readonly library: OnceResult; readonly loop: OnceResult }[] {
  // The first run of each brings program and files into the cache.
  once(bench, kind, "library");
  once(bench, kind, loop);
  return Array.from({ length: bench.rounds }, (_, round) => {
    if (round % 2 === 0) return { library: once(bench, kind, "library"), loop: once(bench, kind, loop) };
    const first = once(bench, kind, loop);
    return { library: once(bench, kind, "library"), loop: first };
  });
}

function firstThing(bench: Bench, kind: Tree["kind"], baseline: LoopName): Outcome {
  const runs = pairs(bench, kind, baseline);
  return outcome(
    runs.map(({ library }) => library.first),
    runs.map(({ loop }) => loop.first),
  );
}

function secondDiscovery(bench: Bench): Outcome {
  const runs = Array.from({ length: bench.rounds }, () => once(bench, "plain", "library"));
  return outcome(
    runs.map(({ second }) => second ?? Number.NaN),
    runs.map(({ first }) => first),
  );
}

function memory(bench: Bench, kind: Tree["kind"]): Outcome {
  const runs = pairs(bench, kind, "bare");
  const [library, bare] = [runs.map((run) => run.library.peak), runs.map((run) => run.loop.peak)];
  const each = library.map((value, round) => value - (bare[round] ?? Number.NaN));
  return {
    unit: "MB",
    ratio: median(library) - median(bare),
    least: Math.min(...each),
    most: Math.max(...each),
    subject: median(library),
    baseline: median(bare),
  };
}

function loadOne(bench: Bench): Outcome {
  const task: LoadTask = {
    places: bench.places(bench.tree({ kind: "plain", size: bench.size })),
    loads: Math.min(bench.size, 500),
  };
  const times = runWorker<readonly number[]>(bench.workers.load, task);
  const value = median(times);
  return {
    unit: "ms",
    ratio: value,
    least: Math.min(...times),
    most: Math.max(...times),
    subject: value,
    baseline: 0,
  };
}

function mcp(
  bench: Bench,
  { what, size, rounds }: { readonly what: McpTask["what"]; readonly size: number; readonly rounds: number },
): Outcome {
  const { workspace, home, data } = bench.tree({ kind: "plain", size });
  const task: McpTask = { command: command(bench), workspace, home, data, rounds, what };
  const { subject, baseline } = runWorker<McpResult>(bench.workers.mcp, task);
  if (what === "start") return outcome(subject, baseline);
  const value = median(subject);
  const [least, most] = [Math.min(...subject), Math.max(...subject)];
  return { unit: "ms", ratio: value, least, most, subject: value, baseline: 0 };
}

function listAgainstOpencode(bench: Bench): Outcome {
  const tree = bench.tree({ kind: "plain", size: bench.size });
  const { workspace, home, data, folder } = tree;
  const output = join(folder, "output");
  const opencode = {
    file: bench.peers?.opencode ?? "",
    args: ["debug", "skill"],
    cwd: workspace,
    // No network: what it would fetch at the start has nothing to do with skills.
    env: {
      PATH: process.env.PATH,
      HOME: home,
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
    },
  };
  const skillet = {
    file: process.execPath,
    args: [command(bench), "list", "--json", "--cwd", workspace, "--home", home, "--data", data],
    env: plainEnvironment(),
  };
  runToFile(opencode, output);
  runToFile(skillet, output);
  const times = Array.from({ length: Math.min(bench.rounds, 7) }, () => [
    runToFile(skillet, output),
    runToFile(opencode, output),
  ]);
  return outcome(
    times.map(([first]) => first ?? Number.NaN),
    times.map(([, second]) => second ?? Number.NaN),
  );
}

function versionAgainstNode(bench: Bench): Outcome {
  const { folder } = bench.tree({ kind: "plain", size: bench.size });
  const output = join(folder, "output");
  const skillet = { file: process.execPath, args: [command(bench), "--version"], env: plainEnvironment() };
  const node = { file: process.execPath, args: ["-e", "0"], env: plainEnvironment() };
  const times = Array.from({ length: bench.rounds * 4 }, (_, round) => {
    if (round % 2 === 0) return [runToFile(skillet, output), runToFile(node, output)];
    const baseline = runToFile(node, output);
    return [runToFile(skillet, output), baseline];
  });
  return outcome(
    times.map(([first]) => first ?? Number.NaN),
    times.map(([, second]) => second ?? Number.NaN),
  );
}

function command(bench: Bench): string {
  return join(bench.dist, "bin", "skillet.js");
}

function outcome(subject: readonly number[], baseline: readonly number[]): Outcome {
  return {
    unit: "×",
    ...ratioOf({ subject, baseline }),
    subject: median(subject),
    baseline: median(baseline),
  };
}
