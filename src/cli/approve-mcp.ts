import { SkilletError } from "../core/error.ts";
import type { VisibleSkill } from "../core/profile.ts";
import type { Context } from "./command.ts";
import { safeLine } from "./output/safe-text.ts";
import { count } from "./output/words.ts";

/**
 * Stores, or takes back, that models may be told of what an MCP server lists now. `operand` is `mcp:SERVER` or
 * `mcp:SERVER/NAME`. Throws `SkilletError` "not-found" where nothing of that name is listed.
 */
export async function approveMcp(context: Context, operand: string, to: boolean): Promise<number> {
  const skills = await context.skills();
  const [server = "", ...rest] = operand.split("/");
  const name = rest.join("/");
  const listed = skills.entries.filter(({ skill }) => skill.root.path === server);
  const chosen = name === "" ? listed : listed.filter(({ skill }) => labelOf(skill.name) === name);
  if (chosen.length === 0) throw nothing(skills.entries, { server, name });
  const [{ changeApprovals }, { createFileSystem, nodeCodec }] = await Promise.all([
    import("../host/mcp-sources/approvals.ts"),
    import("../host/node-file-system.ts"),
  ]);
  const changing = chosen.filter(({ trusted }) => trusted !== to);
  if (changing.length > 0)
    changeApprovals(
      skills.environment,
      {
        add: to ? Object.fromEntries(changing.map(({ skill }) => [skill.location, skill.digest])) : {},
        remove: to ? [] : changing.map(({ skill }) => skill.location),
      },
      { fileSystem: createFileSystem(), codec: nodeCodec },
    );
  skills.reload();
  if (context.json) {
    const names = chosen.map(({ skill }) => skill.name);
    context.printJson({ version: 1, server, trusted: to, changed: changing.length > 0, skills: names });
    return 0;
  }
  const { paint } = context;
  const what = chosen.length === 1 ? (chosen[0]?.skill.name ?? "") : count(chosen.length, "skill");
  const state = to
    ? "may be offered to models; when the server lists other files, it waits again."
    : "is kept from models.";
  context.print(`${paint.green(paint.symbols.yes)} ${safeLine(server)}: ${safeLine(what)} ${state}`);
  return 0;
}

function labelOf(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function nothing(
  entries: readonly VisibleSkill[],
  { server, name }: { readonly server: string; readonly name: string },
): SkilletError {
  const servers = new Set(
    entries.filter(({ skill }) => skill.root.scope === "mcp").map(({ skill }) => skill.root.path),
  );
  const what = name === "" ? `No skill of ${server} is listed` : `${server} lists no skill "${name}"`;
  return new SkilletError("not-found", `${what}.`, {
    hint:
      servers.size === 0
        ? "No MCP server of your settings lists skills; see docs/mcp.md"
        : `There are: ${[...servers].join(", ")}. skillet list shows what they offer`,
  });
}
