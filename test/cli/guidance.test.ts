import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, sandbox, skill } from "./run-skillet.ts";

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
  box.write({
    "~/.config/skillet/skillet.jsonc": '{ "skills": { "builtin": false } }',
    ".opencode/skills/deploy/SKILL.md": skill("deploy", "Deploy the shop."),
    ".opencode/skills/stock/SKILL.md": skill("stock", "Count the stock."),
  });
});
afterEach(() => box.remove());

const state = () => join(box.folder, "turn.json");
const turn = (...more: readonly string[]) =>
  box.run(["guidance", "--trust", "--before", state(), "--after", state(), ...more]);
const add = () => box.write({ ".opencode/skills/new/SKILL.md": skill("new", "Brand new.") });

describe("guidance", () => {
  test("begins with the catalog, says nothing while nothing changes, then what changed", async () => {
    const catalog = await box.run(["catalog", "--trust"]);
    const first = await turn();
    expect([first.code, first.stdout]).toEqual([0, catalog.stdout]);
    expect(first.stderr).toContain("the beginning of a conversation");
    const bytes = readFileSync(state());
    const second = await turn();
    expect([second.code, second.stdout]).toEqual([0, ""]);
    expect(second.stderr).toContain("Nothing changed.");
    expect(readFileSync(state()).equals(bytes), "equal bytes").toBe(true);
    add();
    const third = await turn();
    expect(third.stdout).toBe(
      'The available skills have changed.\nNew, besides those in the list:\n<skill name="new">Brand new.</skill>\n',
    );
    const json = (await turn("--json")).json() as { readonly system: string };
    expect(json).toMatchObject({
      version: 1,
      profile: "skillet",
      agent: null,
      epoch: 1,
      kind: "unchanged",
      text: null,
    });
    expect(`${json.system}\n`).toBe(catalog.stdout);
  });

  test("another agent begins an epoch", async () => {
    await turn();
    expect((await turn("--agent", "plan", "--json")).json()).toMatchObject({
      kind: "baseline",
      epoch: 2,
      agent: "plan",
    });
  });

  test("OpenCode's second generation, to the letter", async () => {
    const as = ["--as", "opencode-v2@seed"];
    const { stdout } = await turn(...as, "--raw");
    expect(stdout).toBe((await box.run(["catalog", "--raw", ...as])).stdout);
    add();
    const whole = (await box.run(["catalog", "--raw", ...as])).stdout;
    const update = await turn(...as, "--raw");
    expect(update.stdout).toBe(
      `The available skills have changed. This list supersedes the previous available skills list.\n${whole}`,
    );
    box.write({ "opencode.json": '{ "permission": { "skill": "deny" } }' });
    expect((await turn(...as)).stdout).toBe(
      "Skill guidance is no longer available. Do not use any previously listed skill.\n",
    );
  });

  test("a file that holds no state begins an epoch and says so", async () => {
    writeFileSync(state(), "{ broken");
    const { code, stdout, stderr } = await turn();
    expect([code, stdout.includes("<available_skills>")]).toEqual([0, true]);
    expect(stderr).toContain("holds no state");
    expect((await box.run(["guidance", "--before", box.folder])).code).toBe(2);
  });
});

describe("what a session would run", () => {
  test("is listed, and nothing runs", async () => {
    const canary = join(box.folder, "ran");
    box.write({
      ".claude/skills/log/SKILL.md": `---\nname: log\ndescription: x\n---\nNow: !\`touch ${canary}\`\n\`\`\`!\necho one\necho two\n\`\`\`\n`,
    });
    const { stdout, stderr } = await box.run(["load", "log", "--dry-run", "--trust"]);
    expect(stdout).toBe(`touch ${canary}\necho one\necho two\n`);
    expect(stderr).toContain("None of them runs: `policy.commands` is off.");
    expect((await box.run(["load", "log", "--dry-run", "--json"])).json()).toMatchObject({
      name: "log",
      commands: [`touch ${canary}`, "echo one\necho two"],
      policy: "off",
      trusted: false,
    });
    box.write({ "~/.config/skillet/skillet.jsonc": '{ "policy": { "commands": "allow" } }' });
    expect((await box.run(["load", "log", "--dry-run", "--trust"])).stderr).toContain("A session runs them.");
    expect((await box.run(["load", "log", "--trust"])).stdout).toContain("!`touch");
    expect(() => readFileSync(canary)).toThrow();
    expect((await box.run(["load", "absent", "--dry-run"])).code).toBe(3);
  });
});
