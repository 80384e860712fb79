import { contains } from "../core/path.ts";
import { printable } from "../core/text/printable.ts";
import type { Allow } from "../core/tools/skill-tool.ts";
import { skillTools } from "../core/tools/skill-tool-set.ts";
import type { SkillTool } from "../core/tools/tool.ts";
import type { Skills } from "../host/skills.ts";
import { version } from "../version.ts";
import { askThroughClient } from "./ask-through-client.ts";
import { boundRequests } from "./bound-requests.ts";
import { McpServer, ProtocolError, ProtocolErrorCode, SkillsExtension, type Tool } from "./sdk.ts";
import { listPrompts, promptText } from "./served-prompts.ts";
import type { ServedSkills } from "./skill-source.ts";

export interface ServerParts {
  readonly skills: Skills;
  readonly served: ServedSkills;
  /** Says something to the person who runs the server. */
  readonly warn: (message: string) => void;
}

/**
 * One server for one client: the tools, every skill that a person may call as a prompt, every file as a resource, and
 * the skills extension. All lists are made when they are asked for, from the snapshot of that moment.
 */
export function createServer({ skills, served, warn }: ServerParts): McpServer {
  const mcp = new McpServer(
    { name: "skillet", title: "Skillet", version },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true },
      },
      instructions: instructionsOf(skills),
    },
  );
  new SkillsExtension({ source: served, onWarning: ({ message }) => warn(message) }).attach(mcp);
  boundRequests(mcp);
  const { server } = mcp;
  server.setRequestHandler("resources/list", ({ params }) => served.resources(params?.cursor));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [fileTemplate] }));
  server.setRequestHandler("prompts/list", ({ params }) => listPrompts(skills, params?.cursor));
  server.setRequestHandler("prompts/get", async ({ params }) => {
    const prompt = await promptText(skills, params.name, params.arguments ?? {});
    if (prompt === null) throw unknown("prompt", params.name);
    const { description, text, isError } = prompt;
    if (isError) throw new ProtocolError(ProtocolErrorCode.InternalError, withoutHome(text, skills));
    return { description, messages: [{ role: "user", content: { type: "text", text } }] };
  });
  server.setRequestHandler("tools/list", () => ({ tools: listedTools(skills) }));
  const accepted = new Set<string>();
  server.setRequestHandler("tools/call", async ({ params }, context) => {
    const question = askThroughClient(mcp, context);
    const allow =
      question === null ? null : withFilesOfAccepted(question.allow, params.name, { skills, accepted });
    const tools = skillTools(skills, allow === null ? {} : { allow });
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw unknown("tool", params.name);
    const { signal } = context.mcpReq;
    const { text, isError } = await tool.execute(params.arguments ?? {}, { signal });
    const pending = question?.pending() ?? null;
    if (pending !== null) return pending;
    return { content: [{ type: "text", text: isError ? withoutHome(text, skills) : text }], isError };
  });
  return mcp;
}

/**
 * Who said yes to a skill is not asked for each of its files, which the answer names: `accepted` holds the places of
 * SKILL.md that this client's user allowed. Each load asks anew.
 */
function withFilesOfAccepted(
  allow: Allow,
  tool: string,
  { skills, accepted }: { readonly skills: Skills; readonly accepted: Set<string> },
): Allow {
  return async (request) => {
    const places = request.patterns.map((name) => {
      const found = skills.find(name);
      return found.kind === "found" ? found.entry.skill.location : null;
    });
    if (tool === "read_skill_file" && places.every((place) => place !== null && accepted.has(place)))
      return true;
    const answer = await allow(request);
    for (const place of answer ? places : []) {
      if (place !== null) accepted.add(place);
    }
    return answer;
  };
}

const fileTemplate = {
  uriTemplate: "skill://{+path}",
  name: "skill-file",
  title: "A file of a skill",
  description:
    "skill://NAME/SKILL.md is the skill itself, skill://NAME/PATH a file of its folder, also one that the list of resources leaves out.",
};

/** The tools as `tools/list` gives them now. */
export function listedTools(skills: Skills): Tool[] {
  return skillTools(skills).map(({ name, title, description, inputSchema }: SkillTool): Tool => {
    const { type, properties, required, additionalProperties } = inputSchema;
    const fields = Object.entries(properties).map(([field, { enum: names, ...rest }]) => {
      return [field, names === undefined ? rest : { ...rest, enum: [...names] }] as const;
    });
    return {
      name,
      title,
      description,
      inputSchema: {
        type,
        properties: Object.fromEntries(fields),
        required: [...required],
        additionalProperties,
      },
      annotations: { readOnlyHint: true, openWorldHint: false },
    };
  });
}

function instructionsOf(skills: Skills): string {
  const { text } = skills.catalog();
  return [
    "Skills are instructions for special tasks. When a request fits one, call the tool `skill` with its name before anything else, and follow what it gives.",
    text ?? "No skill is offered right now; the list of tools changes when there is one.",
  ].join("\n\n");
}

function unknown(kind: "tool" | "prompt", name: string): ProtocolError {
  const shown = printable(name.slice(0, 100));
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no ${kind} "${shown}".`);
}

/** A failure must not tell where somebody's home is (row J11). */
function withoutHome(text: string, { environment }: Skills): string {
  const { home } = environment;
  return home === "/" || !contains("/", home) ? text : text.replaceAll(home, "~");
}
