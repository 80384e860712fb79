import { spawn } from "node:child_process";
import { SkilletError } from "../../core/error.ts";

export interface GitRun {
  readonly environment: Readonly<Record<string, string>>;
  /** The folder git runs in: an empty one of ours, so that no repository around counts. */
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  /** Bytes of its output. */
  readonly most: number;
  readonly input?: string;
  /** Looks now and then whether it has gone too far; a sentence ends it. */
  readonly watch?: () => string | null;
}

export type GitResult =
  | { readonly kind: "done"; readonly output: Buffer }
  | { readonly kind: "failed"; readonly message: string };

/** Settings of a stranger's or of the user's that must not act here, whatever they say. */
const settings = [
  ["core.hooksPath", process.platform === "win32" ? "NUL" : "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.symlinks", "false"],
  ["submodule.recurse", "false"],
  ["fetch.recurseSubmodules", "false"],
  ["fetch.fsckObjects", "true"],
  ["fsck.zeroPaddedFilemode", "ignore"],
  ["fsck.missingSpaceBeforeDate", "ignore"],
  ["fsck.badTimezone", "ignore"],
  ["fetch.writeCommitGraph", "false"],
  ["http.followRedirects", "false"],
  ["credential.interactive", "false"],
  ["transfer.credentialsInUrl", "die"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["advice.detachedHead", "false"],
].flatMap(([key, value]) => ["-c", `${key}=${value}`]);

/**
 * Runs git with a list of arguments, never through a shell, and collects what it prints. It ends after `timeout`, when
 * it prints more than `most`, or when `signal` says so (throws "cancelled" then). Throws "environment" without git.
 */
export async function runGit(args: readonly string[], run: GitRun): Promise<GitResult> {
  return new Promise((settle, reject) => {
    const child = spawn("git", [...settings, ...args], {
      cwd: run.folder,
      env: run.environment,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
      // A group of its own, so that what git started ends with it.
      detached: process.platform !== "win32",
    });
    const output: Buffer[] = [];
    let [size, errors, ended] = [0, "", null as string | null];
    const end = (reason: string): void => {
      ended ??= reason;
      try {
        if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It has ended already.
      }
    };
    const timer = setTimeout(() => end(`it took longer than ${run.timeout / 1000} seconds`), run.timeout);
    const watcher = setInterval(() => {
      const reason = run.watch?.() ?? null;
      if (reason !== null) end(reason);
    }, 250);
    const cancel = (): void => end("cancelled");
    run.signal?.addEventListener("abort", cancel, { once: true });
    if (run.signal?.aborted === true) cancel();
    const done = (): void => {
      clearTimeout(timer);
      clearInterval(watcher);
      run.signal?.removeEventListener("abort", cancel);
    };
    child.stdout.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size > run.most) end(`git answered with more than ${run.most} bytes`);
      else output.push(chunk);
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (errors.length < 20_000) errors += chunk.toString("utf8");
    });
    // Git may end before it has read everything.
    child.stdin.on("error", () => undefined);
    child.stdin.end(run.input ?? "");
    child.on("error", (error) => {
      done();
      reject(
        new SkilletError("environment", "git cannot be started.", {
          hint: "Install git, or name a folder, an archive or a web site instead.",
          cause: error,
        }),
      );
    });
    child.on("close", (code) => {
      done();
      if (run.signal?.aborted === true) reject(new SkilletError("cancelled", "Cancelled."));
      else if (ended !== null) settle({ kind: "failed", message: ended });
      else if (code === 0) settle({ kind: "done", output: Buffer.concat(output) });
      else settle({ kind: "failed", message: reasonOf(errors) });
    });
  });
}

/** What git said, in one line without progress, prefixes and passwords. */
function reasonOf(errors: string): string {
  const lines = errors
    .split(/[\r\n]+/)
    .filter((line) => /^(?:fatal|error|remote|ssh|ERROR)\b|Permission denied|Host key/i.test(line))
    .map((line) => line.replace(/^(?:fatal|error|remote): */i, "").trim());
  const text = lines
    .filter((line) => line !== "")
    .slice(0, 3)
    .join("; ");
  return (text === "" ? "git failed" : text).replace(/\/\/[^/@\s]*@/g, "//***@").slice(0, 500);
}
