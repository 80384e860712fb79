import { spawn } from "node:child_process";

/** How one command of a skill's text ended. */
export interface CommandRun {
  readonly command: string;
  readonly state: "ran" | "failed" | "timed-out";
  /** What it wrote, stdout and stderr as they came, cut at the limit. */
  readonly output: string;
  /** For people; null when it ran. */
  readonly message: string | null;
}

export interface RunCommandOptions {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The words that were typed behind the skill's name: `$0`, `$1`, … of the shell. */
  readonly words: readonly string[];
  /** As typed: `$ARGUMENTS` of the shell. */
  readonly argumentText: string;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds. */
  readonly timeout: number;
  /** UTF-8 bytes of output. */
  readonly limit: number;
}

/**
 * Runs one command in `/bin/sh`. Arguments are handed over as the shell's own, never as text of the command, so that
 * nothing that was typed can become a command. The process group is ended with the time limit or the signal. Never
 * rejects.
 */
export function runCommand(command: string, options: RunCommandOptions): Promise<CommandRun> {
  if (process.platform === "win32") {
    const message = "Commands in skills are not run on Windows.";
    return Promise.resolve({ command, state: "failed", output: "", message });
  }
  return new Promise((resolve) => {
    const child = spawn("/bin/sh", ["-c", command, ...options.words], {
      cwd: options.cwd,
      env: { ...options.environment, ARGUMENTS: options.argumentText },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const chunks: Buffer[] = [];
    let bytes = 0;
    let cut = false;
    let ended: CommandRun["state"] | null = null;
    const killGroup = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // Nothing of it is left.
      }
    };
    const end = (state: CommandRun["state"]): void => {
      ended ??= state;
      killGroup();
    };
    const collect = (chunk: Buffer): void => {
      const room = options.limit - bytes;
      if (chunk.length > room) cut = true;
      if (room > 0) chunks.push(chunk.subarray(0, room));
      bytes += Math.min(room, chunk.length);
      if (cut) end("ran");
    };
    const timer = setTimeout(() => end("timed-out"), options.timeout);
    const abort = (): void => end("failed");
    options.signal?.addEventListener("abort", abort, { once: true });
    let settled = false;
    const settle = (state: CommandRun["state"], message: string | null): void => {
      if (settled) return;
      settled = true;
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", abort);
      const text = Buffer.concat(chunks).toString("utf8").replace(/\r\n?/g, "\n").trimEnd();
      const output = cut ? `${text}\n[Cut after ${options.limit} bytes.]` : text;
      resolve({ command, state, output, message });
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    // What it left running must not keep the pipes open.
    child.on("exit", killGroup);
    child.on("error", (error) => settle("failed", `It could not be started: ${error.message}.`));
    child.on("close", (code, signal) => {
      if (ended === "timed-out") settle("timed-out", `It was ended after ${options.timeout / 1000} seconds.`);
      else if (ended === "failed") settle("failed", "It was ended because the call was cancelled.");
      else if (code === 0 || (ended === "ran" && cut)) settle("ran", null);
      else settle("failed", code === null ? `It was ended by ${signal}.` : `It ended with code ${code}.`);
    });
  });
}
