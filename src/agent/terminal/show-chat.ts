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
  const restore = (): void => {
    if (restored) return;
    restored = true;
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
  const signals = ["SIGTERM", "SIGHUP", "SIGINT"] as const;
  for (const signal of signals) process.on(signal, stop);
  try {
    return await chat.ended;
  } finally {
    for (const signal of signals) process.off(signal, stop);
    app.unmount();
    app.cleanup();
    process.off("exit", restore);
    restore();
  }
}
