import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createSearchIndex,
  createSkillsRegistry,
  type OpenOptions,
  openSession,
  openSkills,
  pullSkills,
  SkilletError,
} from "../../src/index.ts";

const place = realpathSync(mkdtempSync(join(tmpdir(), "skillet-examples-")));
const cwd = join(place, "shop");
const home = join(place, "home");

beforeAll(() => {
  mkdirSync(home);
  mkdirSync(join(cwd, ".claude/skills/deploy"), { recursive: true });
  writeFileSync(
    join(cwd, ".claude/skills/deploy/SKILL.md"),
    "---\nname: deploy\ndescription: Deploy the shop.\n---\n\nPush the button.\n",
  );
});
beforeAll(() => {
  mkdirSync(join(cwd, ".claude/skills/status"), { recursive: true });
  writeFileSync(
    join(cwd, ".claude/skills/status/SKILL.md"),
    "---\nname: status\ndescription: Where things are.\n---\n\nNow: !`git status --short`\n",
  );
});
afterAll(() => rmSync(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }));

const AsyncFunction = (async () => {}).constructor as new (
  ...texts: string[]
) => (...values: readonly unknown[]) => Promise<void>;

/** What an example prints, run in a small project as it stands in the page. */
async function printed(example: string): Promise<string> {
  const lines: string[] = [];
  const body = example.replace(/^import .* from "skillet";$/m, "");
  expect(body, "it imports from the package alone").not.toMatch(/^import /m);
  const here = (options: OpenOptions): OpenOptions => ({ home, data: join(place, "data"), ...options });
  const registry = () => {
    const made = createSkillsRegistry();
    const open = (options: OpenOptions) => made.open(here(options));
    return Object.defineProperty({ open }, "size", { get: () => made.size });
  };
  const names = [
    "openSkills",
    "openSession",
    "createSkillsRegistry",
    "createSearchIndex",
    "SkilletError",
    "pullSkills",
    "process",
    "console",
  ];
  const run = new AsyncFunction(...names, body);
  const shown = (value: unknown) => (typeof value === "object" ? JSON.stringify(value) : String(value));
  const log = (...values: readonly unknown[]) => void lines.push(values.map(shown).join(" "));
  const open = (options: OpenOptions) => openSkills(here(options));
  await run(
    open,
    openSession,
    registry,
    createSearchIndex,
    SkilletError,
    pullSkills,
    { cwd: () => cwd },
    { log },
  );
  return lines.join("\n");
}

const examples = ["README.md", "docs/library.md", "docs/sessions.md"].flatMap((page) => {
  const text = readFileSync(new URL(`../../${page}`, import.meta.url), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code = ""], at) => [`${page} ${at + 1}`, code]);
});

const answers: Readonly<Record<string, RegExp>> = {
  "README.md 1": /Push the button\..*not trusted yet/s,
  "docs/library.md 1": /^kept back deploy .*SKILL\.md$/m,
  "docs/library.md 2": /Deploy the shop\..*Push the button\./s,
  "docs/library.md 3": /^offered "deploy" is offered/,
  "docs/library.md 4": /^1 found\n0$/,
  "docs/library.md 5": /^deploy true "deploy" in the name; .*"term":"deploy","field":"name".*\ndeploy$/,
  "docs/library.md 6": /^1 oven$/,
  "docs/library.md 7": /^environment There is no folder .*no-such-folder$/,
  "docs/library.md 8": /^$/,
  "docs/sessions.md 1":
    /Push the button\..*loaded earlier in this conversation.*deploy model text \d+\ndeploy model note \d+$/s,
  "docs/sessions.md 2": /shortened\. .*Push the button\..*deploy full \d+ $/s,
  "docs/sessions.md 3": /^baseline .*Deploy the shop\..*\nunchanged true null$/s,
  "docs/sessions.md 4":
    /^\{"commands":\["git status --short"\],"policy":"ask","trusted":true\}\nstatus wants to run: git status --short\n.*Now: !`git/s,
};

test("every example has an answer to give", () => {
  expect(examples.map(([name]) => name)).toEqual(Object.keys(answers));
});

test.each(examples)("%s runs", async (name = "", code = "") => {
  expect(await printed(code)).toMatch(answers[name] ?? /^$/);
});
