import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sandbox, skill } from "./run-skillet.ts";

// The shapes that scripts rely on (docs/cli.md, "JSON shapes"): keys and kinds are frozen here; values are elsewhere.
const place = sandbox();

beforeAll(() => {
  place.write({
    ".agents/skills/pdf/SKILL.md": skill("pdf", "Fill in PDF forms. Use for PDF files."),
    ".agents/skills/pdf/scripts/fill.py": "print('fill')\n",
    ".agents/skills/notes/SKILL.md": "---\nname: notes\ndescription: Use when: notes are wanted\n---\nText\n",
    ".claude/skills/pdf/SKILL.md": skill("pdf", "Another one."),
    ".agents/skills/binary/SKILL.md": new Uint8Array([0, 1, 2, 3, 0]),
    "~/.agents/skills/mine/SKILL.md": skill("mine", "Of the user."),
  });
});
afterAll(() => place.remove());

/** Keys and kinds of a value; of a list those of its first entry. */
function shape(value: unknown): unknown {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? [] : [shape(value[0])];
  if (typeof value !== "object") return typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shape(inner)]));
}

async function json(...args: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout, stderr } = await place.run([...args, "--json", "--trust"]);
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

const diagnostic = {
  code: "string",
  profileCode: "null",
  severity: "string",
  message: "string",
  path: "string",
  range: { line: "number", column: "number", endLine: "number", endColumn: "number" },
  hint: "string",
};

describe("version 1 of", () => {
  it("list", async () => {
    const list = await json("list");
    const { diagnostics, ...rest } = list;
    expect(shape(rest)).toEqual({
      version: "number",
      profile: "string",
      cwd: "string",
      skills: [
        {
          name: "string",
          title: expect.stringMatching(/null|string/),
          description: "string",
          location: "string",
          directory: "string",
          scope: "string",
          source: "string",
          priority: "null",
          aliases: [],
          displayNames: {},
          descriptions: {},
          allowedTools: [],
          bundled: "boolean",
          modelInvocable: "boolean",
          userInvocable: "boolean",
          enabled: "boolean",
          trusted: "boolean",
          digest: "string",
        },
      ],
      shadowed: [
        {
          name: "string",
          location: "string",
          scope: "string",
          source: "string",
          digest: "string",
          winner: "string",
          reason: "string",
          message: "string",
        },
      ],
      hidden: [],
      skipped: [{ path: "string", reason: "string", message: "string" }],
    });
    const colon = (diagnostics as Record<string, unknown>[]).find(
      ({ code }) => code === "frontmatter/unquoted-colon",
    );
    expect(Object.keys(colon ?? {})).toEqual(Object.keys(diagnostic));
    expect(colon).toMatchObject({ severity: "warning", range: { line: 3 } });
    expect(list).toMatchObject({ version: 1, profile: "skillet", cwd: place.project });
  });

  it("show", async () => {
    expect(Object.keys(await json("show", "pdf"))).toEqual(
      expect.arrayContaining([
        "version",
        "profile",
        "name",
        "location",
        "digest",
        "files",
        "body",
        "permission",
      ]),
    );
    expect(await json("show", "pdf", "--file", "scripts/fill.py")).toMatchObject({
      path: "scripts/fill.py",
      encoding: "utf-8",
      content: "print('fill')\n",
    });
  });

  it("why", async () => {
    const why = await json("why", "pdf", "--for", "fill in a form");
    expect(shape(why)).toEqual({
      version: "number",
      profile: "string",
      name: "string",
      verdict: "string",
      catalog: "string",
      summary: "string",
      steps: [{ stage: "string", outcome: "string", reason: "string", path: "string", message: "string" }],
      nearest: [],
      next: expect.stringMatching(/null|string/),
      notes: [],
    });
    expect(why).toMatchObject({ name: "pdf", verdict: "offered", catalog: "full" });
    expect(await json("why", "pfd")).toMatchObject({
      verdict: "absent",
      catalog: "absent",
      nearest: ["pdf"],
    });
  });

  it("catalog", async () => {
    expect(shape(await json("catalog"))).toEqual({
      version: "number",
      profile: "string",
      text: "string",
      tokens: "number",
      budget: "number",
      overflow: "string",
      skills: [{ name: "string", state: "string", tokens: "number", reason: "null" }],
    });
  });

  it("search", async () => {
    const result = {
      name: "string",
      location: "string",
      score: "number",
      probability: "number",
      reason: "string",
    };
    const envelope = { version: "number", profile: "string", query: "string", fits: "boolean" };
    expect(shape(await json("search", "pdf", "form"))).toEqual({
      ...envelope,
      results: [result],
      autoLoad: "null",
    });
    expect(shape(await json("search", "--explain", "pdf"))).toEqual({
      ...envelope,
      results: [{ ...result, explain: [{ term: "string", field: "string", weight: "number" }] }],
      autoLoad: "null",
    });
    expect(await json("search", "zzz")).toMatchObject({ results: [], autoLoad: null, fits: false });
  });

  it("load", async () => {
    const load = await json("load", "pdf");
    expect(shape(load)).toEqual({
      version: "number",
      profile: "string",
      name: "string",
      output: "string",
      files: ["string"],
      permission: "string",
    });
    expect(load).toMatchObject({
      permission: "allow",
      files: [`${place.project}/.agents/skills/pdf/scripts/fill.py`],
    });
  });

  it("commands", async () => {
    expect(shape(await json("commands"))).toEqual({
      version: "number",
      profile: "string",
      commands: [
        {
          name: "string",
          aliases: [],
          description: "string",
          usage: "string",
          template: "string",
          argumentHint: "null",
          source: "string",
          skill: "string",
        },
      ],
    });
  });

  it("check and doctor", async () => {
    for (const command of ["check", "doctor"]) {
      const report = await json(command);
      expect(report).toMatchObject({
        version: 1,
        summary: expect.stringMatching(/^\d+ files?, \d+ errors?, \d+ warn/),
      });
      const colon = (report.findings as Record<string, unknown>[]).find(
        ({ code }) => code === "frontmatter/unquoted-colon",
      );
      expect(Object.keys(colon ?? {})).toEqual([...Object.keys(diagnostic), "fix"]);
      expect(shape(colon?.fix)).toEqual({ description: "string", edits: [expect.any(Object)] });
    }
  });

  it("the overview and a request", async () => {
    expect(shape(await json())).toMatchObject({
      workspace: { folder: "string" },
      counts: { skills: "number" },
    });
    const request = await json("fill in a pdf form");
    expect(request).toMatchObject({ example: false, results: [{ name: "pdf" }], load: { status: "loaded" } });
  });

  it("paths", async () => {
    expect(shape(await json("paths"))).toMatchObject({
      config: "string",
      data: "string",
      cache: "string",
      state: "string",
      roots: [{ path: "string", scope: "string", source: "string", status: "string", candidates: "number" }],
    });
  });

  it("an error", async () => {
    const { code, stdout, stderr } = await place.run(["show", "pfd", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      error: { code: "not-found", message: expect.any(String), hint: expect.stringContaining("pdf") },
    });
    expect([code, stderr]).toEqual([3, ""]);
  });
});
