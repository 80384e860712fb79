// An MCP server for tests that offers skills, or misbehaves: node offering-server.mjs WAY STATE-FILE
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import { type Skill, SkillsExtension, skillEntry } from "@modelcontextprotocol/server/ext/skills";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const [, , way = "good", state = ""] = process.argv;

/** Skills by name, each with its files. */
function skills(): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return JSON.parse(readFileSync(state, "utf8"));
}

async function entries(): Promise<Skill[]> {
  const all = await Promise.all(
    Object.entries(skills()).map(([name, files]) => skillEntry(name, { ...files })),
  );
  if (way === "many") {
    const [first] = all;
    if (first === undefined) return [];
    return Array.from({ length: 10_000 }, (_, number) => ({
      ...first,
      uri: `skill://s${number}/SKILL.md`,
      frontmatter: { ...first.frontmatter, name: `s${number}` },
      resources: [{ uri: `skill://s${number}/SKILL.md`, digest: `sha256:${"0".repeat(64)}`, size: 1 }],
    }));
  }
  return all;
}

function contents(uri: string): string | undefined {
  const [, name = "", path = ""] = /^skill:\/\/([^/]+)\/(.+)$/.exec(uri) ?? [];
  const text = skills()[name]?.[path];
  return text !== undefined && way === "lies" ? text.replace("Do", "Du") : text;
}

if (way === "dies") process.exit(3);
if (way === "hangs") setInterval(() => {}, 1000);
else if (way === "floods") {
  const noise = `${"x".repeat(65_536)}`;
  const write = (): void => {
    while (process.stdout.write(noise));
    process.stdout.once("drain", write);
  };
  write();
} else
  serveStdio(() => {
    const server = new McpServer({ name: "pretends to be something else", version: "1.0.0" });
    if (way === "plain") {
      server.registerTool("nothing", {}, () => ({ content: [] }));
      return server;
    }
    let page = 0;
    new SkillsExtension({
      source: {
        async list() {
          page += 1;
          const all = await entries();
          return way === "endless" ? { skills: [], nextCursor: `page ${page}` } : { skills: all };
        },
        get: async (uri) => (await entries()).find((entry) => entry.uri === uri),
        read: async (uri) => {
          const text = contents(uri);
          return text === undefined ? undefined : { text };
        },
      },
      onWarning: () => {},
    }).attach(server);
    return server;
  });
