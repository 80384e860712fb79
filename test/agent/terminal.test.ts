import { appendFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Ground, makeGround, skillText } from "./ground.ts";
import { type ChatScreen, chatScreen, keys } from "./screen.ts";
import { type Script, type ScriptedModel, scriptedModel } from "./scripted-model.ts";

// The chat as a person sees it.

let ground: Ground;
let models: ScriptedModel[] = [];
let screens: ChatScreen[] = [];

beforeEach(() => {
  ground = makeGround("terminal");
  ground.write("project/src/main.ts", "export {};\n");
  ground.write(
    "project/.skillet/skills/greet/SKILL.md",
    "---\nname: greet\ndescription: Greets people properly.\naliases: [问候]\ndescriptions:\n  zh-CN: 得体地问候别人。\n---\nSay good day.\n",
  );
  ground.write("project/.skillet/skills/bow/SKILL.md", skillText("bow", "Bows low.", "Bow."));
});
afterEach(async () => {
  for (const { chat, ended } of screens) {
    chat.agent.cancel();
    chat.leave(0);
    await ended;
  }
  screens = [];
  ground.remove();
  for (const model of models) await model.close();
  models = [];
});

async function open(script: Script, options: Parameters<typeof chatScreen>[2] = {}): Promise<ChatScreen> {
  const server = await scriptedModel(script);
  models.push(server);
  const screen = await chatScreen(ground, server, options);
  screens.push(screen);
  await screen.until("Message, / for skills");
  return screen;
}

/** The screen has exactly this row. */
function row(wanted: string): (text: string) => boolean {
  return (text) => text.split("\n").includes(wanted);
}

describe("completion", () => {
  test("lists commands and skills, finds skills anywhere in a message, and puts in the name", async () => {
    const screen = await open([]);
    screen.type("/");
    await screen.until("/help");
    expect(screen.text()).toMatch(/↓ \d+ more/);
    screen.type("gr");
    await screen.until("[Skill] Greets people properly.");
    screen.type(keys.tab);
    await screen.until(row("› /greet"));
    screen.type("and /bo");
    await screen.until("[Skill] Bows low.");
    screen.type(keys.tab);
    await screen.until(row("› /greet and /bow"));
    expect(screen.rows().slice(-3)).toMatchInlineSnapshot(`
      [
        "── build ───────────────────────────────────────────────────────────────────────",
        "› /greet and /bow",
        "test/scripted · 0% of 100k · no skills",
      ]
    `);
  });

  test("speaks the reader's language: aliases and descriptions in Chinese, the name in the message", async () => {
    const screen = await open([], { language: "zh-CN", columns: 60 });
    screen.type("/问");
    await screen.until("得体地问候别人。");
    expect(screen.rows().slice(-2)[0]).toContain("› /greet (问候)");
    screen.type(keys.tab);
    await screen.until(row("› /greet"));
  });

  test("offers files behind @, and sends them along", async () => {
    const screen = await open([{ text: "seen" }]);
    screen.type("look at @main");
    await screen.until("src/main.ts");
    screen.type(keys.tab);
    await screen.until(row("› look at @src/main.ts"));
    screen.type("and @missing.txt, @someone");
    screen.type(keys.enter);
    await screen.until("● seen");
    expect(screen.text()).toContain("  + src/main.ts");
    expect(screen.text()).toContain("@missing.txt was not attached");
    expect(screen.text()).not.toMatch(/\+ (?:missing|someone)/);
    expect(models[0]?.requests[0]?.turns[0]?.text).toContain('<attached_file path="src/main.ts">');
  });
});

