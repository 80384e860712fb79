import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const versions = {
  "@mariozechner/pi-coding-agent": "0.73.1",
  "opencode-ai": "1.18.33",
  // The program itself; `opencode-ai` fetches it by an install script, which is not run here.
  "opencode-linux-x64": "1.18.33",
};

export interface Peers {
  /** Folder that holds their `node_modules`. */
  readonly folder: string;
  /** The program of OpenCode; null on another platform than Linux on x64. */
  readonly opencode: string | null;
}

/**
 * Other projects' programs to measure against, installed into the temporary folder and kept there for the next run.
 * They are no dependencies of this project, and their install scripts don't run.
 */
export function installPeers(): Peers {
  const folder = join(tmpdir(), "skillet-bench-peers");
  const done = join(folder, `installed-${Object.values(versions).join("-")}`);
  if (!existsSync(done)) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
    const packages = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
    const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--force", ...packages];
    const { status } = spawnSync("npm", args, { cwd: folder, stdio: ["ignore", "inherit", "inherit"] });
    if (status !== 0) throw new Error("The peers could not be installed; see npm's words above.");
    writeFileSync(done, "");
  }
  const opencode = join(folder, "node_modules", "opencode-linux-x64", "bin", "opencode");
  return {
    folder,
    opencode:
      process.platform === "linux" && process.arch === "x64" && existsSync(opencode) ? opencode : null,
  };
}
