import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

// What only the agent needs is loaded with the agent, so that `list` and the like start as before.

const root = fileURLToPath(new URL("../../src", import.meta.url));

/** Static imports of values, by file. */
function staticImports(folder: string): readonly (readonly [file: string, from: string])[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .flatMap((name) => {
      const text = readFileSync(join(root, folder, name), "utf8");
      const found = text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+"([^"]+)";/gm);
      return [...found].map((match) => [`${folder}/${name}`, match[1] ?? ""] as const);
    });
}

test("the command line loads the agent only when it is asked for", () => {
  const eager = [...staticImports("cli"), ...staticImports("host"), ...staticImports("core")];
  expect(eager.filter(([, from]) => /\/agent\//.test(from))).toEqual([]);
});

test("models, the terminal's library and the sandbox are loaded on first use", () => {
  const heavy = /^(?:ai|ink|react|zod|@ai-sdk\/.*|quickjs.*|@jitl\/.*)$/;
  expect(
    staticImports("agent")
      .filter(([, from]) => heavy.test(from))
      .map(([file]) => file),
  ).toEqual([
    "agent/terminal/show-chat.ts",
    "agent/terminal/show-chat.ts",
    "agent/terminal/view/app.ts",
    "agent/terminal/view/app.ts",
  ]);
  const loaders = staticImports("agent").filter(([, from]) =>
    /\/(?:show-chat|view\/app)\.ts$|^\.\/app\.ts$/.test(from),
  );
  expect(loaders.map(([file]) => file)).toEqual(["agent/terminal/show-chat.ts"]);
});
