import type { Skills } from "../host/skills.ts";
import { announceChanges } from "./announce-changes.ts";
import { createServer } from "./create-server.ts";
import { onlyProtocolOnStdout } from "./only-protocol.ts";
import { type McpServer, serveStdio as serve } from "./sdk.ts";
import { serveSkills } from "./skill-source.ts";
import { StdioWire } from "./wire.ts";

export interface ServeOptions {
  /** Says something to the person who runs the server; never the protocol's stream. */
  readonly warn: (message: string) => void;
  /** Ends the server. */
  readonly signal?: AbortSignal;
}

/**
 * Serves skills over this process's stdin and stdout, to clients of the old and the new protocol, until the client closes
 * its end or `signal` is given. Nothing but the protocol reaches stdout meanwhile. Changes on disk are announced.
 */
export async function serveStdio(skills: Skills, { warn, signal }: ServeOptions): Promise<void> {
  const output = onlyProtocolOnStdout();
  const said = new Set<string>();
  const once = (message: string): void => {
    if (said.size < 200 && !said.has(message)) warn(message);
    said.add(message);
  };
  const served = serveSkills(skills, once);
  const live = new Set<McpServer>();
  let [answers, stopChanges]: [number, (() => void) | null] = [0, null];
  const watch = (): void => {
    stopChanges ??= announceChanges({ skills, served }, (changed) => {
      for (const server of live) {
        if (changed.tools) server.sendToolListChanged();
        if (changed.prompts) server.sendPromptListChanged();
        if (changed.resources) server.sendResourceListChanged();
      }
    });
  };
  const wire = new StdioWire({
    input: process.stdin,
    output: process.stdout,
    write: output.write,
    // A client waits for the first answers; what changed before the watching began is found by its first look.
    answered: () => {
      answers += 1;
      if (answers === 2) setImmediate(watch);
    },
  });
  try {
    await new Promise<void>((resolve) => {
      const handle = serve(
        () => {
          const server = createServer({ skills, served, warn: once });
          live.add(server);
          server.server.onclose = () => live.delete(server);
          return server;
        },
        { transport: wire, onerror: () => {} },
      );
      const end = (): void => {
        stop();
        void handle.close().finally(resolve);
      };
      const close = wire.onclose;
      wire.onclose = () => {
        close?.();
        end();
      };
      const started = setTimeout(watch, 1000);
      const stop = (): void => {
        clearTimeout(started);
        stopChanges?.();
        stopChanges = () => {};
        signal?.removeEventListener("abort", end);
      };
      if (signal?.aborted === true) end();
      else signal?.addEventListener("abort", end, { once: true });
    });
  } finally {
    output.restore();
  }
}
