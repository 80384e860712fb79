// Builds dist/: esbuild bundles the entry points, tsc writes the declarations.
//   --dev      no declarations
import { spawnSync } from "node:child_process";
import { chmod, mkdir, readdir, readFile, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { buildSkillScripts } from "./skill-scripts.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = join(root, "dist");
const dev = process.argv.includes("--dev");

/** A library entry point is also named in package.json (`exports`) and tsconfig.build.json (`files`). */
const modules = {
  index: "src/index.ts",
  "adapters/ai-sdk": "src/adapters/ai-sdk.ts",
  "adapters/openai": "src/adapters/openai.ts",
  "adapters/anthropic": "src/adapters/anthropic.ts",
  "cli/main": "src/cli/main.ts",
  "agent/sandbox-worker": "src/agent/tools/sandbox-worker.ts",
};
const command = { "bin/skillet": "src/bin/skillet.ts" };
/** What is held whole, because a server is started for every session and would look for hundreds of modules each time. */
const held = { "mcp/sdk": "src/mcp/sdk.ts", "mcp/sdk-http": "src/mcp/sdk-http.ts" };
/** `skillet mcp` and `skillet list` in one file, for the same reason. */
const server = { "bin/mcp": "src/bin/mcp.ts", "bin/load-server": "src/bin/load-server.ts" };
const executables = new Set([join(dist, "bin", "skillet.js")]);

async function build() {
  const esbuild = await import("esbuild");
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  const started = Date.now();
  await buildSkillScripts(esbuild);
  const shared = {
    absWorkingDir: root,
    outdir: "dist",
    bundle: true,
    platform: "node",
    target: "node20",
    packages: "external",
    minifySyntax: true,
    legalComments: "none",
    charset: "utf8",
    define: { __SKILLET_VERSION__: JSON.stringify(version) },
    write: false,
    logLevel: "warning",
  };
  const whole = {
    ...shared,
    packages: "bundle",
    minify: true,
    metafile: true,
    alias: { "@modelcontextprotocol/server/_shims": "./src/mcp/sdk-shims.ts" },
  };
  const [library, sdk, single, bin] = await Promise.all([
    esbuild.build({
      ...shared,
      entryPoints: modules,
      chunkNames: "chunks/[name]-[hash]",
      format: "esm",
      splitting: true,
      plugins: [heldApart],
    }),
    esbuild.build({
      ...whole,
      entryPoints: held,
      chunkNames: "mcp/[name]-[hash]",
      format: "esm",
      splitting: true,
    }),
    esbuild.build({
      ...whole,
      entryPoints: server,
      format: "cjs",
      // What only other commands or rare moments need stays outside.
      external: [
        "ai",
        "@ai-sdk/*",
        "ink",
        "react",
        "@modelcontextprotocol/client",
        "gpt-tokenizer",
        "jsonc-parser",
      ],
      define: { ...shared.define, "import.meta.url": "hereUrl" },
      banner: { js: 'const hereUrl = require("node:url").pathToFileURL(__filename).href;' },
      plugins: [onlyServer],
    }),
    esbuild.build({ ...shared, entryPoints: command, format: "cjs", plugins: [lazyShell] }),
  ]);

  // Chunks first, then what names them, then stale files: who runs the old build meanwhile keeps a whole one.
  const files = new Map(
    [library, sdk, single, bin].flatMap(({ outputFiles }) =>
      outputFiles.map(({ path, contents }) => [path, contents]),
    ),
  );
  files.set(
    join(dist, "mcp", "LICENSES.txt"),
    await licencesOf([sdk, single].flatMap(({ metafile }) => Object.keys(metafile.inputs))),
  );
  files.set(join(dist, "bin", "package.json"), '{ "type": "commonjs" }\n');
  for (const [name, bytes] of await packFiles(esbuild, version)) files.set(join(dist, "packs", name), bytes);
  const order = ["packs", "mcp", "chunks", "agent", "cli", "adapters", "bin", ""].map((folder) =>
    join(dist, folder),
  );
  const rank = (path) => order.findIndex((folder) => path.startsWith(folder));
  for (const path of [...files.keys()].sort((a, b) => rank(a) - rank(b)))
    await writeWhole(path, files.get(path));

  if (!dev) await emitDeclarations(started);
  await removeStale((path, modified) => {
    if (path.endsWith(".tmp")) return modified < started - 60_000; // younger: another build is writing it
    if (path.endsWith(".d.ts")) return !dev && modified < started;
    return !files.has(path);
  });
}

/**
 * The skills of `skills/` as data files: bytes as they are, and a manifest that names them (feature M1). The same code
 * reads them here and when Skillet runs from its sources.
 */
async function packFiles(esbuild, version) {
  const bundled = await esbuild.build({
    absWorkingDir: root,
    entryPoints: ["src/packs/collect-packs.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    write: false,
    logLevel: "warning",
  });
  const code = Buffer.from(bundled.outputFiles[0].contents).toString("base64");
  const { collectPacks, packFiles: filesOf } = await import(`data:text/javascript;base64,${code}`);
  const packs = collectPacks(join(root, "skills"));
  const leftOut = packs.flatMap((pack) => pack.leftOut.map((path) => `${pack.pack.name}/${path}`));
  if (leftOut.length > 0) throw new Error(`not a regular file or folder in skills/: ${leftOut.join(", ")}`);
  return filesOf(packs, version);
}

/** The command loads its shell at run time, from beside itself, instead of holding it. */
const lazyShell = {
  name: "lazy-shell",
  setup(build) {
    build.onResolve({ filter: /^\.\.\/cli\/main\.ts$/ }, () => ({ path: "../cli/main.js", external: true }));
    build.onResolve({ filter: /^\.\/load-server\.js$/ }, ({ path }) => ({ path, external: true }));
  },
};

/** Other commands are never loaded by the file of the server and of `list`. */
const onlyServer = {
  name: "only-server",
  setup(build) {
    build.onResolve({ filter: /^\.\/commands\// }, ({ kind, path }) =>
      kind === "dynamic-import" && !/\/(?:mcp|list)\.ts$/.test(path)
        ? { path: "../cli/main.js", external: true }
        : null,
    );
  },
};

/** Modules name the held files from beside them: every file that does lies one folder below dist. */
const heldApart = {
  name: "held-apart",
  setup(build) {
    build.onResolve({ filter: /\/(?:mcp\/)?sdk(?:-http)?\.ts$/ }, ({ path, importer }) =>
      importer.startsWith(join(root, "src"))
        ? { path: `../mcp/${path.replace(/^.*\//, "").replace(/\.ts$/, ".js")}`, external: true }
        : null,
    );
  },
};

/** The licence texts of the packages whose code is in the held files. */
async function licencesOf(inputs) {
  const packages = new Set(
    inputs.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []),
  );
  const texts = [];
  for (const folder of [...packages].sort()) {
    const { name, version } = JSON.parse(await readFile(join(root, folder, "package.json"), "utf8"));
    const file = (await readdir(join(root, folder))).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} brings no licence text`);
    texts.push(`${name} ${version}\n\n${(await readFile(join(root, folder, file), "utf8")).trim()}\n`);
  }
  return texts.join(`\n${"-".repeat(72)}\n\n`);
}

async function emitDeclarations(started) {
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  const run = spawnSync(process.execPath, [tsc, "-p", "tsconfig.build.json"], {
    cwd: root,
    encoding: "utf8",
  });
  if (run.status !== 0) throw new Error(`tsc failed\n${run.stdout}${run.stderr}`);
  for (const path of await filesIn(dist)) {
    if (!path.endsWith(".d.ts") || (await stat(path)).mtimeMs < started) continue;
    // Sources import each other as ./x.ts; readers of the package have only ./x.d.ts, which ./x.js stands for.
    const text = await readFile(path, "utf8");
    await writeWhole(path, text.replace(/(\bfrom |\bimport\(|\bimport )"(\.[^"\n]*)\.ts"/g, '$1"$2.js"'));
  }
}

async function writeWhole(path, contents) {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, contents);
  if (executables.has(path)) await chmod(temporary, 0o755);
  await rename(temporary, path);
}

async function removeStale(isStale) {
  for (const path of await filesIn(dist)) {
    if (isStale(path, (await stat(path)).mtimeMs)) await rm(path, { force: true });
  }
  await removeEmptyFolders(dist);
}

async function removeEmptyFolders(folder) {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await removeEmptyFolders(join(folder, entry.name));
  }
  if ((await readdir(folder)).length === 0) await rmdir(folder);
}

async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

try {
  await build();
} catch (error) {
  console.error(`build: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
