import type { ConfigLayer } from "../configuration.ts";
import { printable } from "../text/printable.ts";

/** An MCP server whose skills are a source, as the settings name it. */
export interface McpServer {
  /** The label that its skills are called by, never what the server says of itself. */
  readonly name: string;
  readonly reach:
    | {
        readonly kind: "process";
        readonly command: string;
        readonly args: readonly string[];
        readonly env: Readonly<Record<string, string>>;
        readonly cwd: string | null;
      }
    | { readonly kind: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> };
  /** Milliseconds for one look at it. */
  readonly timeout: number;
  readonly layer: ConfigLayer;
}

/** One entry of the setting `mcp`, with the file that it came from. */
export interface McpSetting {
  readonly value: unknown;
  readonly layer: ConfigLayer;
}

const defaultTimeout = 5_000;
const longestTimeout = 60_000;

/** Every server that can be asked, and a sentence for each entry that cannot. A server that is `false` or off is neither. */
export function readMcpServers(settings: Readonly<Record<string, McpSetting>>): {
  readonly servers: readonly McpServer[];
  readonly problems: readonly {
    readonly name: string;
    readonly message: string;
    readonly path: string | null;
  }[];
} {
  const servers: McpServer[] = [];
  const problems: { name: string; message: string; path: string | null }[] = [];
  for (const [name, { value, layer }] of Object.entries(settings)) {
    if (value === false || (isRecord(value) && value.enabled === false)) continue;
    const server = serverOf(name, value, layer);
    if (typeof server !== "string") servers.push(server);
    else
      problems.push({
        name,
        message: `The MCP server "${printable(name.slice(0, 60))}" is not asked: ${server}`,
        path: layer.path,
      });
  }
  return { servers, problems };
}

function serverOf(name: string, value: unknown, layer: ConfigLayer): McpServer | string {
  if (!/^[a-z0-9][a-z0-9-]{0,31}$/.test(name))
    return "a name has small letters, digits and hyphens, at most 32.";
  if (!isRecord(value)) return "it must be an object with `command` or `url`.";
  const { command, url } = value;
  const timeout =
    typeof value.timeout === "number" && value.timeout > 0
      ? Math.min(value.timeout, longestTimeout)
      : defaultTimeout;
  const base = { name, timeout, layer };
  if (typeof url === "string" && command === undefined) {
    const headers = texts(value.headers);
    if (headers === null) return "`headers` must be texts by name.";
    const wrong = addressProblem(url);
    return wrong ?? { ...base, reach: { kind: "http", url, headers } };
  }
  if (typeof command !== "string" || command === "" || url !== undefined)
    return "it needs either `command` or `url`.";
  const args = value.args ?? [];
  const env = texts(value.env);
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === "string"))
    return "`args` must be a list of texts.";
  if (env === null) return "`env` must be texts by name.";
  const cwd = typeof value.cwd === "string" ? value.cwd : null;
  return { ...base, reach: { kind: "process", command, args, env, cwd } };
}

/** Why an address is not asked: only https, and http on this machine; null = it is fine. */
export function addressProblem(address: string): string | null {
  const match = /^(https?):\/\/(\[[^\]/]*\]|[^/?#:@[\]]+)(?::\d+)?(?:[/?#]|$)/i.exec(address);
  if (match === null) return "`url` must be an http address without a password.";
  const [, scheme = "", host = ""] = match;
  const isLocal = /^(?:localhost|127\.0\.0\.1|\[::1\])$/i.test(host);
  return scheme.toLowerCase() === "https" || isLocal ? null : "http is only for this machine; use https.";
}

function texts(value: unknown): Readonly<Record<string, string>> | null {
  if (value === undefined) return {};
  if (!isRecord(value)) return null;
  const record: Record<string, string> = Object.create(null);
  for (const [key, text] of Object.entries(value)) {
    if (typeof text !== "string") return null;
    record[key] = text;
  }
  return record;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
