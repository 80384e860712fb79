import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { skill } from "../cli/run-skillet.ts";
import { builtCommand } from "../support/built-command.ts";
import { type Era, ground } from "./ground.ts";

// A rule that says "ask", and clients that can put a question to their user or can't.
const place = ground();
let command = "";
beforeAll(() => {
  place.write({
    ".agents/skills/careful/SKILL.md": skill("careful", "Moves money.", "# careful\n\nMove it.\n"),
    ".agents/skills/careful/notes.md": "Notes\n",
    ".agents/skills/free/SKILL.md": skill("free", "Counts money."),
    "~/.config/skillet/skillet.jsonc": `{ "skills": { "builtin": false }, "permission": { "skill": { "careful": "ask" } } }`,
  });
  command = builtCommand();
});
afterAll(() => place.remove());

type Answer = "accept" | "decline" | "cancel" | null;

/** What calls give, and the questions that came with them; null = the client can't ask. */
async function session(
  era: Era,
  answer: Answer,
  work: (client: Client, asked: readonly string[]) => Promise<void>,
): Promise<string[]> {
  const client = new Client(
    { name: "test", version: "1.0.0" },
    {
      versionNegotiation: { mode: era === "old" ? "legacy" : { pin: "2026-07-28" } },
      capabilities: answer === null ? {} : { elicitation: {} },
    },
  );
  const asked: string[] = [];
  if (answer !== null)
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return answer === "accept" ? { action: answer, content: {} } : { action: answer };
    });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [command, "mcp", ...place.args, "--trust"],
      stderr: "inherit",
    }),
  );
  await work(client, asked);
  await client.close();
  return asked;
}

const question = 'May the model load the skill "careful"? A rule of your settings says to ask.';

describe.each<Era>(["old", "new"])("with the %s protocol", (era) => {
  const call = async (client: Client, name: string, input: Record<string, unknown>) => {
    const { content, isError } = await client.callTool({ name, arguments: input });
    const [first] = content as readonly { readonly text: string }[];
    return { text: first?.text ?? "", isError: isError === true };
  };

  it("the client's user is asked, and a yes gives the skill and, without another question, its files", async () => {
    const asked = await session(era, "accept", async (client, asked) => {
      expect(await call(client, "skill", { name: "careful" })).toMatchObject({
        isError: false,
        text: expect.stringContaining("Move it."),
      });
      expect(await call(client, "read_skill_file", { name: "careful", path: "notes.md" })).toMatchObject({
        isError: false,
        text: "Notes\n",
      });
      expect((await call(client, "skill", { name: "free" })).isError).toBe(false);
      expect(asked).toEqual([question]);
      expect((await call(client, "skill", { name: "careful" })).isError).toBe(false);
    });
    expect(asked).toEqual([question, question]);
  });

  it("a file of a skill that was not loaded is a question of its own", async () => {
    const asked = await session(era, "accept", async (client) => {
      const read = await call(client, "read_skill_file", { name: "careful", path: "notes.md" });
      expect(read).toEqual({ isError: false, text: "Notes\n" });
      await call(client, "read_skill_file", { name: "careful" });
    });
    expect(asked).toEqual([question]);
  });

  it.each<Answer>(["decline", "cancel"])(
    "%s gives nothing, and the model is told that it was asked",
    async (answer) => {
      const asked = await session(era, answer, async (client) => {
        const refused = await call(client, "skill", { name: "careful" });
        expect(refused).toEqual({
          isError: true,
          text: 'The user was asked and did not allow "careful". Go on without it.',
        });
      });
      expect(asked).toEqual([question]);
    },
  );

  it("a client that can't ask is refused with a text that says so", async () => {
    await session(era, null, async (client) => {
      const refused = await call(client, "skill", { name: "careful" });
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringContaining("nobody could be asked"),
      });
      expect(refused.text).not.toContain("Move it.");
    });
  });
});
