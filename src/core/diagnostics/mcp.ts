import { defineCodes } from "./define-codes.ts";

/** Skills that other MCP servers offer (docs/mcp.md). */
export const mcpCodes = defineCodes({
  "mcp/server-setting": {
    severity: "warning",
    title: "An MCP server of the settings cannot be asked",
    why: "Its entry in `mcp` is not understood, so its skills are not there.",
    fix: "Give it a name of small letters, digits and hyphens, and either `command` (with `args`, `env`, `cwd`) or `url` (with `headers`).",
    example: '"mcp": { "docs": { "command": "docs-server", "args": ["--stdio"] } }',
  },
  "mcp/unreachable": {
    severity: "warning",
    title: "An MCP server does not give its skills",
    why: "It does not start, hangs, ends too soon or answers something else. What it listed before stays in the list.",
    fix: "Start the server by hand and see what it says; a slow one may get a longer `timeout`.",
  },
  "mcp/left-out": {
    severity: "warning",
    title: "Skills of an MCP server are left out",
    why: "Their entries break a rule of the skills extension, or there are more than are used of one server.",
    fix: "Tell the people who run the server; the message names the rule.",
  },
  "mcp/not-verified": {
    severity: "error",
    title: "What an MCP server gave is not what it listed",
    why: "Size, digest or frontmatter differ from the entry that was approved, so the text is not used.",
    fix: "The skill may have changed: run skillet list, read it, and skillet trust mcp:SERVER if that is fine.",
  },
});
