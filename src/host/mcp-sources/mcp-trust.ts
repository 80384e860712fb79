import { createTrust, type Trust, type TrustInput } from "../stored-decisions.ts";
import type { McpSources } from "./mcp-sources.ts";

/**
 * The user's decisions, with those about skills of MCP servers: these are approved one set of files at a time and have
 * nothing to do with the trust in a project, `--trust` included.
 */
export function withMcpTrust(mcp: Pick<McpSources, "verdict">, input: TrustInput): Trust {
  const trust = createTrust(input);
  return {
    ...trust,
    verdict: (skill) => (skill.root.scope === "mcp" ? mcp.verdict(skill) : trust.verdict(skill)),
    changed: (skill) => (skill.root.scope === "mcp" ? null : trust.changed(skill)),
    workspace: (snapshot, entries) =>
      trust.workspace(
        snapshot,
        entries.filter(({ skill }) => skill.root.scope !== "mcp"),
      ),
  };
}
