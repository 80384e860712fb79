import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ground, makeGround, skillText } from "./ground.ts";
import { type Script, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

// Whole conversations: what is sent, what comes back, what is done.

let ground: Ground;
let models: ScriptedModel[] = [];

beforeEach(() => {
  ground = makeGround("conversation");
  ground.write(
    "project/.skillet/skills/greet/SKILL.md",
    skillText("greet", "Greets people properly.", "Say good day, then bow."),
  );
  ground.write("project/notes.txt", "one\ntwo\nthree\n");
  ground.write("project/AGENTS.md", "Use tabs.\n");
});
afterEach(async () => {
  ground.remove();
  for (const model of models) await model.close();
  models = [];
});

async function model(script: Script): Promise<ScriptedModel> {
  const made = await scriptedModel(script);
  models.push(made);
  return made;
}

describe.each(["anthropic", "responses", "chat"] as const)("in the language %s", (language) => {
  test("a file is read, a skill loaded, a file changed, and the prompt keeps its bytes", async () => {
    const server = await model([
      {
        text: "I look.",
        calls: [
          { name: "read", input: { path: "notes.txt" } },
          { name: "skill", input: { name: "greet" } },
        ],
      },
      { calls: [{ name: "edit", input: { path: "notes.txt", old: "two", new: "zwei" } }] },
      { text: "Done: **two** is zwei." },
      { text: "You are welcome." },
    ]);
    const { agent, events, answers } = ground.start(server, { language, answer: () => ({ kind: "once" }) });
    expect(await agent.submit("change two to German")).toEqual({ reason: "done" });
    expect(await agent.submit("thanks")).toEqual({ reason: "done" });

    expect(ground.read("project/notes.txt")).toBe("one\nzwei\nthree\n");
    expect(answers()).toEqual(["I look.", "Done: **two** is zwei.", "You are welcome."]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "skill-loaded", name: "greet", by: "model" }),
    );
    const [first, second, third, fourth] = server.requests;
    expect(first?.language).toBe(language);
    expect(first?.system).toContain(`<skill name="greet">Greets people properly.</skill>`);
    expect(first?.system).toContain("Use tabs.");
    expect(first?.system).toContain(`Working folder: ${ground.project}`);
    expect(first?.tools).toEqual([
      "read",
      "write",
      "edit",
      "bash",
      "todo",
      "skill",
      "skill_search",
      "read_skill_file",
    ]);
    expect(first?.turns).toEqual([{ role: "user", text: "change two to German", calls: [] }]);
    expect(second?.turns[1]).toEqual({ role: "assistant", text: "I look.", calls: ["read", "skill"] });
    expect(second?.turns[2]?.text).toContain("    2\ttwo");
    expect(second?.turns[3]?.text).toContain("Say good day, then bow.");
    expect(third?.turns.at(-1)?.text).toBe("Changed notes.txt.");
    expect(fourth?.turns.at(-1)).toEqual({ role: "user", text: "thanks", calls: [] });
    expect(new Set(server.requests.map(({ system }) => system)).size).toBe(1);
    expect(new Set(server.requests.map(({ body }) => JSON.stringify(body.tools))).size).toBe(1);
  });

  test("two skills that a message names go along with it, and only once", async () => {
    ground.write("project/.skillet/skills/bow/SKILL.md", skillText("bow", "Bows.", "Bow low."));
    const server = await model(() => ({ text: "ok" }));
    const { agent, events } = ground.start(server, { language });
    await agent.submit("/greet and /bow the guest");
    await agent.submit("and now /greet once more");
    const sent = server.requests[0]?.turns[0]?.text ?? "";
    expect(sent).toContain("Say good day");
    expect(sent).toContain("Bow low.");
    expect(sent).toContain("This message calls several skills: greet, bow.");
    const loaded = events.flatMap((event) =>
      event.type === "skill-loaded" ? [`${event.name} ${event.by}`] : [],
    );
    expect(loaded).toEqual(["greet user", "bow user"]);
    const again = server.requests[1]?.turns.at(-1)?.text ?? "";
    expect(again).toContain("was given earlier in this conversation");
    expect(again).not.toContain("Say good day");
  });

  test("what changed on disk is told behind the next message, in front of no earlier byte", async () => {
    const server = await model([
      { calls: [{ name: "skill", input: { name: "greet" } }] },
      { text: "ok" },
      { text: "seen" },
      { text: "again" },
    ]);
    const { agent } = ground.start(server, { language });
    await agent.submit("hello");
    ground.write("project/.skillet/skills/greet/SKILL.md", skillText("greet", "Greets kings.", "Kneel."));
    ground.write("project/.skillet/skills/wave/SKILL.md", skillText("wave", "Waves.", "Wave."));
    ground.write("project/AGENTS.md", "Use spaces.\n");
    await agent.submit("go on");
    await agent.submit("and on");
    const [, second, third, fourth] = server.requests;
    const told = third?.turns.at(-1)?.text ?? "";
    expect(told).toContain("The available skills have changed.");
    expect(told).toContain(`<skill name="wave">Waves.</skill>`);
    expect(told).toContain(`<skill name="greet">Greets kings.</skill>`);
    expect(told).toContain('The text of the skill "greet" changed after it was loaded.');
    expect(told).toContain("Use spaces.");
    expect(third?.system).toBe(second?.system);
    expect(third?.turns.slice(0, 4)).toEqual(fourth?.turns.slice(0, 4));
    expect(fourth?.turns.at(-1)?.text).toBe("and on");
  });

  test("a broken connection and a busy server are tried again, and what had arrived does not count twice", async () => {
    const server = await model([
      { status: 529, error: "overloaded" },
      { text: "This answer is long enough to break in its middle.", breakAfter: 1 },
      { text: "Whole answer." },
    ]);
    const { agent, events, answers } = ground.start(server, { language });
    expect(await agent.submit("hello")).toEqual({ reason: "done" });
    expect(events.filter(({ type }) => type === "retry")).toHaveLength(2);
    expect(answers()).toEqual(["Whole answer."]);
  });

  test("a refused key is said at once, with what to check", async () => {
    const server = await model([{ status: 401, error: "invalid key" }]);
    const { agent } = ground.start(server, { language });
    const end = await agent.submit("hello");
    expect(end).toMatchObject({ reason: "failed", failure: { code: "key" } });
    expect(server.requests).toHaveLength(1);
  });

  test("the session goes on after it was closed, with the same beginning", async () => {
    const server = await model(() => ({ text: "ok" }));
    const first = ground.start(server, { language });
    await first.agent.submit("remember 42");
    first.agent.close();
    const second = ground.start(server, { language, resume: "last" });
    expect(second.resumed).toBe(true);
    await second.agent.submit("what was it?");
    expect(server.requests[1]?.system).toBe(server.requests[0]?.system);
    expect(server.requests[1]?.turns.map(({ text }) => text)).toEqual(["remember 42", "ok", "what was it?"]);
  });
});

test("folders of `references` are told, those that a project names are not (O21)", async () => {
  ground.write("project/.skillet/skillet.jsonc", JSON.stringify({ references: ["../secret"] }));
  const server = await model([{ text: "ok" }]);
  const { agent } = ground.start(server, { settings: { references: ["~/specs", "./notes & more"] } });
  await agent.submit("hello");
  expect(server.requests[0]?.system).toContain(
    `<references>\n  ${ground.home}/specs\n  ${ground.home}/.config/skillet/notes &amp; more\n</references>`,
  );
});
