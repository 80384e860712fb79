import { describe, expect, test } from "vitest";
import { createSkillTools, type SkillPermissionRequest } from "./skill-tools.ts";

function session(status: "loaded" | "ask" | "unknown", answer: boolean) {
  const asked: SkillPermissionRequest[] = [];
  const tools = createSkillTools(
    {
      load: (name, { approved }) =>
        status === "loaded" || (status === "ask" && approved)
          ? { status: "loaded", name, output: `body of ${name}` }
          : { status, name, output: status },
      search: () => ({ autoLoad: "pdf" }),
      searchTool: (_, { approved }) => (status === "loaded" || approved ? "hits and body" : "hits"),
    },
    async (request) => {
      asked.push(request);
      return answer;
    },
  );
  return { tools, asked };
}

const request = { permission: "skill", patterns: ["pdf"], always: ["pdf"] };

describe("skill tools", () => {
  test.each([
    ["what is allowed is not asked", "loaded", true, ["body of pdf", "hits and body"], []],
    ["a yes gives the text", "ask", true, ["body of pdf", "hits and body"], [request, request]],
    ["a no gives the refusal, and the hits stay", "ask", false, ["ask", "hits"], [request, request]],
    ["what is not there is not asked", "unknown", true, ["unknown", "hits"], []],
  ] as const)("%s", async (_, status, answer, outputs, questions) => {
    const { tools, asked } = session(status, answer);
    expect([await tools.skill({ name: "pdf" }), await tools.skill_search({ query: "x" })]).toEqual(outputs);
    expect(asked).toEqual(questions);
  });
});
