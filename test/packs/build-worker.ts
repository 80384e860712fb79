import { fork, spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { collectPacks, packFiles } from "../../src/packs/collect-packs.ts";
import type { Ground } from "./ground.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * `worker.ts` (the whole product) and `starter.ts` (packs alone), each as one file with built packs beside it, as in the
 * package. Gives their paths.
 */
export async function buildWorkers(
  place: Ground,
  version: string,
): Promise<{ readonly worker: string; readonly starter: string }> {
  const folder = join(place.folder, `app-${version}`);
  await build({
    absWorkingDir: root,
    entryPoints: { worker: "test/packs/worker.ts", starter: "test/packs/starter.ts" },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    minify: true,
    platform: "node",
    format: "esm",
    define: { __SKILLET_VERSION__: JSON.stringify(version) },
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "error",
  });
  place.write(
    Object.fromEntries(packFiles(collectPacks(join(root, "skills")), version)),
    join(folder, "packs"),
  );
  return { worker: join(folder, "worker.mjs"), starter: join(folder, "starter.mjs") };
}

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Answer {
  readonly skills: readonly (readonly [
    name: string,
    location: string,
    digest: string,
    hidden: string | null,
  ])[];
  readonly bodies: readonly number[];
  readonly diagnostics: readonly (readonly [code: string, path: string | null, message: string])[];
}

/** Starts the worker; `kill` ends it by SIGKILL after so many milliseconds, `as` starts it through another program. */
export function startWorker(
  worker: string,
  place: Ground,
  options: {
    readonly kill?: number;
    readonly as?: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
  } = {},
): Promise<Ended> {
  const [program = process.execPath, ...before] = [...(options.as ?? []), process.execPath];
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...before, worker, place.folder, place.home, place.data], {
      env: { ...process.env, SKILLET_DISABLE_BUILTIN_SKILLS: "", ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const out = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out.stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      out.stderr += text;
    });
    const timer = options.kill === undefined ? null : setTimeout(() => child.kill("SIGKILL"), options.kill);
    child.on("error", reject);
    child.on("close", (code, signal) => {
      if (timer !== null) clearTimeout(timer);
      resolve({ code, signal, ...out });
    });
  });
}

/** Starters that wait; `all` lets every one of them start at the same moment and gives their answers. */
export async function crew(
  starter: string,
  place: Ground,
  count: number,
): Promise<{ all(): Promise<readonly string[]>; end(): Promise<void> }> {
  const children = Array.from({ length: count }, () =>
    fork(starter, [place.folder, place.home, place.data], {
      env: { ...process.env, SKILLET_DISABLE_BUILTIN_SKILLS: "" },
      execArgv: [],
    }),
  );
  const answers = (): Promise<readonly string[]> =>
    Promise.all(
      children.map(
        (child) =>
          new Promise<string>((resolve, reject) => {
            const ended = (code: number | null): void => reject(new Error(`a starter ended with ${code}`));
            child.once("exit", ended);
            child.once("message", (text) => {
              child.removeListener("exit", ended);
              resolve(String(text));
            });
          }),
      ),
    );
  await answers();
  return {
    all: () => {
      const given = answers();
      for (const child of children) child.send("go");
      return given;
    },
    end: async () => {
      const ended = children.map((child) => new Promise((resolve) => child.once("exit", resolve)));
      for (const child of children) child.disconnect();
      await Promise.all(ended);
    },
  };
}

export const answerOf = ({ stdout }: Ended): Answer => JSON.parse(stdout) as Answer;
