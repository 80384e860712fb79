import { symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Anthropic from "@anthropic-ai/sdk";
import { unzipSync } from "fflate";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { skillBundle } from "../../src/adapters/anthropic.ts";
import { type SkillPlace, skillPlace } from "../support/skill-place.ts";

let place: SkillPlace;
beforeEach(() => {
  place = skillPlace();
});
afterEach(() => place.remove());

const binary = Uint8Array.from([0, 13, 10, 255, 13, 10, 0]);

function deploy(): void {
  place.skill("deploy", "# Steps\n\nPush <the> button.", [
    "description: Deploys the shop.",
    "license: MIT",
    "allowed-tools: Read, Bash(git *)",
    "argument-hint: [where]",
    "metadata:",
    '  version: "1.0"',
  ]);
  place.write("shop/.claude/skills/deploy/scripts/run.sh", "#!/bin/sh\r\necho\n");
  place.write("shop/.claude/skills/deploy/logo.bin", binary);
  place.write("shop/.claude/skills/deploy/node_modules/x/index.js", "no");
}

const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

test("a bundle is SKILL.md with the allowed fields and every file, byte for byte", async () => {
  deploy();
  const bundle = skillBundle(place.open(), "deploy");
  expect(bundle.files.map(({ path }) => path)).toEqual([
    "deploy/SKILL.md",
    "deploy/logo.bin",
    "deploy/scripts/run.sh",
  ]);
  expect(bundle.problems).toEqual([]);
  expect(bundle.changes).toEqual(["Left out, because an upload may not have them: argument-hint."]);
  const manifest = textOf(bundle.files[0]?.bytes);
  const [, frontmatter = ""] = /^---\n([\s\S]*?)---\n/.exec(manifest) ?? [];
  expect(parse(frontmatter)).toEqual({
    name: "deploy",
    description: "Deploys the shop.",
    license: "MIT",
    "allowed-tools": "Read Bash(git *)",
    metadata: { version: "1.0" },
  });
  expect(manifest).toMatch(/---\n\n# Steps\n\nPush <the> button\.\n$/);
  const zip = await bundle.zip();
  expect(await skillBundle(place.open(), "deploy").zip()).toEqual(zip);
  const unpacked = unzipSync(zip);
  expect(unpacked["deploy/logo.bin"]).toEqual(binary);
  expect(textOf(unpacked["deploy/scripts/run.sh"])).toBe("#!/bin/sh\r\necho\n");
});

test("what an upload refuses is changed and said, or named as a problem", () => {
  place.skill("Über_Größe & Co", "x", ["description: Uses <b>tags</b>", `when_to_use: ${"w".repeat(10)}`]);
  place.skill("claude-helper", "x", ["description: y"]);
  place.skill("数据", "x", [`description: ${"d".repeat(2_000)}`]);
  const skills = place.open();
  const odd = skillBundle(skills, "Über_Größe & Co");
  expect([odd.name, odd.problems]).toEqual(["uber-gro-e-co", []]);
  expect(odd.changes).toEqual([
    'The name "Über_Größe & Co" becomes "uber-gro-e-co".',
    "Angle brackets in the description become blanks.",
    "Left out, because an upload may not have them: when_to_use.",
  ]);
  expect(skillBundle(skills, "claude-helper").problems).toEqual([
    'The name "claude-helper" has the reserved word "claude".',
  ]);
  const chinese = skillBundle(skills, "数据");
  expect(chinese.problems[0]).toMatch(/No name can be made of/);
  expect(chinese.changes).toContain("The description is cut after 1024 characters.");
});

test("links that lead out are left out; what a user may not load is not exported", () => {
  deploy();
  place.write("shop/secret.txt", "secret");
  symlinkSync(join(place.cwd, "secret.txt"), join(place.cwd, ".claude/skills/deploy/link.txt"));
  place.settings({ permission: { skill: { stock: "deny" } } });
  place.skill("stock", "x");
  const skills = place.open();
  const { files, changes } = skillBundle(skills, "deploy");
  expect(files.some(({ bytes }) => textOf(bytes).includes("secret"))).toBe(false);
  expect(changes.join(" ")).toContain("link.txt is left out");
  expect(() => skillBundle(skills, "stock")).toThrow(expect.objectContaining({ code: "denied" }));
  expect(() => skillBundle(skills, "absent")).toThrow(expect.objectContaining({ code: "not-found" }));
});

test("the SDK uploads it as it is", async () => {
  deploy();
  const received: [path: string, bytes: number][] = [];
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const type = incoming.headers["content-type"] ?? "";
    const form = await new Response(Buffer.concat(chunks), { headers: { "content-type": type } }).formData();
    for (const [, value] of form) if (value instanceof File) received.push([value.name, value.size]);
    outgoing.setHeader("content-type", "application/json");
    outgoing.end(JSON.stringify({ id: "skill_1", type: "skill", display_name: "deploy" }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const client = new Anthropic({ baseURL: `http://127.0.0.1:${port}`, apiKey: "none", maxRetries: 0 });
    const bundle = skillBundle(place.open(), "deploy");
    const skill = await client.beta.skills.create({ files: bundle.uploads() });
    expect(skill.id).toBe("skill_1");
    expect(received).toEqual(bundle.files.map(({ path, bytes }) => [path, bytes.length]));
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
