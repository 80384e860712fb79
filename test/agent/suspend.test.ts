import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeGround } from "./ground.ts";
import { scriptedModel } from "./scripted-model.ts";
import { hasTmux, openTmux } from "./tmux.ts";

// Ctrl-Z and fg, in a real terminal with a shell that keeps jobs.

const skillet = fileURLToPath(new URL("../../src/bin/skillet.ts", import.meta.url));
const loader = import.meta.resolve("tsx");

test.skipIf(!hasTmux)(
  hasTmux ? "ctrl-z puts the chat aside, fg brings it back" : "ctrl-z [tmux is not installed]",
  async () => {
    const ground = makeGround("suspend");
    const server = await scriptedModel(() => ({ text: "still here" }));
    const terminal = openTmux("env PS1='shell> ' bash --norc --noprofile -i", {
      columns: 80,
      rows: 24,
      env: {
        HOME: ground.home,
        SKILLET_BASE_URL: server.url,
        SKILLET_MODEL: "scripted",
        PROJECT: ground.project,
      },
    });
    try {
      await terminal.until("shell>");
      terminal.type(`cd "$PROJECT" && "${process.execPath}" --import ${loader} ${skillet} chat`);
      terminal.keys("Enter");
      await terminal.until("Message, / for skills");
      terminal.type("half");
      await terminal.until("› half");
      terminal.keys("C-z");
      await terminal.until(/Stopped/);
      terminal.type("echo back in $((1+1)) shells");
      terminal.keys("Enter");
      await terminal.until("back in 2 shells");
      terminal.type("fg");
      terminal.keys("Enter");
      await terminal.until("› half");
      terminal.type(" done");
      terminal.keys("Enter");
      const screen = await terminal.until("● still here");
      expect(screen).toContain("› half done");
    } finally {
      terminal.close();
      await server.close();
      ground.remove();
    }
  },
);
