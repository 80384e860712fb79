import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { main } from "../../src/cli/main.ts";

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  json(): unknown;
}

export interface Terminal {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A temporary machine: an empty home, a project in it, data apart. */
export interface Sandbox {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly data: string;
  /** Writes files of the project; `~/…` means the home folder. Missing folders are made. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  /** Runs a command line in the project; `columns` makes stdout and stderr a terminal. */
  run(args: readonly string[], terminal?: Terminal): Promise<Outcome>;
  remove(): void;
}

export function sandbox(): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-cli-")));
  const [home, project, data] = [join(folder, "home"), join(folder, "home/project"), join(folder, "data")];
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  return {
    folder,
    home,
    project,
    data,
    write(files) {
      for (const [name, content] of Object.entries(files)) {
        const path = name.startsWith("~/") ? join(home, name.slice(2)) : join(project, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
    },
    run: (args, terminal) => runSkillet(["--home", home, "--data", data, ...args], project, terminal),
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}

/** Runs `main` in this process with captured streams. */
export async function runSkillet(
  args: readonly string[],
  cwd: string,
  { columns, env = {} }: Terminal = {},
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const sink = (name: "stdout" | "stderr") => ({
    write: (text: string) => {
      written[name] += text;
    },
    isTTY: columns !== undefined,
    columns: columns ?? null,
  });
  const code = await main(args, {
    stdout: sink("stdout"),
    stderr: sink("stderr"),
    env: { LC_ALL: "C.UTF-8", ...env },
    cwd,
    interactive: false,
  });
  return { code, ...written, json: () => JSON.parse(written.stdout) };
}

/** A SKILL.md with the two fields that every skill has. */
export function skill(name: string, description: string, body = `# ${name}\n\nDo it.\n`): string {
  return `---\nname: ${name}\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`;
}

/** A named pipe, which blocks whoever opens it carelessly. Missing folders are made. */
export function makePipe(path: string): void {
  const program = "mkfifo";
  mkdirSync(dirname(path), { recursive: true });
  spawnSync(program, [path]);
}

/** Control characters other than the line feed that ends a row. */
export const controlCharacters =
  /[\0-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\u200b\u200e\u200f]/;
