import { Client } from "@modelcontextprotocol/client";
import { InMemoryTransport } from "@modelcontextprotocol/server";
import { expect, test } from "vitest";
import { skillKit } from "../../src/adapters/ai-sdk.ts";
import { callSkillTool, openSession, skillTools } from "../../src/index.ts";
import { createServer } from "../../src/mcp/create-server.ts";
import { serveSkills } from "../../src/mcp/skill-source.ts";
import { createGround, put, putSkill } from "./fixtures/ground.ts";
import { open } from "./fixtures/surface.ts";

// Row B09 wherever a model or a client is told of skills: a crowd of them crowds nobody out and floods nothing.
const crowd = 3_000;
const pinned = ["zz-mine-a", "zz-mine-b"];

test("B09 3 000 skills of 1 000 characters: budget, order, notice and pins hold in catalog, guidance, tools and MCP", async () => {
  const ground = createGround();
  for (let index = 0; index < crowd; index += 1)
    putSkill(ground.root, `crowd-${String(index).padStart(4, "0")}`, {
      description: `Number ${index}. ${"d".repeat(990)}`,
    });
  for (const name of pinned) putSkill(ground.root, name, { description: `The one ${name} that counts.` });
  put(ground.home, ".config/skillet/skillet.jsonc", '{"skills":{"pins":["zz-mine-*"],"builtin":false}}');
  const skills = open(ground);
  const tokens = (text: string): number => skills.counter.count(text);

  const settings = { contextWindow: 200_000 };
  const catalog = skills.catalog(settings);
  const budget = catalog.budget ?? 0;
  expect(budget).toBeLessThanOrEqual(4_000);
  expect(catalog.tokens).toBeLessThanOrEqual(budget);
  expect(tokens(catalog.text ?? "")).toBe(catalog.tokens);
  expect(open(ground).catalog(settings), "the same each time").toEqual(catalog);
  const names = catalog.skills.map(({ name }) => name);
  expect(names, "the order is the list's").toEqual(
    skills.entries.map(({ skill }) => skill.name).filter((name) => names.includes(name)),
  );
  const omitted = catalog.skills.filter(({ state }) => state === "omitted").length;
  expect(omitted).toBeGreaterThan(1_000);
  expect(catalog.text).toContain(`${omitted} more skills are not listed`);
  for (const name of pinned) {
    expect(catalog.skills.find((one) => one.name === name)?.state).toBe("full");
    expect(catalog.text).toContain(`The one ${name} that counts.`);
  }

  const session = openSession(skills);
  const first = session.guidance(settings);
  expect(tokens(first.system ?? "")).toBeLessThanOrEqual(budget);
  expect(first.system).toContain("The one zz-mine-a that counts.");
  for (let index = 0; index < 500; index += 1)
    putSkill(ground.root, `late-${index}`, { description: "l".repeat(1_000) });
  skills.reload();
  const next = session.guidance(settings);
  expect(next.system).toBe(first.system);
  expect(tokens(next.message ?? "")).toBeLessThanOrEqual(budget + 500);
  expect(next.message).not.toBeNull();

  const small = (text: string): void => expect(tokens(text)).toBeLessThan(2_000);
  const tools = skillTools(skills);
  small(JSON.stringify(tools.map(({ description, inputSchema }) => [description, inputSchema])));
  expect(tokens(skillKit(skills, settings).instructions)).toBeLessThanOrEqual(budget);
  for (const [name, input] of [
    ["skill", { name: "crowd" }],
    ["skill_search", { query: "number of the crowd" }],
    ["read_skill_file", { name: "nothing" }],
  ] as const)
    expect(tokens((await callSkillTool(tools, { name, input })).text), name).toBeLessThan(3_000);

  const warn = (): void => {};
  const server = createServer({ skills, served: serveSkills(skills, warn), warn });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: "test", version: "1.0.0" });
  await Promise.all([server.connect(near), client.connect(far)]);
  const instructions = client.getInstructions() ?? "";
  expect(tokens(instructions)).toBeLessThanOrEqual((skills.catalog().budget ?? 0) + 200);
  expect(instructions).toContain("The one zz-mine-b that counts.");
  small(JSON.stringify(await client.listTools()));
  const raw = async (method: string): Promise<string> =>
    JSON.stringify(await client.request({ method, params: {} } as never));
  for (const method of ["prompts/list", "resources/list"]) {
    const page = await raw(method);
    expect(page, method).toContain('"nextCursor"');
    expect(page.length, method).toBeLessThan(300_000);
  }
  await client.close();
  skills.close();
});
