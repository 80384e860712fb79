import { SkilletError } from "../core/error.ts";
import type { Skills } from "../host/skills.ts";
import type { Context } from "./command.ts";
import { displayPath } from "./output/display-path.ts";
import { nextCommands } from "./output/next-commands.ts";
import { safeLine } from "./output/safe-text.ts";
import { shellWord } from "./output/shell-words.ts";
import { count } from "./output/words.ts";

/** Stores, or takes back, that a project's skills may be offered to models. */
export async function changeTrust(context: Context, to: boolean): Promise<number> {
  const operand = context.operands[0] ?? "";
  if (operand.startsWith("mcp:")) return (await import("./approve-mcp.ts")).approveMcp(context, operand, to);
  const skills = await opened(context);
  const folder = skills.workspace?.folder;
  if (folder === undefined)
    throw new SkilletError("failed", "There is no project here whose skills could be trusted.", {
      hint: `Name its folder: skillet ${to ? "trust" : "untrust"} DIR`,
    });
  const [{ trustWorkspace }, { sameRecord, trustRecord }] = await Promise.all([
    import("../host/trust-workspace.ts"),
    import("./trust-record.ts"),
  ]);
  const before = trustRecord(skills, folder);
  const waited = waiting(skills);
  const whole = context.flags.on("folder");
  // Trust in whatever comes is more than trust in what is there: asking for less must not take it away unsaid.
  const kept = to && !whole && before !== null && before.approved === null;
  if (!kept || waited > 0)
    trustWorkspace(skills, { folder, to: to ? (whole || kept ? "folder" : "content") : "none" });
  skills.reload();
  const after = trustRecord(skills, folder);
  const changed = !sameRecord(before, after) || waited !== waiting(skills);
  const own = skills.entries.filter(({ skill }) => skill.root.needsTrust && skill.root.scope !== "mcp");
  const everything = after !== null && after.approved === null;
  const trusted = to ? own.every((entry) => entry.trusted) : everything || own.some((entry) => entry.trusted);
  if (context.json) {
    context.printJson({ version: 1, folder, trusted, changed, skills: own.length });
    return to === trusted ? 0 : 1;
  }
  const { paint } = context;
  const shown = displayPath(folder, { cwd: "", home: skills.environment.home });
  if (to !== trusted)
    throw new SkilletError(
      "failed",
      to
        ? `Not every skill of ${shown} could be trusted.`
        : `${shown} is still trusted: by a folder above it, or by your settings.`,
      {
        hint: to
          ? "See skillet list."
          : "See skillet config get trust.folders, and untrust the folder above.",
      },
    );
  const offered = count(own.filter((entry) => entry.modelInvocable).length, "skill");
  const later = everything ? ", and whatever is added later" : "; changed skills will wait for you again";
  const sentence = trusted
    ? `is${changed ? "" : " already"} trusted: ${offered} may be offered to models${later}.`
    : `is ${changed ? "no longer" : "already not"} trusted: ${count(own.length, "skill")} of it ${own.length === 1 ? "waits" : "wait"}.`;
  context.print(`${paint.green(paint.symbols.yes)} ${shown} ${sentence}`);
  if (kept) context.note("To trust only what is there now: skillet untrust, then skillet trust.", "dim");
  const line = `${trusted ? "untrust" : "trust"}${context.operands[0] === undefined ? "" : ` ${shellWord(context.operands[0])}`}`;
  context.print(
    ...nextCommands(
      [
        ["list", "what a model sees now"],
        [line, "take it back"],
      ],
      context.flags,
      paint,
    ),
  );
  return 0;
}

function waiting({ entries }: Skills): number {
  return entries.filter((entry) => !entry.trusted).length;
}

async function opened(context: Context): Promise<Skills> {
  const folder = context.operands[0];
  if (folder === undefined) return context.skills();
  const [{ openSkills }, { openOptions }] = await Promise.all([
    import("../host/open-skills.ts"),
    import("./open-options.ts"),
  ]);
  const [{ resolve }, { statSync }] = await Promise.all([import("node:path"), import("node:fs")]);
  const options = openOptions(context.flags, context.io);
  const cwd = resolve(options.cwd ?? process.cwd(), folder);
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new SkilletError("not-found", `There is no folder ${safeLine(folder)}.`);
  return openSkills({ ...options, cwd });
}
