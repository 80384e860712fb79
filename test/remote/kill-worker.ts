import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../src/cli/main.ts";

// Updates, installs and removes, and says what it is at, until it is killed. Arguments: home, project, data, source, first
// version.
const [home = "", project = "", data = "", source = "", first = "0"] = process.argv.slice(2);

const sink = { write: () => undefined, isTTY: false, columns: null };
const io = { stdout: sink, stderr: sink, env: { PATH: process.env.PATH }, cwd: project, interactive: false };
const run = (...args: readonly string[]) =>
  main([...args, "--home", home, "--data", data, "--env", "SKILLET_DISABLE_BUILTIN_SKILLS=1"], io);

function publish(version: number): void {
  for (const name of ["steady", "passing"]) {
    mkdirSync(join(source, name, "parts"), { recursive: true });
    writeFileSync(
      join(source, name, "SKILL.md"),
      `---\nname: ${name}\ndescription: Version ${version}.\n---\n${version}\n`,
    );
    for (const part of ["a", "b", "c", "d"])
      writeFileSync(join(source, name, "parts", `${part}.txt`), `${version}\n`);
    writeFileSync(join(source, name, "shared.md"), `${version}\none\ntwo\nthree\nyours\n`);
  }
}

async function say(operation: string, ...args: readonly string[]): Promise<void> {
  const began = performance.now();
  process.stdout.write(`begin ${operation}\n`);
  await run(...args);
  process.stdout.write(`end ${operation} ${Math.round(performance.now() - began)}\n`);
}

// Modules are loaded before the first kill counts.
await run("verify");
for (let version = Number(first); ; version++) {
  publish(version);
  await say("update", "update", "--yes");
  await say("add", "add", join(source, "passing"), "--agents", "claude", "--yes");
  await say("remove", "remove", "passing", "--yes");
}
