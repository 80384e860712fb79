import { expect } from "vitest";
import type { Skills } from "../../src/index.ts";
import type { ModelRequest, ModelStep } from "../support/model-server/script.ts";
import { type ModelServer, startModelServer } from "../support/model-server/start-model-server.ts";
import { type SkillPlace, skillPlace } from "../support/skill-place.ts";

/** What the scripted model does: reads the list, loads a skill, reads a file of it, slips, searches, answers. */
export const script: readonly ModelStep[] = [
  { text: "I load the skill.", calls: [{ name: "skill", input: { name: "deploy", arguments: "east" } }] },
  {
    calls: [
      { name: "read_skill_file", input: { name: "deploy", path: "references/hosts.md" } },
      { name: "skill", input: { name: "deplyo" } },
    ],
  },
  { calls: [{ name: "skill_search", input: { query: "count the stock" } }] },
  { text: "Deployed to the east." },
];

/** What reaches the model after each step, in order. */
export const results = [
  /^<skill_content name="deploy">\nPush the button for east\./,
  /^host one\nhost two\n$/,
  /There is no skill named "deplyo"\. Did you mean deploy\?/,
  /^<found_skills>\n<skill name="stock">/,
] as const;

export interface Scene {
  readonly place: SkillPlace;
  readonly skills: Skills;
  readonly server: ModelServer;
  close(): Promise<void>;
}

/** A project with two skills and a model that answers by the script. */
export async function openScene(steps: readonly ModelStep[] = script): Promise<Scene> {
  const place = skillPlace();
  place.settings({ skills: { builtin: false } });
  place.skill("deploy", "Push the button for $ARGUMENTS.", ["description: Deploy the shop."]);
  place.write("shop/.claude/skills/deploy/references/hosts.md", "host one\nhost two\n");
  place.skill("stock", "Count.", ["description: Count what is in stock."]);
  const server = await startModelServer(steps);
  return {
    place,
    skills: place.open(),
    server,
    close: async () => {
      await server.close();
      place.remove();
    },
  };
}

/** The catalog and the three tools are in every request that begins a conversation, the name as an enum. */
export function expectRequests(requests: readonly ModelRequest[], skills: Skills): void {
  expect(requests).toHaveLength(script.length);
  expect(requests[0]?.body).not.toHaveProperty("thread.previous_message_id");
  for (const { body } of requests) {
    // A thread that the server holds: only what is new is sent.
    if ((body.thread as { readonly type?: string } | undefined)?.type === "continue") continue;
    const text = JSON.stringify(body);
    expect(text).toContain(JSON.stringify(skills.catalog().text).slice(1, -1));
    const tools = JSON.stringify(body.tools);
    for (const name of ["skill", "skill_search", "read_skill_file"])
      expect(tools).toContain(`"name":"${name}"`);
    expect(tools).toContain('"enum":["deploy","stock"]');
  }
}
