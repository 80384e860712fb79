import { execFileSync, spawnSync } from "node:child_process";

// A real terminal, driven from outside.

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export interface Tmux {
  /** Characters as they are, or names of keys (`Enter`, `C-c`). */
  keys(...keys: readonly string[]): void;
  type(text: string): void;
  screen(): string;
  until(wanted: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): void;
  /** What the terminal line is set to, as `stty -a` says. */
  close(): void;
}

export function openTmux(
  command: string,
  options: {
    readonly columns: number;
    readonly rows: number;
    readonly env: Readonly<Record<string, string>>;
  },
): Tmux {
  const socket = `skillet-${process.pid}-${Math.floor(performance.now())}`;
  const tmux = (...args: readonly string[]): string =>
    execFileSync("tmux", ["-L", socket, "-f", "/dev/null", ...args], { encoding: "utf8" });
  const env = Object.entries(options.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
  tmux(
    "new-session",
    "-d",
    "-s",
    "s",
    "-x",
    String(options.columns),
    "-y",
    String(options.rows),
    ...env,
    command,
  );
  const screen = (): string =>
    tmux("capture-pane", "-p", "-t", "s")
      .split("\n")
      .map((row) => row.trimEnd())
      .join("\n")
      .trimEnd();
  return {
    keys: (...keys) => void tmux("send-keys", "-t", "s", ...keys),
    type: (text) => void tmux("send-keys", "-t", "s", "-l", text),
    screen,
    async until(wanted) {
      for (let round = 0; round < 900; round++) {
        const shown = screen();
        if (typeof wanted === "string" ? shown.includes(wanted) : wanted.test(shown)) return shown;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`The terminal never showed ${String(wanted)}. It shows:\n${screen()}`);
    },
    resize: (columns, rows) =>
      void tmux("resize-window", "-t", "s", "-x", String(columns), "-y", String(rows)),
    close: () => void tmux("kill-server"),
  };
}
