import { resolve } from "node:path";
import { SkilletError } from "../../core/error.ts";
import type { Guidance, GuidanceState } from "../../core/guidance/guidance.ts";
import type { Command, Context } from "../command.ts";
import { safeLine } from "../output/safe-text.ts";

/** `skillet guidance`: what a model is told about skills at this turn of a conversation. */
export const guidance: Command = {
  name: "guidance",
  summary: "what a model is told now, compared with what it was told before",
  details: [
    "Without --before: what a conversation begins with. With it: what is said when the skills changed since that state, and nothing when they did not; the system prompt keeps its bytes. --after writes the state for the next turn, and may be the same file.",
    "Another --agent begins a new epoch with a text of its own, where the profile has epochs.",
  ],
  examples: [
    ["skillet guidance --after turn.json", "the beginning of a conversation"],
    ["skillet guidance --before turn.json --after turn.json", "each further turn"],
    ["skillet guidance --before turn.json --agent plan --json", "after a switch of the agent, as data"],
  ],
  flags: ["before", "after", "window", "budget", "raw"],
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const { flags } = context;
  const file = (name: string): string | null => {
    const given = flags.text(name);
    return given === undefined ? null : resolve(context.io.cwd ?? "", given);
  };
  const before = file("before");
  const known = before === null ? null : await readState(context, before);
  const window = flags.number("window");
  const budget = flags.number("budget");
  const made = skills.guidance(known, {
    ...(window === undefined ? {} : { contextWindow: window }),
    ...(budget === undefined ? {} : { budget }),
  });
  const after = file("after");
  if (after !== null) await writeState(after, made.state);
  print(context, made, { profile: skills.snapshot.profile });
  return 0;
}

function print(context: Context, made: Guidance, { profile }: { readonly profile: string }): void {
  const { kind, epoch, system, update, message, place, state } = made;
  const text = kind === "baseline" ? system : update;
  if (context.json) {
    context.printJson({ version: 1, profile, agent: state.agent, epoch, kind, text, message, system, place });
    return;
  }
  if (text !== null) {
    context.write(text);
    if (!context.flags.on("raw")) context.write("\n");
  } else context.note(kind === "unchanged" ? "Nothing changed." : "No list of skills is given.", "dim");
}

/** The stored state; null begins a conversation: there is no such file, or it holds no state. */
async function readState(context: Context, path: string): Promise<GuidanceState | null> {
  const [{ createFileSystem }, { readGuidanceState }] = await Promise.all([
    import("../../host/node-file-system.ts"),
    import("../../core/guidance/read-guidance-state.ts"),
  ]);
  const read = createFileSystem().readFile(path, { limit: 64 * 1_048_576, follow: true });
  if (read.kind === "absent") {
    context.note(`There is no ${safeLine(path)} yet: this is the beginning of a conversation.`, "dim");
    return null;
  }
  if (read.kind !== "file")
    throw new SkilletError("environment", `The state in ${path} cannot be read.`, {
      hint: "Name a file of `--after`.",
    });
  const state = readGuidanceState(parsed(new TextDecoder().decode(read.bytes)));
  if (state === null)
    context.note(`${safeLine(path)} holds no state of \`--after\`; a new epoch begins.`, "warning");
  return state;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function writeState(path: string, state: GuidanceState): Promise<void> {
  const { writeFileAtomic } = await import("../../host/atomic-write.ts");
  writeFileAtomic(path, `${JSON.stringify(state)}\n`, { action: "write the state" });
}
