import { createHash } from "node:crypto";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { skill } from "../cli/run-skillet.ts";
import { builtCommand } from "../support/built-command.ts";
import { type Connected, ground, type HttpServer, httpServer, overHttp, overStdio } from "./ground.ts";

// The official client against the built command, over both transports and both generations of the protocol.
const place = ground();
let command = "";
let http: HttpServer;
const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 255);

beforeAll(async () => {
  place.write({
    ".agents/skills/pdf/SKILL.md": skill("pdf", "Fill in PDF forms.", "# pdf\n\nFill $ARGUMENTS.\n"),
    ".agents/skills/pdf/references/fields.md": "Fields\n",
    ".agents/skills/pdf/references/deep/more.md": "More\n",
    ".agents/skills/pdf/logo.png": picture,
    ".agents/skills/translate/SKILL.md":
      "---\nname: translate\ndescription: Translate a text.\narguments: [text, language]\n---\nPut $text into $language.\n",
    ".agents/skills/hand/SKILL.md":
      "---\nname: hand\ndescription: By hand only.\ndisable-model-invocation: true\n---\nHi\n",
    ".agents/skills/Odd_Name/SKILL.md": "---\nname: Odd_Name\ndescription: Not a standard name.\n---\nOdd\n",
    ".agents/skills/secret/SKILL.md": skill("secret", "Denied."),
    "~/.config/skillet/skillet.jsonc": `{ "skills": { "builtin": false }, "permission": { "skill": { "secret": "deny" } } }`,
  });
  command = builtCommand();
  http = await httpServer(command, place);
});
afterAll(async () => {
  await http?.close();
  place.remove();
});

const ways: readonly (readonly [name: string, connect: () => Promise<Connected>])[] = [
  ["stdio, old protocol", () => overStdio(command, place, "old")],
  ["stdio, new protocol", () => overStdio(command, place, "new")],
  ["HTTP, old protocol", () => overHttp(http, "old")],
  ["HTTP, new protocol", () => overHttp(http, "new")],
];

