import { spawn } from "node:child_process";
import { toNative } from "../../host/native-path.ts";
import { boundedText, outputLimit } from "./bounded-text.ts";
import { missing, readArguments } from "./read-arguments.ts";
import { failedOutcome, type Tool, type ToolContext, type ToolOutcome } from "./tool.ts";

const usualTimeout = 120;
const longestTimeout = 1800;

/** `bash`: one command line in the working folder. */
export const bashTool: Tool = {
  form: {
    name: "bash",
    description:
      "Runs a command line in the working folder and gives its output and exit code. No input reaches it, so use options that ask nothing. Prefer read, write and edit for files; use this to search (grep, find, git log), to build and to test.",
    parameters: {
      type: "object",
      properties: {
        command: { type: "string", description: "The command line." },
        timeout: {
          type: "integer",
          minimum: 1,
          maximum: longestTimeout,
          description: `Seconds until it is stopped; ${usualTimeout} if left out.`,
        },
      },
      required: ["command"],
      additionalProperties: false,
    },
  },
  about: (input) => readArguments(input).text("command") ?? "",
  run,
};

async function run(input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const given = readArguments(input);
  const command = given.text("command");
  if (command === null || command.trim() === "") return missing("bash", "command");
  const permit = await context.permit({ action: { kind: "bash", command }, title: `run ${command}` });
  if (!permit.allowed) return failedOutcome(permit.refusal, "not allowed");
  const seconds = Math.min(Math.max(given.number("timeout") ?? usualTimeout, 1), longestTimeout);
  const ended = await execute(command, { context, seconds });
  const text = boundedText(ended.output.replace(localeWarning, "").trimEnd());
  const note =
    ended.how === "timeout"
      ? `[Stopped after ${seconds} seconds.]`
      : ended.how === "cancelled"
        ? "[Stopped by the user.]"
        : ended.how === "failed"
          ? `[It could not be started: ${ended.reason}]`
          : ended.code === 0
            ? ""
            : `[Exit code ${ended.code}${ended.reason === "" ? "" : `, ${ended.reason}`}.]`;
  const output = [text, note].filter((part) => part !== "").join("\n\n");
  return {
    output: output === "" ? "[No output.]" : output,
    failed: ended.how !== "ended" || ended.code !== 0,
    summary: ended.how === "ended" ? `exit ${ended.code}` : ended.how,
  };
}

/** What bash says in front of every output where the locale of the terminal is not installed. */
const localeWarning = /^(?:bash|\S*\/bash): warning: setlocale: [^\n]*\n/gm;

interface Ended {
  readonly how: "ended" | "timeout" | "cancelled" | "failed";
  readonly code: number;
  readonly output: string;
  readonly reason: string;
}

/** Kept of the output while it comes; the middle of more is lost. */
const kept = outputLimit * 2;

function execute(
  command: string,
  { context, seconds }: { readonly context: ToolContext; readonly seconds: number },
): Promise<Ended> {
  return new Promise((resolve) => {
    const windows = process.platform === "win32";
    const child = spawn(windows ? command : "bash", windows ? [] : ["-c", command], {
      cwd: toNative(context.workspace.cwd),
      env: commandVariables(context.variables),
      stdio: ["ignore", "pipe", "pipe"],
      detached: !windows,
      shell: windows,
      windowsHide: true,
    });
    let head = "";
    let tail = "";
    let lost = 0;
    let how: Ended["how"] = "ended";
    const decoders = [new TextDecoder(), new TextDecoder()] as const;
    const add = (text: string): void => {
      if (text === "") return;
      const room = kept - head.length;
      head += text.slice(0, Math.max(0, room));
      tail += text.slice(Math.max(0, room));
      if (tail.length > kept) {
        lost += tail.length - kept;
        tail = tail.slice(-kept);
      }
      context.progress(text);
    };
    child.stdout?.on("data", (chunk: Buffer) => add(decoders[0].decode(chunk, { stream: true })));
    child.stderr?.on("data", (chunk: Buffer) => add(decoders[1].decode(chunk, { stream: true })));
    const stop = (reason: "timeout" | "cancelled"): void => {
      if (how !== "ended") return;
      how = reason;
      signalGroup(child.pid, "SIGTERM");
      setTimeout(() => signalGroup(child.pid, "SIGKILL"), 2000).unref();
    };
    const timer = setTimeout(() => stop("timeout"), seconds * 1000);
    const cancel = (): void => stop("cancelled");
    context.signal.addEventListener("abort", cancel);
    if (context.signal.aborted) cancel();
    const done = (ended: Pick<Ended, "code" | "reason"> & { readonly failed?: boolean }): void => {
      clearTimeout(timer);
      context.signal.removeEventListener("abort", cancel);
      const gap = lost > 0 ? `\n\n[… ${lost} characters left out …]\n\n` : "";
      resolve({
        how: ended.failed === true ? "failed" : how,
        code: ended.code,
        reason: ended.reason,
        output: head + gap + tail,
      });
    };
    child.on("error", (error) => done({ code: -1, reason: error.message, failed: true }));
    // A background process may hold the pipes open; the command itself has ended all the same.
    child.on("exit", (code, signal) => {
      const finish = (): void => {
        child.stdout?.destroy();
        child.stderr?.destroy();
        done({ code: code ?? -1, reason: signal ?? "" });
      };
      const grace = setTimeout(finish, 300);
      child.on("close", () => {
        clearTimeout(grace);
        finish();
      });
    });
  });
}

/** Settings of git that stand above those of a repository: none that comes along with files starts a program by itself. */
const gitSettings = [
  ["core.fsmonitor", "false"],
  ["safe.bareRepository", "explicit"],
  ["core.quotePath", "false"],
] as const;

/** Variables of a command: nothing asks, nothing pages, and git starts nothing that a found repository names. */
function commandVariables(given: Readonly<Record<string, string>>): Record<string, string> {
  const before = Number.parseInt(given.GIT_CONFIG_COUNT ?? "0", 10) || 0;
  return {
    ...given,
    GIT_TERMINAL_PROMPT: "0",
    PAGER: "cat",
    GIT_PAGER: "cat",
    GIT_CONFIG_COUNT: String(before + gitSettings.length),
    ...Object.fromEntries(
      gitSettings.flatMap(([name, value], index) => [
        [`GIT_CONFIG_KEY_${before + index}`, name],
        [`GIT_CONFIG_VALUE_${before + index}`, value],
      ]),
    ),
  };
}

/** The whole group, so that nothing a command started goes on. */
function signalGroup(pid: number | undefined, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // It has ended.
  }
}
