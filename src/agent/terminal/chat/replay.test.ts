import { expect, test } from "vitest";
import { painter } from "../text/span.ts";
import { replay } from "./replay.ts";

test("a call that never ended is shown as interrupted, one that did is not", () => {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const call = (id: string, command: string) =>
    ({ type: "call", id, name: "bash", input: { command } }) as const;
  const blocks = replay([
    { type: "assistant", model: "m", parts: [call("1", "ls"), call("2", "sleep 9")], usage },
    { type: "result", id: "1", name: "bash", about: "ls", output: "a", failed: false, summary: "exit 0" },
  ]);
  const rows = blocks.flatMap((block) => block(80)).map(painter(false));
  expect(rows).toContain("✓ bash ls · exit 0");
  expect(rows).toContain("✗ bash sleep 9 · interrupted");
  expect(rows.join("\n")).not.toContain("bash ls · interrupted");
});
