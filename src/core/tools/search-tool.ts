import { entryLine, prepareEntry } from "../catalog/catalog-entry.ts";
import { printable } from "../text/printable.ts";
import { type Allow, invalid, permissionFor } from "./skill-tool.ts";
import type { InputSchema, SkillTool, ToolResult } from "./tool.ts";
import { readInput } from "./tool-input.ts";
import type { ToolSource } from "./tool-source.ts";

const inputSchema: InputSchema = {
  type: "object",
  properties: {
    query: {
      type: "string",
      description: "What is to be done, in a few words, with the kinds of files or systems it is about.",
    },
  },
  required: ["query"],
  additionalProperties: false,
};

const description =
  "Finds skills for a task. Use it when the list of available skills is shortened, or when nothing in it fits. " +
  "Then load the best one with `skill`.";

/** Code points of one description in an answer. */
const entryLimit = 400;

/** The `skill_search` tool: skills that serve a request, best first (features M14, M15). */
export function searchTool(source: ToolSource, options: { readonly allow: Allow | null }): SkillTool {
  return {
    name: "skill_search",
    title: "Find skills",
    description,
    inputSchema,
    execute: async (input, call = {}) => {
      call.signal?.throwIfAborted();
      const read = readInput("skill_search", input, inputSchema);
      if (read.kind === "wrong") return invalid(read.message);
      const query = String(read.values.get("query"));
      const own = await mirrored(source, query, options.allow);
      call.signal?.throwIfAborted();
      if (own !== null) return { text: own, isError: false, status: "found", skill: null };
      return answer(source, query);
    },
  };
}

/** The system's own tool: it may load the best skill at once, where the user does not have to be asked or says yes. */
async function mirrored(source: ToolSource, query: string, allow: Allow | null): Promise<string | null> {
  const first = source.searchTool?.(query, {}) ?? null;
  if (first === null) return null;
  const { autoLoad } = source.search(query);
  if (autoLoad === null) return first;
  const waits = source.entries.some(
    ({ skill, permission }) => skill.name === autoLoad && permission === "ask",
  );
  if (!waits || allow === null || !(await allow(permissionFor(autoLoad)))) return first;
  return source.searchTool?.(query, { approved: true }) ?? first;
}

function answer(source: ToolSource, query: string): ToolResult {
  const { results, autoLoad } = source.search(query);
  if (results.length === 0)
    return {
      text: `No skill fits "${printable(query.slice(0, 200))}". Search once more with other words for the same work, or go on without a skill.`,
      isError: false,
      status: "nothing-found",
      skill: null,
    };
  const skills = new Map(source.entries.map(({ skill }) => [skill.location, skill]));
  const lines = results.map(({ name, location }) => {
    const skill = skills.get(location);
    const entry = prepareEntry(
      {
        name,
        description: skill?.description ?? null,
        whenToUse: skill?.whenToUse ?? null,
        pinned: false,
        location,
      },
      entryLimit,
    );
    return entryLine(entry.name, entry.text);
  });
  const advice =
    autoLoad === null
      ? "Best first. Load one with the `skill` tool, by name, if it fits."
      : "Best first. The first one fits: load it with the `skill` tool, by name, before you begin.";
  const text = `<found_skills>\n${lines.join("")}</found_skills>\n${advice}`;
  return { text, isError: false, status: "found", skill: null };
}
