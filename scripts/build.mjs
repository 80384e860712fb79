// Builds dist/: esbuild bundles the entry points, tsc writes the declarations.
//   --dev      no declarations
//   --prepare  as npm's `prepare` script: no failure where the development tools are not installed
//              (`npm ci --omit=dev`) or the sources don't compile; `npm test` and `npm run build` say so loudly
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const prepare = process.argv.includes("--prepare");
const dev = process.argv.includes("--dev");
const executables = new Set([join(dist, "bin", "skillet.js")]);

/** Library entry points need a declaration of their own in tsconfig.build.json. */
const entryPoints = { "bin/skillet": "src/bin/skillet.ts", index: "src/index.ts" };

try {
  await build();
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = prepare ? 0 : 1;
}

async function build() {
  const esbuild = await import("esbuild");
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const started = Date.now();
  const result = await esbuild.build({
    absWorkingDir: root,
    entryPoints,
    outdir: "dist",
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    minifySyntax: true,
    treeShaking: true,
    legalComments: "none",
    charset: "utf8",
    define: { __SKILLET_VERSION__: JSON.stringify(version) },
    write: false,
    logLevel: "warning",
  });

  // Chunks first, then the entries that name them, then stale files: who runs the old build meanwhile keeps a whole one.
  const isChunk = (path) => path.startsWith(join(dist, "chunks"));
  const outputs = result.outputFiles.toSorted((a, b) => Number(isChunk(b.path)) - Number(isChunk(a.path)));
  for (const output of outputs) await writeWhole(output.path, output.contents);

  const fresh = new Set(outputs.map((output) => output.path));
  if (!dev) emitDeclarations();
  await removeStale(
    (path, modified) => !fresh.has(path) && (!path.endsWith(".d.ts") || (!dev && modified < started)),
  );
}

function emitDeclarations() {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const run = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
    cwd: root,
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`tsc failed\n${run.stdout}${run.stderr}`);
}

async function writeWhole(path, contents) {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  if (executables.has(path)) await chmod(temporary, 0o755);
  await rename(temporary, path);
}

async function removeStale(isStale) {
  const entries = await readdir(dist, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile() && isStale(path, (await stat(path)).mtimeMs)) await rm(path, { force: true });
  }
  const folders = entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
  for (const folder of folders.toSorted((a, b) => relative(dist, b).length - relative(dist, a).length)) {
    if ((await readdir(folder)).length === 0) await rmdir(folder);
  }
}