describe.each(ways)("over %s", (name, connect) => {
  let connected: Connected;
  beforeAll(async () => {
    connected = await connect();
  });
  afterAll(() => connected.close());

  it("says who it is and what there is", () => {
    const { client } = connected;
    expect(client.getServerVersion()).toMatchObject({ name: "skillet" });
    expect(client.getNegotiatedProtocolVersion()).toBe(
      name.endsWith("new protocol") ? "2026-07-28" : "2025-11-25",
    );
    expect(client.getInstructions()).toContain("Fill in PDF forms.");
    expect(client.getInstructions()).not.toContain("Denied");
    expect(client.getServerCapabilities()).toMatchObject({
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: { listChanged: true },
      extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
    });
  });

  it("has the tools, with the names there are", async () => {
    const { tools } = await connected.client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["skill", "skill_search", "read_skill_file"]);
    expect(tools[0]?.inputSchema.properties?.name).toMatchObject({ enum: ["Odd_Name", "pdf", "translate"] });
  });

  it("loads, searches and reads files; failures say what to do", async () => {
    const call = async (tool: string, input: Record<string, unknown>) => {
      const { content, isError } = await connected.client.callTool({ name: tool, arguments: input });
      const [first] = content as readonly { readonly text: string }[];
      return { text: first?.text ?? "", isError: isError === true };
    };
    const loaded = await call("skill", { name: "pdf", arguments: "form 12" });
    expect([loaded.isError, loaded.text]).toEqual([false, expect.stringContaining("Fill form 12.")]);
    expect((await call("skill_search", { query: "fill in a PDF form" })).text).toContain("pdf");
    expect((await call("read_skill_file", { name: "pdf", path: "references/fields.md" })).text).toContain(
      "Fields",
    );
    const outside = await call("read_skill_file", { name: "pdf", path: "../../../../home" });
    expect(outside.isError).toBe(true);
    const [unknown, denied] = [
      await call("skill", { name: "sacret" }),
      await call("skill", { name: "secret" }),
    ];
    expect([unknown.isError, denied.isError]).toEqual([true, true]);
    expect(denied.text).toBe(unknown.text.replaceAll("sacret", "secret"));
    await expect(connected.client.callTool({ name: "nothing", arguments: {} })).rejects.toThrow("no tool");
  });

  it("has every skill that a person may call as a prompt, with arguments", async () => {
    const { prompts } = await connected.client.listPrompts();
    expect(prompts.map((prompt) => prompt.name)).toEqual(["Odd_Name", "hand", "pdf", "translate"]);
    expect(prompts.at(-1)?.arguments?.map((one) => one.name)).toEqual(["text", "language"]);
    const { messages } = await connected.client.getPrompt({
      name: "translate",
      arguments: { text: "guten Morgen", language: "English" },
    });
    expect(messages).toMatchObject([
      {
        role: "user",
        content: { type: "text", text: expect.stringContaining("Put guten Morgen into English.") },
      },
    ]);
    const plain = await connected.client.getPrompt({
      name: "pdf",
      arguments: { arguments: 'form "12" now' },
    });
    expect(plain.messages[0]?.content).toMatchObject({
      text: expect.stringContaining('Fill form "12" now.'),
    });
    await expect(connected.client.getPrompt({ name: "secret" })).rejects.toThrow("no prompt");
    await expect(connected.client.getPrompt({ name: "__proto__" })).rejects.toThrow("no prompt");
  });

  it("serves files as resources, text and bytes, by list and template", async () => {
    const { client } = connected;
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([
      "skill://Odd_Name/SKILL.md",
      "skill://pdf/SKILL.md",
      "skill://pdf/logo.png",
      "skill://pdf/references/deep/more.md",
      "skill://pdf/references/fields.md",
      "skill://translate/SKILL.md",
    ]);
    expect(resources[2]).toEqual({
      uri: "skill://pdf/logo.png",
      name: "pdf/logo.png",
      mimeType: "image/png",
    });
    for (const { uri } of resources) expect((await client.readResource({ uri })).contents).toHaveLength(1);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([
      { uriTemplate: "skill://{+path}", description: expect.stringContaining("skill://NAME/PATH") },
    ]);
    const text = await client.readResource({ uri: "skill://pdf/references/fields.md" });
    expect(text.contents).toMatchObject([{ mimeType: "text/markdown", text: "Fields\n" }]);
    const image = await client.readResource({ uri: "skill://pdf/logo.png" });
    expect(image.contents).toMatchObject([
      { mimeType: "image/png", blob: Buffer.from(picture).toString("base64") },
    ]);
    for (const uri of ["skill://secret/SKILL.md", "skill://hand/SKILL.md", "skill://pdf/none", "skill://pdf"])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32_602 });
  });

  it("serves the skills extension: entries with digests that hold, and folders", async () => {
    const skills = new SkillsClient(connected.client);
    expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
    const { skills: listed } = await skills.list();
    expect(listed.map(({ uri }) => uri)).toEqual(["skill://pdf/SKILL.md", "skill://translate/SKILL.md"]);
    const [pdf] = listed;
    if (pdf === undefined || pdf.resources === "dynamic") throw new Error("no entry");
    expect(pdf.resources.map(({ uri }) => uri)).toEqual([
      "skill://pdf/SKILL.md",
      "skill://pdf/logo.png",
      "skill://pdf/references/deep/more.md",
      "skill://pdf/references/fields.md",
    ]);
    const hash = createHash("sha256").update(picture).digest("hex");
    expect(pdf.resources[1]).toMatchObject({ digest: `sha256:${hash}`, size: picture.length });
    expect(await skills.read(pdf)).toMatchObject({ verified: true, frontmatter: { name: "pdf" } });
    expect(await skills.read(pdf, "logo.png")).toMatchObject({ verified: true, bytes: picture });
    expect((await skills.get("skill://translate/SKILL.md")).skill.frontmatter.arguments).toEqual([
      "text",
      "language",
    ]);
    await expect(skills.get("skill://secret/SKILL.md")).rejects.toMatchObject({ code: -32_602 });
    const { resources } = await skills.readDirectory("skill://pdf");
    expect(resources.map(({ uri, mimeType }) => `${uri} ${mimeType}`)).toEqual([
      "skill://pdf/SKILL.md text/markdown",
      "skill://pdf/logo.png image/png",
      "skill://pdf/references inode/directory",
    ]);
    await expect(skills.readDirectory("skill://pdf/SKILL.md")).rejects.toMatchObject({ code: -32_602 });
  });
});
