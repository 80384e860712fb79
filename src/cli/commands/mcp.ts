import type { Command, Context } from "../command.ts";
import { noteTrust } from "../views/notes.ts";

/** `skillet mcp`: the skills for any MCP client. */
export const mcp: Command = {
  name: "mcp",
  summary: "serve the skills found here to an MCP client",
  details: [
    "Over stdin and stdout, until the client closes its end; with --http over HTTP on this machine only. A client gets the tools skill, skill_search and read_skill_file, every skill as a prompt (a slash command in most clients), every file as a skill:// resource, and the skills extension. Changes on disk are announced.",
    "What no model may load here, no client gets. docs/mcp.md says how each client is set up.",
  ],
  examples: [
    ["claude mcp add skillet -- skillet mcp", "for Claude Code"],
    ["skillet mcp --http 8337", "for clients that speak HTTP: http://127.0.0.1:8337/mcp"],
  ],
  flags: ["http"],
  run,
};

async function run(context: Context): Promise<number> {
  const port = context.flags.number("http");
  const [skills, { serveStdio }] = await Promise.all([
    context.skills({ connect: false }),
    import("../../mcp/serve-stdio.ts"),
  ]);
  const ending = new AbortController();
  let interrupted = false;
  const undo = context.io.onStop?.((reason) => {
    interrupted = reason === "interrupt";
    ending.abort();
  });
  noteTrust(context, skills);
  const warn = (message: string): void => context.note(message, "warning");
  // Other servers may be slow to start; what they offer is announced like any change.
  if (Object.keys(skills.configuration.mcp).length > 0) void skills.connect({ signal: ending.signal });
  try {
    if (port === undefined) await serveStdio(skills, { warn, signal: ending.signal });
    else {
      const { serveHttp } = await import("../../mcp/serve-http.ts");
      await serveHttp(skills, {
        warn,
        signal: ending.signal,
        port,
        listening: (url) => context.note(`Listening on ${url}; Ctrl-C ends.`, "dim"),
      });
    }
  } finally {
    undo?.();
    skills.close();
  }
  return interrupted ? 130 : 0;
}
