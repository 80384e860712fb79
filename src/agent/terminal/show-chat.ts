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
  const app = render(createElement(App, { chat, paint: painter(colored), now: () => Date.now() }), {
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
