import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Bundles a program of the tests with what it imports, so that a process that is started hundreds of times does not
 * spend its life on reading sources. Gives the file to be started with node.
 */
export async function bundledWorker(source: string): Promise<{ readonly path: string; remove(): void }> {
  const folder = mkdtempSync(join(tmpdir(), "skillet-worker-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    packages: "external",
    define: { __SKILLET_VERSION__: '"0.0.0"' },
    logLevel: "warning",
  });
  return {
    path: join(folder, basename(source).replace(/\.ts$/, ".mjs")),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
