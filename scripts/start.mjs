// `npm start -- ARGUMENTS`: builds when dist/ is missing or older than the sources, then is the command itself.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const command = join(root, "dist", "bin", "skillet.js");

if (!isFresh()) {
  const build = spawnSync(process.execPath, [join(root, "scripts", "build.mjs"), "--dev"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (build.status !== 0) process.exit(2);
}
process.argv[1] = command;
await import(pathToFileURL(command).href);

function isFresh() {
  if (!existsSync(command)) return false;
  const built = statSync(command).mtimeMs;
  const sources = ["src", "skills-src", "skills"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true }),
  );
  return sources.every(
    (entry) => !entry.isFile() || statSync(join(entry.parentPath ?? entry.path, entry.name)).mtimeMs <= built,
  );
}
