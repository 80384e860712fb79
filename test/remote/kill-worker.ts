import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { main } from "../../src/cli/main.ts";

// Installs, updates and removes without end, until it is killed. Arguments: home, project, data, source, first version.
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
  }
}

// Modules are loaded before the first kill counts.
await run("verify");
process.stdout.write("ready\n");
for (let version = Number(first); ; version++) {
  publish(version);
  await run("update", "--yes");
  await run("add", join(source, "passing"), "--agents", "claude", "--yes");
  await run("remove", "passing", "--yes");
}
