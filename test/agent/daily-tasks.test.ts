import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { conversationOf } from "../../src/agent/session/conversation-of.ts";
import { type Ground, type GroundOptions, makeGround, type Session, skillText } from "./ground.ts";
import {
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type SeenRequest,
  scriptedModel,
} from "./scripted-model.ts";

// Twenty things that people do with an agent every day, one after the other in one project (docs/agent.md lists them).

let ground: Ground;
const models: ScriptedModel[] = [];

beforeAll(() => {
  ground = makeGround("daily");
  execFileSync("rm", ["-rf", join(ground.project, ".git")]);
  ground.write("project/README.md", "# sums\n\nAdds numbers.\n");
  ground.write("project/AGENTS.md", "Run `node test.mjs` for the tests.\n");
  ground.write("project/sum.mjs", "export function add(a, b) {\n  return a - b;\n}\n");
  ground.write(
    "project/test.mjs",
    'import { add } from "./sum.mjs";\nif (add(1, 2) !== 3) { console.error("add(1, 2) is " + add(1, 2)); process.exit(1); }\nconsole.log("ok");\n',
  );
  ground.write("project/sales.csv", "month,sum\n1,10\n");
  ground.write("project/logo.png", Buffer.from("89504e470d0a1a0a", "hex"));
  ground.write(
    "project/.skillet/skills/changelog/SKILL.md",
    skillText("changelog", "Write a changelog entry.", "Entry for $ARGUMENTS. See form.md."),
  );
  ground.write("project/.skillet/skills/changelog/form.md", "- what, why\n");
  ground.write(
    "project/.skillet/skills/sheet-reader/SKILL.md",
    skillText("sheet-reader", "Read Excel and CSV spreadsheets.", "Read by column."),
  );
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "First");
});
afterAll(async () => {
  ground.remove();
  for (const model of models) await model.close();
});

function git(...args: readonly string[]): string {
  return execFileSync("git", args, { cwd: ground.project, encoding: "utf8" });
}

interface Worked extends Session {
  readonly server: ScriptedModel;
  /** What the last call gave the model. */
  result(): string;
}

/** One task: the model makes these calls, then answers; every question is answered yes unless `options` say otherwise. */
async function work(
  message: string,
  steps: readonly (ScriptedCall | ScriptedAnswer | ((request: SeenRequest) => ScriptedAnswer))[],
  options: GroundOptions = {},
): Promise<Worked> {
  const server = await scriptedModel([
    ...steps.map((step) => (typeof step === "function" || !("input" in step) ? step : { calls: [step] })),
    { text: "Done." },
  ]);
  models.push(server);
  const session = ground.start(server, { answer: () => ({ kind: "once" }), ...options });
  await session.agent.submit(message);
  return {
    ...session,
    server,
    result: () => server.requests.at(-1)?.turns.findLast(({ role }) => role === "tool")?.text ?? "",
  };
}

function bash(command: string, timeout?: number): ScriptedCall {
  return { name: "bash", input: timeout === undefined ? { command } : { command, timeout } };
}

