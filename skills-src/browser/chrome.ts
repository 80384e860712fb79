import { type ChildProcess, spawn } from "node:child_process";
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../common/failure.ts";
import { connect } from "./connection.ts";

/** A running browser, as kept between calls. */
export interface Running {
  readonly pid: number;
  readonly address: string;
  readonly profile: string;
  readonly headed: boolean;
  /** The tab that commands speak of. */
  readonly tab: string | null;
  /** Width and height in CSS pixels; null = the window's. */
  readonly size: readonly [number, number] | null;
  readonly dark: boolean;
}

const names = [
  "google-chrome-stable",
  "google-chrome",
  "chromium",
  "chromium-browser",
  "chrome",
  "microsoft-edge",
  "msedge",
  "brave-browser",
];
const places = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
  ...["PROGRAMFILES", "PROGRAMFILES(X86)", "LOCALAPPDATA"].flatMap((name) =>
    process.env[name]
      ? [
          `${process.env[name]}\\Google\\Chrome\\Application\\chrome.exe`,
          `${process.env[name]}\\Microsoft\\Edge\\Application\\msedge.exe`,
        ]
      : [],
  ),
];

function program(): string {
  const own = process.env.CHROME_PATH;
  if (own) {
    if (!existsSync(own)) throw new Failure(`CHROME_PATH names ${own}, which is not there`, { exitCode: 3 });
    return own;
  }
  const onPath = (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  const found = [...onPath, ...places].find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
  if (found === undefined)
    throw new Failure("there is no Chrome, Chromium or Edge here", {
      exitCode: 3,
      hint: "install one, or set CHROME_PATH to its program",
    });
  return found;
}

function stateFile(name: string): string {
  const folder = join(tmpdir(), `skillet-browser-${userInfo().username.replace(/[^\w-]/g, "_")}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, `${name}.json`);
}

/** The browser that was started under this name, or null when none runs. */
export function runningBrowser(name: string): Running | null {
  try {
    const known = JSON.parse(readFileSync(stateFile(name), "utf8")) as Running;
    process.kill(known.pid, 0);
    return known;
  } catch {
    return null;
  }
}

export function remember(name: string, running: Running): void {
  writeFileSync(stateFile(name), JSON.stringify(running), { mode: 0o600 });
}

/** Starts a browser with an empty profile that goes on running after this process ended. */
export async function startBrowser(
  name: string,
  { headed, size }: { readonly headed: boolean; readonly size: readonly [number, number] },
): Promise<Running> {
  if (runningBrowser(name) !== null)
    throw new Failure("a browser is running already", { hint: "`stop` ends it" });
  const executable = program();
  const profile = mkdtempSync(join(tmpdir(), "skillet-browser-profile-"));
  const root = process.getuid?.() === 0;
  const child = spawn(
    executable,
    [
      ...(headed ? [] : ["--headless=new"]),
      // The browser refuses its sandbox to root.
      ...(root ? ["--no-sandbox"] : []),
      "--remote-debugging-port=0",
      `--user-data-dir=${profile}`,
      `--window-size=${size.join(",")}`,
      "--no-first-run",
      "--no-default-browser-check",
      "--disable-extensions",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--hide-crash-restore-bubble",
      "--password-store=basic",
      "--use-mock-keychain",
      ...(existsSync("/dev/shm") ? [] : ["--disable-dev-shm-usage"]),
      "about:blank",
    ],
    { detached: true, stdio: "ignore" },
  );
  const failed = new Promise<never>((_, fail) => {
    child.once("error", (error) => fail(new Failure(`the browser can't be started: ${error.message}`)));
    child.once("exit", (code) => fail(new Failure(`the browser ended at once (${code ?? "killed"})`)));
  });
  failed.catch(() => {});
  const address = await Promise.race([addressOf(profile), failed]).catch((error: unknown) => {
    end(child, profile);
    throw error;
  });
  child.unref();
  const running: Running = {
    pid: child.pid ?? 0,
    address,
    profile,
    headed,
    tab: null,
    size: null,
    dark: false,
  };
  remember(name, running);
  return running;
}

function end(child: ChildProcess, profile: string): void {
  child.kill("SIGKILL");
  rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

async function addressOf(profile: string): Promise<string> {
  for (let tries = 0; tries < 300; tries++) {
    try {
      const [port, path] = readFileSync(join(profile, "DevToolsActivePort"), "utf8").trim().split("\n");
      if (port && path) return `ws://127.0.0.1:${port}${path}`;
    } catch {
      // It is written once the browser listens.
    }
    await sleep(100);
  }
  throw new Failure("the browser did not get ready within 30 s");
}

/** Ends the browser and removes its profile. False when none was running. */
export async function stopBrowser(name: string): Promise<boolean> {
  const running = runningBrowser(name);
  rmSync(stateFile(name), { force: true });
  if (running === null) return false;
  const alive = (): boolean => {
    try {
      process.kill(running.pid, 0);
      return true;
    } catch {
      return false;
    }
  };
  const signal = (kind: NodeJS.Signals): void => {
    try {
      process.kill(process.platform === "win32" ? running.pid : -running.pid, kind);
    } catch {
      // It ended in the meantime.
    }
  };
  // Asked to close, it also removes what it keeps elsewhere.
  const asked = connect(running.address).then((connection) => connection.send("Browser.close"));
  await Promise.race([asked.catch(() => signal("SIGTERM")), sleep(5000)]);
  for (let tries = 0; tries < 50 && alive(); tries++) await sleep(100);
  signal("SIGKILL");
  // Its helpers may write for a moment after it ended.
  for (let tries = 0; tries < 50 && existsSync(running.profile); tries++) {
    rmSync(running.profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    await sleep(100);
  }
  return true;
}
