import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ground, makeGround, skillText } from "./ground.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";
import { hasTmux, openTmux, type Tmux } from "./tmux.ts";

// The tour of docs/agent.md, in a real terminal: with RECORD_TOUR=FILE its screens are written there.

const skillet = fileURLToPath(new URL("../../src/bin/skillet.ts", import.meta.url));

let ground: Ground;
let server: ScriptedModel;
let terminal: Tmux;
const screens: { readonly title: string; readonly screen: string }[] = [];

function record(title: string, screen: string): void {
  const tidy = screen
    .replaceAll(ground.place, "~")
    .replace(/\d{8}-\d{6}-[0-9a-f]{6}/g, "20260504-101500-3f9a1c");
  screens.push({ title, screen: tidy.replace(/\n{2,}/g, "\n\n") });
}

describe.skipIf(!hasTmux)(hasTmux ? "the tour" : "the tour [tmux is not installed]", () => {
  beforeAll(async () => {
    ground = makeGround("tour");
    const git = (...args: readonly string[]) =>
      execFileSync("git", args, { cwd: ground.project, stdio: "ignore" });
    ground.write("project/README.md", "# shop\n");
    execFileSync("rm", ["-rf", `${ground.project}/.git`]);
    git("init", "-q", "-b", "main");
    git("add", "README.md");
    git("commit", "-qm", "Add payment by invoice");
    ground.write(
      "project/.skillet/skills/release-notes/SKILL.md",
      skillText(
        "release-notes",
        "Write release notes from the commits since the last tag.",
        "Group by what users notice.",
      ),
    );
    ground.write(
      "project/.skillet/skills/house-style/SKILL.md",
      skillText(
        "house-style",
        "How texts of this shop are written.",
        "Short sentences. No exclamation marks.",
      ),
    );
    ground.write(
      "home/.config/skillet/skills/pdf-press/SKILL.md",
      skillText("pdf-press", "Turn Markdown into a PDF with the shop's letterhead.", "Run press.sh."),
    );
    server = await scriptedModel((request) => {
      const last = request.turns.at(-1);
      const said = request.turns.findLast(({ role }) => role === "user")?.text ?? "";
      const calls = request.turns
        .slice(request.turns.findLastIndex(({ role }) => role === "user"))
        .flatMap((turn) => turn.calls);
      if (/v2\.1/.test(said))
        return calls.length === 0
          ? {
              text: "I look at what happened since the last tag.",
              calls: [{ name: "bash", input: { command: "git log --oneline" } }],
            }
          : {
              text: "## v2.1\n\n- **Invoices**: customers can pay by invoice.\n\nNothing else that users notice.",
            };
      if (/PDF/.test(said)) {
        if (calls.length === 0) return { calls: [{ name: "skill_search", input: { query: "pdf-press" } }] };
        return { text: "The letterhead skill is at hand; I would run `press.sh notes.md`." };
      }
      return {
        text:
          last?.text.includes("have changed") === true
            ? "Understood: the skill asks for one line a change now."
            : "Done.",
      };
    });
    ground.write(
      "home/.config/skillet/skillet.jsonc",
      JSON.stringify({
        model: "local/small",
        permission: { skill: { "pdf-press": "ask" } },
        providers: { local: { url: server.url, models: { small: { window: 32_000 } } } },
      }),
    );
    const place = `--cwd ${ground.project} --home ${ground.home} --data ${ground.data} --trust`;
    terminal = openTmux(`${process.execPath} --import tsx ${skillet} chat ${place}; stty -a; sleep 600`, {
      columns: 78,
      rows: 30,
      env: {
        CI: "",
        SKILLET_DISABLE_BUILTIN_SKILLS: "1",
        LC_ALL: "C.UTF-8",
        HOME: ground.home,
        TERM: "xterm-256color",
      },
    });
    await terminal.until("Message, / for skills");
  });
  afterAll(async () => {
    const file = process.env.RECORD_TOUR;
    if (file !== undefined && file !== "")
      writeFileSync(
        file,
        screens.map(({ title, screen }) => `${title}\n\n\`\`\`text\n${screen}\n\`\`\`\n`).join("\n"),
      );
    terminal.close();
    await server.close();
    ground.remove();
  });

  test("completion after a slash", async () => {
    terminal.type("/re");
    record("Typing `/re` lists commands and skills.", await terminal.until("[Skill] Write release notes"));
    terminal.keys("BSpace", "BSpace", "BSpace");
  });

  test("a message that names two skills", async () => {
    terminal.type("/release-notes and /house-style for v2.1");
    terminal.keys("Enter");
    await terminal.until("Nothing else that users notice.");
    const screen = await terminal.until("Message, / for skills");
    expect(screen).toContain("skill release-notes loaded by you");
    expect(screen).toContain("skill house-style loaded by you");
    expect(screen).toContain("✓ bash git log --oneline · exit 0");
    record("A message names two skills; both go along with it, and the line of each says why.", screen);
    expect(server.requests[0]?.turns[0]?.text).toContain(
      "This message calls several skills: release-notes, house-style.",
    );
  });

  test("a skill that the search finds is loaded after a question", async () => {
    terminal.type("now a PDF of it");
    terminal.keys("Enter");
    const asked = await terminal.until("n no, stop");
    expect(asked).toContain("The agent wants to load the skill pdf-press");
    record(
      "The model searches for a skill; a rule says that this one is asked for.",
      asked.split("\n").slice(-16).join("\n"),
    );
    // A question takes no answer right after it appeared.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    terminal.keys("y");
    await terminal.until("I would run press.sh notes.md");
    const screen = await terminal.until("Message, / for skills");
    expect(screen).toMatch(/skill pdf-press loaded by the model/);
    record("Answered with `y`.", screen.split("\n").slice(-14).join("\n"));
  });

  test("a live edit of a skill is announced, to the user at once and to the model with the next message", async () => {
    ground.write(
      "project/.skillet/skills/release-notes/SKILL.md",
      skillText("release-notes", "Write release notes, one line a change.", "One line a change."),
    );
    await terminal.until("Skill changed on disk: release-notes");
    terminal.type("shorten it");
    terminal.keys("Enter");
    await terminal.until("one line a change now.");
    const screen = await terminal.until("Message, / for skills");
    expect(screen).toContain("The model is told with this message how the skills changed.");
    record("Somebody edits a skill's file meanwhile.", screen.split("\n").slice(-16).join("\n"));
  });

  test("/skills says why a skill is here, in place", async () => {
    terminal.type("/skills house");
    terminal.keys("Enter");
    const list = await terminal.until("matching “house”");
    record("`/skills house`.", list.split("\n").slice(-6).join("\n"));
    terminal.keys("Enter");
    const why = await terminal.until("why house-style");
    expect(why).toContain('"house-style" is offered');
    record("Enter says why.", why.slice(why.indexOf("── why")));
    terminal.keys("Escape");
    await terminal.until("matching “house”");
    terminal.keys("Escape");
    await terminal.until(/Skills · \d+ ─/);
    terminal.keys("Escape");
    await terminal.until("Message, / for skills");
  });

  test("a narrower window, and ctrl-c twice leaves the terminal as it was", async () => {
    terminal.resize(60, 20);
    await terminal.until("Message, / for skills");
    terminal.keys("C-c");
    await terminal.until("Press ctrl-c once more to leave.");
    terminal.keys("C-c");
    const after = await terminal.until("-ixoff");
    expect(after).toMatch(/ icanon /);
    expect(after).toMatch(/ echo /);
  });
});