describe("a conversation", () => {
  test("at 60 columns: skills by whom and why, a folded call, Markdown, the status line", async () => {
    const screen = await open(
      [
        {
          text: "I look.",
          calls: [
            { name: "bash", input: { command: "ls" } },
            { name: "skill", input: { name: "bow" } },
          ],
        },
        {
          text: "# Found\n\n- `src` with **one** file\n- 中文也可以显示得很好，并且会在正确的位置换行。\n\n```ts\nexport {};\n```\n",
        },
      ],
      { columns: 60 },
    );
    screen.type("/greet what is here?");
    screen.type(keys.enter);
    await screen.until("换行");
    await screen.until("Message, / for skills");
    expect(screen.text()).toMatchInlineSnapshot(`
      "
      › /greet what is here?
      ✦ skill greet loaded by you: your message names /greet

      ● I look.
      ✓ bash ls · exit 0
        src
      ✦ skill bow loaded by the model: the model called skill
      ✓ skill bow · loaded

      ● Found

        • src with one file
        • 中文也可以显示得很好，并且会在正确的位置换行。

          export {};
      ── build ───────────────────────────────────────────────────
      › Message, / for skills and commands, @ for files
      test/scripted · 0% of 100k · skills: bow, greet"
    `);
    expect(screen.rows().every((row) => [...row].length <= 60)).toBe(true);
  });

  test("a question shows the change, takes a word, and the model gets it", async () => {
    const screen = await open([
      { calls: [{ name: "write", input: { path: "a.txt", content: "one\ntwo\n" } }] },
      { text: "Then not." },
    ]);
    screen.type("write");
    screen.type(keys.enter);
    await screen.until("May it?");
    await screen.until("n no, stop");
    expect(screen.rows().slice(-8)).toMatchInlineSnapshot(`
      [
        "The agent wants to create a.txt",
        "    1 + one",
        "    2 + two",
        "› y yes, this time",
        "  a always in this project: changes inside this folder",
        "  w no, and say what to do instead",
        "  n no, stop",
        "test/scripted · 0% of 100k · no skills",
      ]
    `);
    screen.type("w");
    await screen.until("instead:");
    screen.type("only one line");
    screen.type(keys.enter);
    await screen.until("● Then not.");
    expect(models[0]?.requests[1]?.turns.at(-1)?.text).toContain("only one line");
  });

  test("keys typed before a question was seen never answer it", async () => {
    let time = 1_000;
    const screen = await open(
      [{ calls: [{ name: "write", input: { path: "a.txt", content: "x" } }] }, { text: "wrote" }],
      { calm: 500, now: () => time },
    );
    screen.type("write");
    screen.type(keys.enter);
    await screen.until("n no, stop");
    for (const typed of ["y", "a", "n", keys.enter]) {
      time += 400;
      screen.type(typed);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await screen.until("typed for later: yan");
    expect(screen.text()).toContain("May it?");
    time += 600;
    screen.type("y");
    await screen.until("● wrote");
    expect(ground.read("project/a.txt")).toBe("x");
  });

  test("a command that is longer than the screen says so, and can be printed whole before it is allowed", async () => {
    const command = `${Array.from({ length: 60 }, (_, at) => `echo line-${at}`).join("\n")}\nrm -rf hidden`;
    const screen = await open([{ calls: [{ name: "bash", input: { command } }] }, { text: "fine" }], {
      rows: 20,
    });
    screen.type("go");
    screen.type(keys.enter);
    await screen.until("more rows: ctrl-o prints all of it");
    expect(screen.text()).toContain("can do lasting harm");
    expect(screen.text()).not.toContain("always in this project");
    screen.type(keys.ctrlO);
    await screen.until("  rm -rf hidden");
    screen.type("n");
    await screen.until("Stopped, since you refused.");
  });

  test("esc stops an answer and keeps what came of it; what is typed meanwhile waits its turn", async () => {
    const screen = await open([{ text: "word ".repeat(2_000), pause: 10 }, { text: "second answer" }]);
    screen.type("first");
    screen.type(keys.enter);
    await screen.until("word word");
    screen.type("second");
    screen.type(keys.enter);
    await screen.until("next: second");
    screen.type(keys.escape);
    await screen.until("● second answer");
    expect(screen.text()).toContain("! Stopped.");
    expect(models[0]?.requests[1]?.turns.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
  });

  test("a live edit of a skill is said at once, and the model is told with the next message", async () => {
    const screen = await open(
      [{ calls: [{ name: "skill", input: { name: "greet" } }] }, { text: "ok" }, { text: "noted" }],
      { watch: true },
    );
    screen.type("hello");
    screen.type(keys.enter);
    await screen.until("● ok");
    ground.write("project/.skillet/skills/greet/SKILL.md", skillText("greet", "Greets kings.", "Kneel."));
    await screen.until("Skill changed on disk: greet (description");
    screen.type("go on");
    screen.type(keys.enter);
    await screen.until("● noted");
    expect(screen.text()).toContain("The model is told with this message how the skills changed.");
    expect(models[0]?.requests[2]?.turns.at(-1)?.text).toContain("Greets kings.");
  });
});

describe("panels", () => {
  test("/skills groups, filters, says why in place, and switches off and on", async () => {
    const screen = await open([], { settings: { permission: { skill: { bow: "deny" } } } });
    screen.type("/skills");
    screen.type(keys.enter);
    await screen.until("Skills ·");
    expect(screen.text()).toContain("User · 2");
    expect(screen.text()).toMatch(/bow +○ denied by a rule · workspace/);
    screen.type("gre");
    await screen.until("matching “gre”: 1");
    screen.type(keys.enter);
    await screen.until("why greet");
    expect(screen.text()).toContain('"greet" is offered');
    screen.type(keys.enter);
    await screen.until("matching “gre”: 1");
    screen.type(keys.tab);
    await screen.until(/greet +○ off/);
    screen.type(keys.tab);
    await screen.until(/greet +● available/);
    // What the user did is said once.
    expect(screen.text()).not.toContain("Skill changed on disk");
    screen.type(keys.escape);
    await screen.until((text) => !text.includes("matching"));
    screen.type("bow");
    await screen.until("matching “bow”: 1");
    screen.type(keys.tab);
    await screen.until("A rule denies bow, so on and off change nothing");
  });

  test("skills for another agent come last and say which one, also in why", async () => {
    for (const name of ["compose:ask", "aaa"])
      ground.write(`project/.skillet/skills/${name.replace(":", "-")}/SKILL.md`, skillText(name, "x", "x"));
    const screen = await open([], { settings: { permission: { skill: { "compose:*": "deny" } } } });
    screen.type("/skills");
    screen.type(keys.enter);
    await screen.until(/compose:ask +○ for \/agent compose/);
    screen.type("ask");
    await screen.until("matching “ask”: 1");
    screen.type(keys.enter);
    await screen.until("→ /agent compose, which it is meant for");
  });

  test("/permissions lists what is always allowed, and takes it back", async () => {
    const touch = { name: "bash", input: { command: "touch a.txt" } };
    const screen = await open([{ calls: [touch] }, { text: "one" }, { calls: [touch] }, { text: "two" }]);
    screen.type("go");
    screen.type(keys.enter);
    await screen.until("a always in this project: exactly touch a.txt");
    screen.type("a");
    await screen.until("● one");
    screen.type("/permissions");
    screen.type(keys.enter);
    await screen.until(/bash +exactly touch a\.txt/);
    screen.type(keys.enter);
    await screen.until("No longer always allowed: exactly touch a.txt");
    screen.type("again");
    screen.type(keys.enter);
    await screen.until("May it?");
    screen.type("n");
    await screen.until("Stopped, since you refused.");
  });

  test("/model, /agent, /cost and /help", async () => {
    const screen = await open([{ text: "hi" }], {
      settings: {
        model: "test/scripted",
      },
    });
    for (const [command, wanted] of [
      ["/agent plan", "From the next message on: the plan agent."],
      ["/cost", "No price is known"],
      ["/help", "shift-tab switches between plan and build"],
      ["/model openai/x", "OPENAI_API_KEY is not set"],
    ] as const) {
      screen.type(command);
      screen.type(keys.enter);
      await screen.until(wanted);
    }
    screen.type("/model");
    screen.type(keys.enter);
    await screen.until("── Models");
    expect(screen.text()).toContain("test/scripted");
  });
});

describe("typing", () => {
  test("several lines, a long paste as a mark, the two keys that delete, earlier messages", async () => {
    const screen = await open([{ text: "got it" }, { text: "again" }]);
    screen.type("one");
    screen.type(keys.ctrlJ);
    screen.type("two");
    await screen.until((text) => /› one\n {2}two/.test(text));
    screen.type(keys.left);
    screen.type(keys.left);
    screen.type(keys.delete);
    await screen.until((text) => /› one\n {2}to/.test(text));
    screen.type(keys.backspace);
    await screen.until((text) => /› one\n {2}o/.test(text));
    screen.type(`xyz${keys.backspace.repeat(3)}`);
    await screen.until((text) => /› one\n {2}o/.test(text));
    screen.type(keys.paste(Array.from({ length: 12 }, (_, at) => `line ${at}`).join("\r")));
    await screen.until("[pasted text 1, 12 lines]");
    screen.type(keys.enter);
    await screen.until("● got it");
    expect(models[0]?.requests[0]?.turns[0]?.text).toContain("line 0\nline 1\n");
    expect(screen.text()).toContain("more lines …");
    screen.type(keys.up);
    await screen.until(/› \[earlier message, \d+ lines\]/);
    screen.type(keys.enter);
    await screen.until("● again");
    expect(models[0]?.requests[1]?.turns.at(-1)?.text).toContain("line 0\nline 1\n");
  });

  test("esc twice clears, ctrl-y puts back, ctrl-r finds an earlier message", async () => {
    const screen = await open([{ text: "got it" }]);
    screen.type("find the needle");
    screen.type(keys.enter);
    await screen.until("● got it");
    screen.type("half a thought");
    await screen.until("› half a thought");
    screen.type(keys.escape);
    await new Promise((resolve) => setTimeout(resolve, 150));
    screen.type(keys.escape);
    await screen.until("› Message, / for skills");
    screen.type(keys.ctrlY);
    await screen.until("› half a thought");
    screen.type(keys.ctrlR);
    await screen.until("── Earlier messages");
    screen.type("needle");
    await screen.until("matching “needle”: 1");
    screen.type(keys.enter);
    await screen.until(row("› find the needle"));
  });

  test("a mark that ends a paste inside of one stays no text", async () => {
    const screen = await open([]);
    screen.type("\u001b[200~one\u001b[201~");
    screen.type("\u001b[201~");
    screen.type(" two");
    await screen.until(row("› one two"));
  });

  test("the cursor stands where the next character comes, also behind wide ones", async () => {
    const screen = await open([], { columns: 40 });
    screen.type("你好");
    await screen.until("› 你好");
    await screen.until(() => screen.cursor().x === 6);
    expect(screen.rows()[screen.cursor().y]).toBe("› 你好");
  });
});

test("a session of two thousand messages opens with its end, and goes on", async () => {
  const server = await scriptedModel(() => ({ text: "fresh answer" }));
  models.push(server);
  const first = ground.start(server);
  await first.agent.submit("message 0");
  const { path } = first.file;
  first.agent.close();
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const lines = Array.from({ length: 999 }, (_, at) => [
    {
      type: "user",
      at: "x",
      text: `message ${at + 1}`,
      parts: [{ text: `message ${at + 1}`, origin: "user" }],
      images: [],
      files: [],
    },
    { type: "assistant", model: "test/scripted", parts: [{ type: "text", text: `answer ${at + 1}` }], usage },
  ]).flat();
  appendFileSync(path, `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`);
  const screen = await chatScreen(ground, server, { resume: "last" });
  screens.push(screen);
  await screen.until("● answer 999");
  expect(screen.text()).toContain("1960 earlier entries of this session are not shown.");
  screen.type("and now");
  screen.type(keys.enter);
  await screen.until("● fresh answer");
  expect(server.requests.at(-1)?.turns).toHaveLength(2_001);
});

describe("the terminal", () => {
  test("is left as it was found: ctrl-c asks once, then raw mode and paste marks are off", async () => {
    const screen = await open([]);
    expect(screen.rawMode).toBe(true);
    screen.type("half");
    await screen.until("› half");
    screen.type(keys.ctrlC);
    await screen.until("Message, / for skills");
    screen.type(keys.ctrlC);
    await screen.until("Press ctrl-c once more to leave.");
    screen.type(keys.ctrlC);
    expect(await screen.ended).toEqual({ exitCode: 0, next: null });
    expect(screen.rawMode).toBe(false);
    expect(screen.written().trimEnd().endsWith("\u001b[?2004l\u001b[?25h")).toBe(true);
  });

  test("a narrower window is drawn anew, without rests of the old one", async () => {
    const screen = await open(
      [{ text: "A sentence that is long enough to be broken in two at sixty columns, for sure." }],
      { columns: 100 },
    );
    screen.type("hello");
    screen.type(keys.enter);
    await screen.until("for sure.");
    screen.resize(50, 16);
    await screen.until(
      (text) => text.split("\n").every((row) => row.length <= 50) && text.includes("› Message"),
    );
    const shown = screen.rows().slice(-16).join("\n");
    expect(shown.match(/› Message/g)).toHaveLength(1);
  });

  test("colours are sent only where they are wanted, and text of a model moves no cursor", async () => {
    const evil = "\u001b[2J\u001b]0;title\u0007red";
    const plain = await open([{ text: evil }], { colored: false });
    plain.type("x");
    plain.type(keys.enter);
    await plain.until("red");
    expect(plain.written()).not.toMatch(/\u001b\[[0-9;]*m/);
    expect(plain.written()).not.toContain("\u001b]0;");
    expect(plain.text()).toContain("\\u{1b}[2J");
    const colored = await open([{ text: "**bold**" }], { colored: true });
    colored.type("x");
    colored.type(keys.enter);
    await colored.until("bold");
    expect(colored.written()).toMatch(/\u001b\[1m/);
  });
});
