// Measures Skillet against baselines in the same run: `npm run bench -- [options]`. See README.md beside this file.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { type Bench, type Figure, figures } from "./figures.ts";
import { installPeers } from "./peers.ts";
import { measureScaling } from "./scaling.ts";
import { makeTree, type Tree, type TreeOptions } from "./trees.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const { values } = parseArgs({
  options: {
    size: { type: "string", default: "10000" },
    rounds: { type: "string", default: "15" },
    only: { type: "string" },
    peers: { type: "boolean", default: false },
    scaling: { type: "boolean", default: false },
    dist: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(`npm run bench -- [--size N] [--rounds N] [--only NAME,…] [--peers] [--scaling] [--dist FOLDER]
Figures: ${figures.map(({ name }) => name).join(", ")}`);
} else {
  await main();
}

async function main(): Promise<void> {
  const temporary = mkdtempSync(join(tmpdir(), "skillet-bench-run-"));
  const trees = new Map<string, Tree>();
  const tree = (options: TreeOptions): Tree => {
    const key = JSON.stringify(options);
    const made = trees.get(key) ?? makeTree(options);
    trees.set(key, made);
    return made;
  };
  try {
    const peers = values.peers ? installPeers() : null;
    const bench: Bench = {
      size: Number(values.size),
      rounds: Number(values.rounds),
      dist: values.dist === undefined ? buildPackage() : resolve(values.dist),
      peers,
      workers: await bundleWorkers(temporary),
      tree,
      places: (made) => {
        const list = join(made.folder, "files");
        writeFileSync(list, made.files.join("\n"));
        const { workspace, home, data, skills } = made;
        return { workspace, home, data, skills, list, dist: bench.dist, peers: peers?.folder ?? null };
      },
    };
    if (values.scaling) measureScaling(bench);
    else report(bench);
  } finally {
    for (const made of trees.values()) made.remove();
    rmSync(temporary, { recursive: true, force: true });
  }
}

function buildPackage(): string {
  const { status } = spawnSync(process.execPath, [join(root, "scripts", "build.mjs"), "--dev"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error("The package does not build.");
  return join(root, "dist");
}

/** Workers run as plain JavaScript: a loader for TypeScript in their process would be measured with them. */
async function bundleWorkers(folder: string): Promise<Bench["workers"]> {
  await build({
    absWorkingDir: join(root, "bench"),
    entryPoints: ["rounds-worker.ts", "once-worker.ts", "load-worker.ts", "mcp-worker.ts"],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "warning",
  });
  const worker = (name: string): string => join(folder, `${name}-worker.mjs`);
  return { rounds: worker("rounds"), once: worker("once"), load: worker("load"), mcp: worker("mcp") };
}

function report(bench: Bench): void {
  const wanted = values.only?.split(",") ?? figures.map(({ name }) => name);
  for (const name of wanted) {
    if (!figures.some((figure) => figure.name === name)) throw new Error(`There is no figure "${name}".`);
  }
  console.log(
    `${bench.size} skills, ${bench.rounds} rounds, Node ${process.version.slice(1)}, ${new Date().toISOString().slice(0, 10)}\n`,
  );
  console.log("| figure | against | median | min–max | aim | subject | baseline |");
  console.log("|---|---|---|---|---|---|---|");
  for (const figure of figures) {
    if (wanted.includes(figure.name)) console.log(row(figure, bench));
  }
}

function row(figure: Figure, bench: Bench): string {
  const missing = missingPeer(figure, bench);
  if (missing !== null)
    return `| ${figure.name}: ${figure.title} | ${figure.baseline} | not measured: ${missing} | | | | |`;
  const { unit, ratio, least, most, subject, baseline } = figure.measure(bench);
  const text = (value: number): string =>
    unit === "MB"
      ? `${value.toFixed(1)} MB`
      : unit === "ms"
        ? `${value.toFixed(2)} ms`
        : `${value.toFixed(value < 0.5 ? 3 : 2)}×`;
  const plain = (value: number): string =>
    unit === "characters" ? value.toLocaleString("en") : `${value.toFixed(1)} ${unit === "MB" ? "MB" : "ms"}`;
  const verdict = ratio <= figure.target ? "" : " **missed**";
  return `| ${figure.name}: ${figure.title} | ${figure.baseline} | ${text(ratio)}${verdict} | ${text(least)}–${text(most)} | ≤ ${unit === "MB" || unit === "ms" ? `${figure.target} ${unit}` : `${figure.target}×`} | ${plain(subject)} | ${plain(baseline)} |`;
}

function missingPeer({ needs }: Figure, { peers }: Bench): string | null {
  if (needs === undefined) return null;
  if (peers === null) return "needs `--peers`";
  return needs === "opencode" && peers.opencode === null ? "opencode runs on Linux x64 only here" : null;
}
