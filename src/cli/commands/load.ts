import { SkilletError } from "../../core/error.ts";
import type { Loaded, Skills } from "../../host/skills.ts";
import type { Command, Context } from "../command.ts";
import { notFound, unreadable } from "../find-skill.ts";
import { diagnosticJson } from "../json/list-json.ts";
import { nameMeant } from "../name-meant.ts";
import { safeLine } from "../output/safe-text.ts";
import { shellWord, skilletLine } from "../output/shell-words.ts";

/** `skillet load NAME`: exactly what the `skill` tool gives. */
export const load: Command = {
  name: "load",
  operands: "NAME [ARGUMENT…]",
  least: 1,
  most: null,
  summary: "exactly what a model is given when it loads a skill",
  details: [
    "Byte for byte the output of the profile's skill tool. Arguments take the places of $1, $ARGUMENTS and the like; those that begin with a dash go after --.",
    "Commands in a skill's text (!`command`) stay text; --dry-run lists them and says whether sessions may run them (setting policy.commands).",
    "As a model (--by model) a denied skill is answered like one that does not exist, and one that only you may call is refused.",
  ],
  examples: [
    ["skillet load pdf", "the whole text"],
    ["skillet load release-notes v2.1 -- --draft", "with arguments"],
    ["skillet load release-notes --dry-run", "which commands it would run"],
  ],
  flags: ["by", "dry-run"],
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const [operand = "", ...words] = context.operands;
  const by = context.flags.text("by") === "model" ? "model" : "user";
  // A model's words go to the tool as they are.
  const name = by === "model" ? operand : nameMeant(skills, operand);
  if (context.flags.on("dry-run")) return dryRun(context, skills, name);
  await skills.retrieve(name, null, { by });
  const loaded = skills.load(name, { arguments: words.join(" "), by });
  if (loaded.status === "loaded") {
    if (loaded.name !== name) context.note(`Taken as "${loaded.name}".`, "dim");
    if (context.json) context.printJson(shape(skills, loaded));
    else writeExactly(context, loaded.output);
    if (by === "user") noteWithheld(context, skills, loaded);
    return 0;
  }
  const unknown = loaded.status === "unknown" || (loaded.status === "denied" && by === "model");
  if (context.json) {
    // Both at once: what the tool answers, and the error that every command gives.
    const { code, message, hint } = unknown
      ? notFound(context, skills, name)
      : await refusal(context, skills, loaded);
    context.printJson({ ...shape(skills, loaded), error: { code, message, hint } });
    return unknown ? 3 : 1;
  }
  if (unknown) {
    writeExactly(context, loaded.output);
    if (by === "user") {
      const { message, hint } = notFound(context, skills, name);
      if (unreadable(skills, name) !== null) context.note(message, "warning");
      context.note(hint ?? "", "dim");
    }
    return 3;
  }
  // What a model is answered is data; what a person is told is a message.
  if (by === "user") throw await refusal(context, skills, loaded);
  writeExactly(context, loaded.output);
  return 1;
}

/** What a session would run for this skill, without running anything. */
async function dryRun(context: Context, skills: Skills, name: string): Promise<number> {
  const { openSession } = await import("../../host/session/open-session.ts");
  const found = skills.find(name);
  const dry = openSession(skills).dryRun(name);
  if (found.kind !== "found" || dry === null) throw notFound(context, skills, name);
  const { commands, policy, trusted } = dry;
  if (context.json) {
    const { name: skill } = found.entry.skill;
    context.printJson({
      version: 1,
      profile: skills.snapshot.profile,
      name: skill,
      commands,
      policy,
      trusted,
    });
    return 0;
  }
  if (commands.length === 0) context.note(`"${safeLine(name)}" has no commands in its text.`, "dim");
  else context.print(...commands.flatMap((command) => command.split("\n")).map((line) => safeLine(line)));
  const verdict = !trusted
    ? "Its project is not trusted, so none of them runs."
    : policy === "off"
      ? "None of them runs: `policy.commands` is off."
      : policy === "ask"
        ? "A session asks before it runs them."
        : "A session runs them.";
  if (commands.length > 0) context.note(verdict, "dim");
  return 0;
}

/** A person is given what a model may not have; that it is not the same is said. */
function noteWithheld(context: Context, skills: Skills, { name }: Loaded): void {
  const asModel = skills.load(name, { by: "model", approved: true });
  if (asModel.status === "loaded") return;
  const entry = skills.entries.find(({ skill }) => skill.name === name);
  const reasons = (entry?.decisions ?? [])
    .filter(({ outcome, reason }) => outcome === "hidden" && reason !== "model-only")
    .map(({ message }) => message);
  const why = reasons.length > 0 ? reasons.join(" ") : asModel.output;
  context.note(`A model would not get this: ${safeLine(why)}`, "warning");
}

function shape(skills: Skills, loaded: Loaded): object {
  return {
    version: 1,
    profile: skills.snapshot.profile,
    name: loaded.name,
    output: loaded.output,
    files: loaded.files,
    permission: loaded.permission,
    ...(loaded.diagnostics.length === 0 ? {} : { diagnostics: loaded.diagnostics.map(diagnosticJson) }),
  };
}

/** The agent that may use what was denied here; null when nothing was denied or no agent may. */
async function agentFor(context: Context, skills: Skills, loaded: Loaded): Promise<string | null> {
  if (loaded.status !== "denied") return null;
  const { agentThatMay } = await import("../other-agent.ts");
  return agentThatMay(context, skills, loaded.name);
}

/** Why it was not given, with the one step that changes it where there is one. */
async function refusal(context: Context, skills: Skills, loaded: Loaded): Promise<SkilletError> {
  const name = shellWord(loaded.name);
  const line = (words: string): string => skilletLine(words, context.flags);
  const [finding] = loaded.diagnostics;
  const refuse = (hint: string): SkilletError =>
    new SkilletError(loaded.status === "unreadable" ? "failed" : "denied", loaded.output, { hint });
  if (finding !== undefined) return refuse(`More: ${line(`help ${finding.code}`)}`);
  const why = `How it came to this: ${line(`why ${name}`)}`;
  const entry = skills.entries.find(({ skill }) => skill.name === loaded.name);
  if (entry?.hidden?.reason === "disabled") return refuse(`Switch it on: ${line(`enable ${name}`)}. ${why}`);
  const agent = await agentFor(context, skills, loaded);
  if (agent === null) return refuse(why);
  return refuse(
    `The agent "${safeLine(agent)}" may use it: ${line(`load ${name} --agent ${shellWord(agent)}`)}. For every agent: a rule in the setting permission.skill. ${why}`,
  );
}

/** The bytes as they are; a terminal gets a newline at the end so that the prompt starts on a line of its own. */
function writeExactly(context: Context, text: string): void {
  context.write(text);
  if (context.io.stdout.isTTY && !text.endsWith("\n")) context.write("\n");
}
