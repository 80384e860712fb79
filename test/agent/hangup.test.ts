import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { makeGround } from "./ground.ts";
import { scriptedModel } from "./scripted-model.ts";
import { hasTmux, openTmux } from "./tmux.ts";

// The window is closed while the chat waits.

const skillet = fileURLToPath(new URL("../../src/bin/skillet.ts", import.meta.url));
const loader = import.meta.resolve("tsx");

function filesOf(folder: string): readonly string[] {
  return existsSync(folder)
    ? readdirSync(folder, { recursive: true })
        .map(String)
        .filter((path) => /\.(?:jsonl|lock)$/.test(path))
    : [];
}

test.skipIf(!hasTmux)(
  hasTmux
    ? "a terminal that is closed leaves no lock and no empty session"
    : "a closed terminal [tmux is not installed]",
  async () => {
    const ground = makeGround("hangup");
    const server = await scriptedModel(() => ({ text: "ok" }));
    const sessions = `${ground.data}/sessions`;
    const command = `"${process.execPath}" --import ${loader} ${skillet} chat --cwd "${ground.project}" --home "${ground.home}" --data "${ground.data}" --env SKILLET_BASE_URL=${server.url} --env SKILLET_MODEL=scripted 2>"${ground.place}/err"`;
    const terminal = openTmux(command, { columns: 80, rows: 24, env: {} });
    try {
      await terminal.until("Message, / for skills");
      expect(filesOf(sessions)).toHaveLength(2);
      terminal.close();
      for (let round = 0; round < 600 && filesOf(sessions).length > 0; round++)
        await new Promise((resolve) => setTimeout(resolve, 100));
      expect(filesOf(sessions)).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 500));
      // All but a wish to see the cursor again.
      expect(ground.read("err").replaceAll("\u001b[?25h", "")).toBe("");
    } finally {
      await server.close();
      ground.remove();
    }
  },
);
