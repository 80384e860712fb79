import { SkilletError } from "../core/error.ts";
import type { Skills } from "../host/skills.ts";
import type { Context } from "./command.ts";
import { displayPath } from "./output/display-path.ts";
import { nextCommands } from "./output/next-commands.ts";
import { shellWord } from "./output/shell-words.ts";
import { count } from "./output/words.ts";

/** Stores, or takes back, that a project's skills may be offered to models. */
export async function changeTrust(context: Context, to: boolean): Promise<number> {
  const skills = await opened(context);
  const folder = skills.workspace?.folder;
  if (folder === undefined)
    throw new SkilletError("failed", "There is no project here whose skills could be trusted.", {
      hint: `Name its folder: skillet ${to ? "trust" : "untrust"} DIR`,
    });
  const before = skills.workspace?.trusted === true;
  const { trustWorkspace } = await import("../host/trust-workspace.ts");
  const whole = context.flags.on("folder");
  trustWorkspace(skills, { folder, to: to ? (whole ? "folder" : "content") : "none" });
  skills.reload();
  // Without skills there is nothing that could wait.
  const own = skills.entries.filter(({ skill }) => skill.root.needsTrust);
  const trusted = own.length === 0 ? to : skills.workspace?.trusted === true;
  if (context.json) {
    context.printJson({ version: 1, folder, trusted, changed: trusted !== before, skills: own.length });
    return to === trusted ? 0 : 1;
  }
  const { paint } = context;
  const shown = displayPath(folder, { cwd: "", home: skills.environment.home });
  if (to !== trusted)
    throw new SkilletError(
      "failed",
      `${shown} is still trusted: by a folder above it, or by your settings.`,
      {
        hint: "See skillet config get trust, and untrust the folder above.",
      },
    );
  const already = before === trusted ? " already" : "";
  const number = count(own.length, "skill");
  context.print(
    trusted
      ? `${paint.green(paint.symbols.yes)} ${shown} is${already} trusted: ${number} may be offered to models${whole ? ", and whatever is added later" : "; what changes later asks again"}.`
      : `${paint.green(paint.symbols.yes)} ${shown} is${already} not trusted: ${number} of it ${own.length === 1 ? "waits" : "wait"}.`,
  );
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

async function opened(context: Context): Promise<Skills> {
  const folder = context.operands[0];
  if (folder === undefined) return context.skills();
  const [{ openSkills }, { openOptions }] = await Promise.all([
    import("../host/open-skills.ts"),
    import("./open-options.ts"),
  ]);
  const { resolve } = await import("node:path");
  const options = openOptions(context.flags, context.io);
  return openSkills({ ...options, cwd: resolve(options.cwd ?? process.cwd(), folder) });
}
