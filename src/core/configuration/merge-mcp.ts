import { addressProblem, type McpSetting } from "../mcp/server-settings.ts";
import { printable } from "../text/printable.ts";
import type { LayeredSettings } from "./merge-permissions.ts";
import type { Origins } from "./merge-values.ts";
import { note } from "./read-settings.ts";

/**
 * The MCP servers of all layers, by name; a later layer replaces an entry as a whole. A project's settings can never make
 * a program start; a trusted project can name https addresses, and only under names that nobody else uses (row H02).
 */
export function mergeMcp(
  layers: LayeredSettings,
  { trusted, origin }: { readonly trusted: boolean; readonly origin: Origins },
): { readonly mcp: Readonly<Record<string, McpSetting>>; readonly projectMcp: boolean } {
  const joined: Record<string, McpSetting> = Object.create(null);
  for (const settings of [...layers.own, ...layers.managed]) {
    const value = settings.values.get("mcp");
    if (typeof value !== "object" || value === null) continue;
    origin.mcp = settings.file.layer;
    for (const [name, inner] of Object.entries(value))
      joined[name] = { value: inner, layer: settings.file.layer };
  }
  let waits = false;
  for (const settings of layers.project) {
    const value = settings.values.get("mcp");
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      const refusal = refused(name, inner, name in joined);
      if (refusal === null && trusted) {
        joined[name] = { value: { url: urlOf(inner) }, layer: settings.file.layer };
        continue;
      }
      if (refusal === null) waits = true;
      const shown = printable(name.slice(0, 60));
      note(settings, "config/not-for-project", {
        path: ["mcp", name],
        message:
          refusal === null
            ? `This project names the MCP server "${shown}"; it is not asked before you trust the project.`
            : `The MCP server "${shown}" of this project is not asked: ${refusal}`,
        hint: "Run `skillet trust`, or name the server in your own configuration.",
      });
    }
  }
  return { mcp: joined, projectMcp: waits };
}

function refused(name: string, value: unknown, taken: boolean): string | null {
  if (taken) return "you have a server of that name.";
  const url = urlOf(value);
  if (url === null) return "a project can only name an address, not a program.";
  if (!/^https:/i.test(url) || addressProblem(url) !== null)
    return "a project can only name https addresses without a password.";
  return /^[a-z0-9][a-z0-9-]{0,31}$/.test(name) ? null : "its name cannot be used.";
}

function urlOf(value: unknown): string | null {
  if (typeof value !== "object" || value === null || !("url" in value) || "command" in value) return null;
  return typeof value.url === "string" ? value.url : null;
}