describe("every day", () => {
  test("1 ask what a project is: files and AGENTS.md are read", async () => {
    const { result, server } = await work("what is this?", [{ name: "read", input: { path: "README.md" } }]);
    expect(result()).toContain("Adds numbers.");
    expect(server.requests[0]?.system).toContain("Run `node test.mjs` for the tests.");
  });

  test("2 search the code, without a question", async () => {
    const { result, questions } = await work("where is add?", [bash("grep -rn 'add' --include='*.mjs' .")]);
    expect(result()).toContain("./sum.mjs:1:export function add");
    expect(questions).toEqual([]);
  });

  test("3 look at a folder", async () => {
    const { result } = await work("what is here?", [{ name: "read", input: { path: "." } }]);
    expect(result()).toContain("sum.mjs");
  });

  test("4 run the tests and hear that they fail", async () => {
    const { result } = await work("run the tests", [bash("node test.mjs")]);
    expect(result()).toBe("add(1, 2) is -1\n\n[Exit code 1.]");
  });

  test("5 mend the code and run them again", async () => {
    const { result } = await work("mend it", [
      { name: "read", input: { path: "sum.mjs" } },
      { name: "edit", input: { path: "sum.mjs", old: "a - b", new: "a + b" } },
      bash("node test.mjs"),
    ]);
    expect(result()).toBe("ok");
  });

  test("6 rename everywhere in a file", async () => {
    await work("rename add to sum in the test", [
      { name: "read", input: { path: "test.mjs" } },
      { name: "edit", input: { path: "test.mjs", old: "add(1, 2)", new: "add(2, 1)", all: true } },
    ]);
    expect(ground.read("project/test.mjs").match(/add\(2, 1\)/g)).toHaveLength(3);
  });

  test("7 write a new file in a new folder", async () => {
    await work("add a note", [{ name: "write", input: { path: "docs/notes.md", content: "# Notes\n" } }]);
    expect(ground.read("project/docs/notes.md")).toBe("# Notes\n");
  });

  test("8 review what changed", async () => {
    const { result, questions } = await work("review", [bash("git diff")]);
    expect(result()).toContain("+  return a + b;");
    expect(questions).toEqual([]);
  });

  test("9 commit, after a question", async () => {
    const { questions } = await work("commit it", [bash("git add . && git commit -qm 'Add adds'")]);
    expect(questions).toHaveLength(1);
    expect(git("log", "--format=%s")).toBe("Add adds\nFirst\n");
  });

  test("10 say no, and what to do instead", async () => {
    const { result } = await work("push it", [bash("git push")], {
      answer: () => ({ kind: "reject", word: "never push" }),
    });
    expect(result()).toBe("The user refused this and says: never push");
  });

  test("11 follow a task of several steps", async () => {
    const items = [
      { text: "one", status: "done" },
      { text: "two", status: "active" },
    ];
    const { agent } = await work("do both", [{ name: "todo", input: { items } }]);
    expect(agent.status.todo).toEqual(items);
  });

  test("12 call a skill by name, with arguments", async () => {
    const { server } = await work("/changelog v2", []);
    expect(server.requests[0]?.turns[0]?.text).toContain("Entry for v2. See form.md.");
  });

  test("13 read a file that comes with a skill", async () => {
    const { result } = await work("how?", [
      { name: "read_skill_file", input: { name: "changelog", path: "form.md" } },
    ]);
    expect(result()).toContain("- what, why");
  });

  test("14 have a skill found", async () => {
    const { result } = await work("which skill?", [
      { name: "skill_search", input: { query: "write a changelog entry" } },
    ]);
    expect(result()).toContain("changelog");
  });

  test("15 attach a table, and be pointed to the skill for it", async () => {
    const { server } = await work("sum up @sales.csv", []);
    const sent = server.requests[0]?.turns[0]?.text ?? "";
    expect(sent).toContain("1,10");
    expect(sent).toContain("sheet-reader");
  });

  test("16 attach a picture", async () => {
    const { server } = await work("what is on @logo.png ?", []);
    expect(server.requests[0]?.raw).toContain("data:image/png;base64,");
  });

  test("17 stop a command that takes too long, and go on", async () => {
    const server = await scriptedModel([{ calls: [bash("sleep 60")] }, { text: "Fine." }]);
    models.push(server);
    const { agent, events } = ground.start(server, { answer: () => ({ kind: "once" }) });
    const turn = agent.submit("wait");
    while (!events.some(({ type }) => type === "tool-call"))
      await new Promise((resolve) => setTimeout(resolve, 10));
    agent.cancel();
    expect(await turn).toEqual({ reason: "cancelled" });
    expect(await agent.submit("what now?")).toEqual({ reason: "done" });
    expect(server.requests[1]?.turns.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "user"]);
    agent.close();
    const late = await work("wait less", [bash("sleep 60", 1)]);
    expect(late.result()).toBe("[Stopped after 1 seconds.]");
  });

  test("18 plan first, then build", async () => {
    const { agent, server } = await work("plan it", [{ text: "1. This. 2. That." }], { agent: "plan" });
    agent.switchTo({ agent: "build" });
    await agent.submit("go");
    expect(server.requests[0]?.tools).not.toContain("write");
    expect(server.requests[1]?.tools).toContain("write");
    expect(server.requests[1]?.turns.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("19 go on tomorrow", async () => {
    const first = await work("remember the blue door", []);
    first.agent.close();
    const again = await work("which door?", [], { resume: "last" });
    expect(again.server.requests[0]?.turns[0]?.text).toBe("remember the blue door");
    expect(conversationOf(again.file.records).messages).toHaveLength(4);
  });

  test("20 read a page, where the settings allow it", async () => {
    const site = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<h1>Rates</h1><script>x()</script><p>One &euro; is &lt; two.</p>");
    });
    await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
    const server = await scriptedModel([{ calls: [{ name: "fetch", input: { url } }] }, { text: "Done." }]);
    models.push(server);
    const { agent, questions } = ground.start(server, {
      settings: { permission: { fetch: "ask" } },
      answer: () => ({ kind: "once" }),
    });
    await agent.submit("read it");
    site.close();
    expect(questions.map(({ request }) => request.title)).toEqual([`fetch ${url}`]);
    expect(server.requests[1]?.turns.at(-1)?.text).toBe("# Rates\n\nOne &euro; is < two.");
  });
});
