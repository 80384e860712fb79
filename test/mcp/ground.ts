import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  Client,
  type ListChangedHandlers,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** A temporary machine for a real server process. */
export interface Ground {
  readonly folder: string;
  readonly home: string;
  readonly project: string;
  readonly data: string;
  /** `~/…` is in the home folder, everything else in the project. */
  write(files: Readonly<Record<string, string | Uint8Array>>): void;
  /** Arguments that start the server here. */
  readonly args: readonly string[];
  remove(): void;
}

export function ground(): Ground {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-mcp-")));
  const [home, project, data] = [join(folder, "home"), join(folder, "home/project"), join(folder, "data")];
  mkdirSync(join(project, ".git"), { recursive: true });
  writeFileSync(join(project, ".git/HEAD"), "ref: refs/heads/main\n");
  const place: Ground = {
    folder,
    home,
    project,
    data,
    args: ["--home", home, "--data", data, "--cwd", project],
    write(files) {
      for (const [name, content] of Object.entries(files)) {
        const path = name.startsWith("~/") ? join(home, name.slice(2)) : join(project, name);
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, content);
      }
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
  place.write({ "~/.config/skillet/skillet.jsonc": `{ "skills": { "builtin": false } }` });
  return place;
}

export type Era = "old" | "new";

function clientOf(era: Era, listChanged?: ListChangedHandlers): Client {
  return new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode: era === "old" ? "legacy" : { pin: "2026-07-28" } },
      ...(listChanged === undefined ? {} : { listChanged }),
    },
  );
}

export interface Connected {
  readonly client: Client;
  close(): Promise<void>;
}

/** The official client with a server process of its own. */
export async function overStdio(
  command: string,
  place: Ground,
  era: Era,
  listChanged?: ListChangedHandlers,
): Promise<Connected> {
  const client = clientOf(era, listChanged);
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [command, "mcp", ...place.args, "--trust"],
      stderr: "inherit",
    }),
  );
  return { client, close: () => client.close() };
}

/** A server process that listens on loopback. */
export interface HttpServer {
  readonly url: URL;
  readonly process: ChildProcess;
  close(): Promise<number | null>;
}

export async function httpServer(command: string, place: Ground): Promise<HttpServer> {
  const child = spawn(process.execPath, [command, "mcp", "--http", "0", ...place.args, "--trust"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const url = await new Promise<URL>((resolve, reject) => {
    let said = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text;
      const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(said)?.[0];
      if (found !== undefined) resolve(new URL(found));
    });
    child.once("exit", () => reject(new Error(said)));
  });
  return {
    url,
    process: child,
    async close() {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      const [code] = await ended;
      return code as number | null;
    },
  };
}

/** The official client of a listening server. */
export async function overHttp(
  { url }: HttpServer,
  era: Era,
  listChanged?: ListChangedHandlers,
): Promise<Connected> {
  const client = clientOf(era, listChanged);
  await client.connect(new StreamableHTTPClientTransport(url));
  return { client, close: () => client.close() };
}
