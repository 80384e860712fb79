import { spawn } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type ModelServer, startModelServer } from "../support/model-server/start-model-server.ts";
import { layOutPackage } from "../support/packed-package.ts";

// Every example of the adapters, as printed, in a new folder with the packed package and the SDK that it names.

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), "skillet-examples-")));
const home = join(folder, "home");
const frameworks = ["openai", "@anthropic-ai/sdk", "ai", "@ai-sdk/openai"];

let server: ModelServer;

beforeAll(async () => {
  mkdirSync(join(home, ".claude/skills/deploy/scripts"), { recursive: true });
  writeFileSync(
    join(home, ".claude/skills/deploy/SKILL.md"),
    "---\nname: deploy\ndescription: Deploy the shop.\nargument-hint: where\n---\n\nPush the button.\n",
  );
  writeFileSync(join(home, ".claude/skills/deploy/scripts/push.sh"), "true\n");
  layOutPackage(folder, { also: frameworks });
  writeFileSync(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  // Loads the skill, then answers.
  server = await startModelServer(({ body }) =>
    JSON.stringify(body).includes("Push the button.")
      ? { text: "The shop is deployed." }
      : { calls: [{ name: "skill", input: { name: "deploy" } }] },
  );
}, 240_000);
beforeEach(() => {
  (server.requests as unknown[]).length = 0;
});
afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
});

const pages = [
  "README.md",
  ...readdirSync(join(root, "docs/adapters")).map((name) => `docs/adapters/${name}`),
].sort();
const examples = pages.flatMap((page) => {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^```js\n(.*?)^```/gms)].map(
    ([, code = ""], at) => [`${page} ${at + 1}`, code] as const,
  );
});

function run(
  code: string,
): Promise<{ readonly status: number | null; readonly stdout: string; readonly stderr: string }> {
  const file = join(folder, "example.js");
  writeFileSync(file, code);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [file], {
      cwd: folder,
      env: {
        PATH: process.env.PATH,
        HOME: home,
        OPENAI_API_KEY: "none",
        OPENAI_BASE_URL: server.url,
        ANTHROPIC_API_KEY: "none",
        ANTHROPIC_BASE_URL: server.origin,
      },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("close", (status) => resolve({ status, stdout, stderr }));
  });
}

const withoutModel: Readonly<Record<string, RegExp>> = {
  "README.md 4":
    /^skill \{.*"enum".*\nskill_search .*\nread_skill_file .*\nfalse <skill_content name="deploy">\nPush the button\./s,
  "docs/adapters/json-schema.md 1":
    /skill_search .*\nfalse <skill_content name="deploy">\nPush the button\./s,
  "docs/adapters/anthropic.md 3":
    /^Left out.*argument-hint.\ndeploy\/SKILL\.md deploy\/scripts\/push\.sh \d+\n\d+\n$/,
};

test("there is an example for every adapter in the README", () => {
  const code = examples.filter(([name]) => name.startsWith("README.md")).map(([, text]) => text);
  for (const entry of ["skillet/ai-sdk", "skillet/openai", "skillet/anthropic"])
    expect(
      code.filter((text) => text.includes(`from "${entry}"`)),
      entry,
    ).toHaveLength(1);
});

test.each(examples)("%s", async (name, code) => {
  const { status, stdout, stderr } = await run(code);
  expect([status, stderr]).toEqual([0, ""]);
  const wanted = withoutModel[name];
  if (wanted !== undefined) {
    expect(stdout).toMatch(wanted);
    return;
  }
  expect(stdout).toContain("The shop is deployed.");
  expect(server.requests).toHaveLength(2);
  const [first] = server.requests;
  expect(JSON.stringify(first?.body)).toContain('<skill name=\\"deploy\\">Deploy the shop.</skill>');
  expect(first?.body.tools).toHaveLength(3);
});

test("the adapters load without any framework", async () => {
  const bare = join(folder, "bare");
  mkdirSync(bare);
  layOutPackage(bare, {
    without: ["ai", "@ai-sdk/openai", "@ai-sdk/anthropic", "@ai-sdk/openai-compatible", "zod"],
  });
  writeFileSync(join(bare, "package.json"), '{ "type": "module" }\n');
  const file = join(bare, "bare.js");
  const names = ["skillet", "skillet/ai-sdk", "skillet/openai", "skillet/anthropic"];
  writeFileSync(
    file,
    `${names.map((name) => `await import("${name}");`).join("\n")}\nconsole.log("loaded");\n`,
  );
  const status = await new Promise<string>((resolve) => {
    const child = spawn(process.execPath, [file], { cwd: bare, env: { PATH: process.env.PATH, HOME: home } });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    child.on("close", () => resolve(output));
  });
  expect(status).toBe("loaded\n");
});
