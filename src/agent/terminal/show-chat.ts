import { render } from "ink";
import { createElement } from "react";
import type { Chat, ChatEnd } from "./chat/chat.ts";
import { painter } from "./text/span.ts";
import { App } from "./view/app.ts";

export interface Terminal {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly colored: boolean;
}

const pasteOn = "\u001b[?2004h";
const pasteOff = "\u001b[?2004l";

/**
 * Draws a chat on a terminal until it ends. However it ends, by a key, a signal or a defect, the terminal is left as it
 * was found.
 */
export async function showChat(chat: Chat, { stdin, stdout, colored }: Terminal): Promise<ChatEnd> {
  let restored = false;
  let lost = false;
  const restore = (): void => {
    if (restored) return;
    restored = true;
    if (lost) return;
    stdout.write(`${pasteOff}\u001b[?25h`);
    if (stdin.isTTY === true) stdin.setRawMode(false);
  };
  stdout.write(pasteOn);
  process.once("exit", restore);
  const suspend = (): void => {
    if (process.platform === "win32") return;
    stdout.write(`${pasteOff}\u001b[?25h`);
    if (stdin.isTTY === true) stdin.setRawMode(false);
    // The whole group, as the terminal itself would: a shell in front of us stops too.
    process.kill(0, "SIGTSTP");
    // Goes on when the program does; at once where nobody can bring it back.
    setTimeout(() => {
      if (restored) return;
      if (stdin.isTTY === true) stdin.setRawMode(true);
      stdout.write(pasteOn);
      chat.redraw();
    }, 50);
  };
  const app = render(createElement(App, { chat, paint: painter(colored), now: () => Date.now(), suspend }), {
    stdin,
    stdout,
    exitOnCtrlC: false,
    patchConsole: false,
  });
  const stop = (): void => chat.leave(130);
  const hangUp = (): void => {
    if (!lost) process.once("exit", endQuietly);
    lost = true;
    chat.leave(130);
  };
  const signals = ["SIGTERM", "SIGINT"] as const;
  for (const signal of signals) process.on(signal, stop);
  process.on("SIGHUP", hangUp);
  stdin.on("end", hangUp).on("close", hangUp).on("error", hangUp);
  stdout.on("error", hangUp);
  try {
    return await chat.ended;
  } finally {
    for (const signal of signals) process.off(signal, stop);
    process.off("SIGHUP", hangUp);
    stdin.off("end", hangUp).off("close", hangUp);
    attempt(() => app.unmount(), lost);
    attempt(() => app.cleanup(), lost);
    process.off("exit", restore);
    restore();
  }
}

/** Drawing on a terminal that is gone fails, and that is no failure: the session has to be closed all the same. */
function attempt(work: () => void, lost: boolean): void {
  try {
    work();
  } catch (error) {
    if (!lost) throw error;
  }
}

/** Node would set the terminal back at its end, and break where there is none any more. */
function endQuietly(): void {
  if (process.platform === "win32") return;
  // Whoever still listens, as a drawing that could not be taken down does, would swallow the signal.
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}
