import { main } from "../../../src/cli/main.ts";
import type { OpenOptions } from "../../../src/host/skills.ts";

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the command in this process and captures what it prints. */
export async function runCommand(args: readonly string[]): Promise<Ran> {
  let [stdout, stderr] = ["", ""];
  const sink = (write: (text: string) => void) => ({ write, isTTY: false, columns: null });
  const code = await main(args, {
    stdout: sink((text) => {
      stdout += text;
    }),
    stderr: sink((text) => {
      stderr += text;
    }),
    env: process.env,
    cwd: null,
    interactive: false,
  });
  return { code, stdout, stderr };
}

/** The command's flags for what the library got as options. */
export function flagsFor(options: OpenOptions): readonly string[] {
  const single = {
    cwd: "--cwd",
    home: "--home",
    data: "--data",
    configFile: "--config",
    profile: "--as",
  } as const;
  return [
    ...Object.entries(single).flatMap(([key, flag]) => {
      const value = options[key as keyof typeof single];
      return value === undefined ? [] : [flag, value];
    }),
    ...Object.entries(options.env ?? {}).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
    ...(options.pack === undefined ? [] : ["--pack", options.pack]),
    ...(options.touched ?? []).flatMap((file) => ["--touched", file]),
    ...(options.agent === undefined ? [] : ["--agent", options.agent]),
    ...(options.trust === true ? ["--trust"] : []),
  ];
}
