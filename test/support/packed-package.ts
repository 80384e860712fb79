import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtCommand } from "./built-command.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Lays the packed package into `folder/node_modules/skillet` as an installation would, without a registry: what it depends
 * on, and `also`, are links to this project's own copies. `without` are dependencies that are left out.
 */
export function layOutPackage(
  folder: string,
  options: { readonly also?: readonly string[]; readonly without?: readonly string[] } = {},
): void {
  builtCommand();
  const modules = join(folder, "node_modules");
  mkdirSync(modules, { recursive: true });
  run("npm", ["pack", "--ignore-scripts", "--pack-destination", folder], root);
  const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? "";
  run("tar", ["-xzf", join(folder, tarball), "-C", modules], folder);
  run("mv", [join(modules, "package"), join(modules, "skillet")], folder);
  const { dependencies } = JSON.parse(readFileSync(join(modules, "skillet/package.json"), "utf8")) as {
    readonly dependencies: Readonly<Record<string, string>>;
  };
  const wanted = [...Object.keys(dependencies), ...(options.also ?? [])];
  for (const name of new Set(wanted)) {
    if (options.without?.includes(name) === true) continue;
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { status, stdout, stderr } = spawnSync(program, [...args], { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}\n${stdout}${stderr}`);
}
