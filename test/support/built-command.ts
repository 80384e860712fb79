import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the package and gives the path of its command, to be started with node. */
export function builtCommand(): string {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts/build.mjs"), "--dev"], {
    cwd: root,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
  return join(root, "dist/bin/skillet.js");
}
