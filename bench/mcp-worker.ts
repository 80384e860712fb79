// Times of the MCP server as a client sees them. Argument: `McpTask` as JSON. Prints `McpResult` as JSON.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

export interface McpTask {
  /** The built command. */
  readonly command: string;
  readonly workspace: string;
  readonly home: string;
  readonly data: string;
  readonly rounds: number;
  readonly what: "start" | "change";
}

/** Milliseconds of each round. */
export interface McpResult {
  readonly subject: readonly number[];
  readonly baseline: readonly number[];
}

const task: McpTask = JSON.parse(process.argv[2] ?? "");

const line = (message: object): string => `${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`;
const opening = [
  line({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1" } },
  }),
  line({ method: "notifications/initialized" }),
  line({ id: 2, method: "tools/list" }),
].join("");

function server() {
  const { command, workspace, home, data } = task;
  const args = [command, "mcp", "--trust", "--cwd", workspace, "--home", home, "--data", data];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.write(opening);
  child.stdout.setEncoding("utf8");
  return child;
}

/** Waits until the server's output has the text. */
function until(output: NodeJS.ReadableStream, text: string): Promise<number> {
  return new Promise((resolve) => {
    let tail = "";
    const look = (part: string): void => {
      tail = (tail + part).slice(-1_000_000);
      if (!tail.includes(text)) return;
      output.off("data", look);
      resolve(performance.now());
    };
    output.on("data", look);
  });
}

/** From the start of the process to the end of the first answer to `tools/list`. */
async function first(): Promise<number> {
  const started = performance.now();
  const child = server();
  const time = (await until(child.stdout, '"id":2')) - started;
  child.stdin.end();
  await once(child, "close");
  return time;
}

async function bare(): Promise<number> {
  const started = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "close");
  return performance.now() - started;
}

/** From a write on disk to the notice that the client gets. */
async function changes(): Promise<readonly number[]> {
  const child = server();
  await until(child.stdout, '"id":2');
  // Watching begins behind the first answers.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  const folder = join(task.workspace, ".agents", "skills", "a-changing-skill");
  const times: number[] = [];
  for (let round = 0; round < task.rounds; round += 1) {
    const heard = until(child.stdout, "list_changed");
    const wrote = performance.now();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "SKILL.md"), skillOf(round));
    times.push((await heard) - wrote);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  child.stdin.end();
  await once(child, "close");
  rmSync(folder, { recursive: true });
  return times;
}

function skillOf(round: number): string {
  return `---\nname: a-changing-skill\ndescription: Version ${round} of this skill.\n---\nText ${round}\n`;
}

async function measure(): Promise<McpResult> {
  if (task.what === "change") {
    const times = await changes();
    return { subject: times, baseline: times.map(() => 0) };
  }
  await first();
  const [subject, baseline]: [number[], number[]] = [[], []];
  for (let round = 0; round < task.rounds; round += 1) {
    baseline.push(await bare());
    subject.push(await first());
  }
  return { subject, baseline };
}

process.stdout.write(JSON.stringify(await measure()));
