import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface ScriptRun {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface ScriptOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs the built script of a built-in skill as its own process, with PATH and the given variables alone. */
export function runScript(
  skill: string,
  args: readonly string[],
  options: ScriptOptions,
): Promise<ScriptRun> {
  const script = fileURLToPath(
    new URL(`../../skills/general/${skill}/scripts/${skill}.mjs`, import.meta.url),
  );
  return new Promise((done, fail) => {
    const child = spawn(process.execPath, [script, ...args], {
      cwd: options.cwd,
      env: { PATH: process.env.PATH ?? "", ...options.env },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let [out, err] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    child.on("error", fail);
    child.on("close", (code) => done({ code, out, err }));
    child.stdin.on("error", () => {});
    child.stdin.end(options.input ?? "");
  });
}
