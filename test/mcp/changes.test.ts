import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { skill } from "../cli/run-skillet.ts";
import { builtCommand } from "../support/built-command.ts";
import {
  type Connected,
  type Era,
  ground,
  type HttpServer,
  httpServer,
  overHttp,
  overStdio,
} from "./ground.ts";

// A change on disk reaches a client that listens, in every way to connect (case w-reload: list, search and MCP agree).
const place = ground();
let command = "";
let http: HttpServer;

beforeAll(async () => {
  place.write({ ".agents/skills/first/SKILL.md": skill("first", "The first.") });
  command = builtCommand();
  http = await httpServer(command, place);
});
afterAll(async () => {
  await http?.close();
  place.remove();
});

/** What was announced, and a promise of the next time. */
function listener(): {
  readonly heard: { tools: number; prompts: number; resources: number };
  readonly handlers: object;
  until(what: "tools" | "prompts" | "resources", count: number): Promise<void>;
} {
  const heard = { tools: 0, prompts: 0, resources: 0 };
  const waiting = new Set<() => void>();
  const on = (what: keyof typeof heard) => ({
    autoRefresh: false,
    debounceMs: 0,
    onChanged: () => {
      heard[what] += 1;
      for (const look of [...waiting]) look();
    },
  });
  return {
    heard,
    handlers: { tools: on("tools"), prompts: on("prompts"), resources: on("resources") },
    until: (what, count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (heard[what] < count) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}

const ways: readonly (readonly [name: string, connect: (handlers: object) => Promise<Connected>])[] = (
  ["old", "new"] satisfies Era[]
).flatMap((era) => [
  [`stdio, ${era} protocol`, (handlers: object) => overStdio(command, place, era, handlers)] as const,
  [`HTTP, ${era} protocol`, (handlers: object) => overHttp(http, era, handlers)] as const,
]);

describe.each(ways)("over %s", (_, connect) => {
  it("a new, a changed and a removed skill are announced, and the lists follow", async () => {
    const ear = listener();
    const { client, close } = await connect(ear.handlers);
    const names = async (): Promise<readonly string[]> =>
      (await client.listPrompts()).prompts.map(({ name }) => name);
    try {
      expect(await names()).toEqual(["first"]);
      await client.listTools();
      // The watching begins behind the first answers.
      await new Promise((resolve) => setTimeout(resolve, 300));
      place.write({ ".agents/skills/second/SKILL.md": skill("second", "The second.") });
      await Promise.all([ear.until("tools", 1), ear.until("prompts", 1), ear.until("resources", 1)]);
      expect(await names()).toEqual(["first", "second"]);
      expect((await client.listTools()).tools[0]?.inputSchema.properties?.name).toMatchObject({
        enum: ["first", "second"],
      });
      expect((await client.listResources()).resources).toHaveLength(2);

      // Only the body: the names that a model may use are the same.
      const before = { ...ear.heard };
      place.write({ ".agents/skills/second/SKILL.md": skill("second", "The second.", "Other text.\n") });
      await ear.until("resources", before.resources + 1);
      expect([ear.heard.tools, ear.heard.prompts]).toEqual([before.tools, before.prompts]);
      const { content } = await client.callTool({ name: "skill", arguments: { name: "second" } });
      expect(JSON.stringify(content)).toContain("Other text.");

      rmSync(join(place.project, ".agents/skills/second"), { recursive: true });
      await ear.until("prompts", before.prompts + 1);
      expect(await names()).toEqual(["first"]);
      const gone = await client.callTool({ name: "skill", arguments: { name: "second" } });
      expect([gone.isError, JSON.stringify(gone.content)]).toEqual([
        true,
        expect.stringContaining("no longer there"),
      ]);
    } finally {
      await close();
    }
  });
});

it("what was only touched is not announced", async () => {
  const ear = listener();
  const { client, close } = await overStdio(command, place, "old", ear.handlers);
  await client.listTools();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const file = join(place.project, ".agents/skills/first/SKILL.md");
  writeFileSync(file, skill("first", "The first."));
  place.write({ ".agents/skills/third/SKILL.md": skill("third", "The third.") });
  await ear.until("tools", 1);
  expect(ear.heard.tools).toBe(1);
  rmSync(join(place.project, ".agents/skills/third"), { recursive: true });
  await close();
});
