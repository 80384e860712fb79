import { resolve } from "node:path";
import { SkilletError } from "../core/error.ts";
import type { OpenOptions } from "../host/skills.ts";
import type { Context } from "./command.ts";
import { openOptions } from "./open-options.ts";
import { wantsColor } from "./output/painter.ts";

/** Opens the agent in the terminal, or lists its sessions. */
export async function chatHere(
  context: Context,
  wish: { readonly first: string | null; readonly directory?: string },
): Promise<number> {
  const { flags, io } = context;
  const opened = openOptions(flags, io);
  const open: OpenOptions =
    wish.directory === undefined ? opened : { ...opened, cwd: resolve(io.cwd ?? ".", wish.directory) };
  if (flags.on("sessions")) return listSessionsHere(context, open);
  if (!io.interactive || context.json)
    throw new SkilletError("environment", "A chat needs a terminal.", {
      hint: 'For scripts: skillet run "MESSAGE", with --json for events.',
    });
  const [{ startChat }, { showChat }] = await Promise.all([
    import("../agent/terminal/start-chat.ts"),
    asForPeople(() => import("../agent/terminal/show-chat.ts")),
  ]);
  const resume = flags.text("resume");
  const colored = wantsColor(io.stdout, io, flags);
  return startChat({
    open,
    model: flags.text("model") ?? null,
    agent: flags.text("agent") ?? null,
    resume: resume !== undefined ? { id: resume } : flags.on("continue") ? "last" : null,
    first: wish.first,
    colored,
    goodbye: (id) => context.note(`Go on with it: skillet chat --resume ${id}`, "dim"),
    show: (chat) => showChat(chat, { stdin: process.stdin, stdout: process.stdout, colored }),
  });
}

/**
 * The terminal library draws nothing but last pictures where it takes the run for one of a build server, and it looks at
 * that when it is loaded. Here a person sits in front, whatever their shell has set.
 */
async function asForPeople<T>(load: () => Promise<T>): Promise<T> {
  const set = Object.entries(process.env).filter(([name]) =>
    /^(?:CI$|CI_|CONTINUOUS_INTEGRATION$)/.test(name),
  );
  for (const [name] of set) delete process.env[name];
  try {
    return await load();
  } finally {
    for (const [name, value] of set) process.env[name] = value;
  }
}

async function listSessionsHere(context: Context, open: OpenOptions): Promise<number> {
  const { storedSessions } = await import("../agent/session/stored-sessions.ts");
  const { folder, sessions } = storedSessions(open);
  if (context.json) {
    context.printJson({
      version: 1,
      folder,
      sessions: sessions.map(({ id, path, created, modified, cwd, title }) => ({
        id,
        path,
        created,
        modified: new Date(modified).toISOString(),
        cwd,
        title,
      })),
    });
    return 0;
  }
  if (sessions.length === 0) {
    context.note("There are no sessions of this folder yet: skillet chat begins one.");
    return 0;
  }
  const { safeLine } = await import("./output/safe-text.ts");
  const { truncate } = await import("./output/text-width.ts");
  for (const { id, title, modified } of sessions) {
    const when = new Date(modified).toISOString().slice(0, 16).replace("T", " ");
    const text = truncate(
      safeLine(title),
      Math.max(20, context.paint.width - id.length - 22),
      context.paint.symbols.ellipsis,
    );
    context.print(`${context.paint.bold(id)}  ${context.paint.dim(when)}  ${text}`);
  }
  context.note("Go on with one: skillet chat --resume ID", "dim");
  return 0;
}
