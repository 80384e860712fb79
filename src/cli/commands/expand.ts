import type { AttachedFile, Expansion } from "../../core/activation/expand.ts";
import type { Command, Context } from "../command.ts";
import { diagnosticJson } from "../json/list-json.ts";
import { safeLine } from "../output/safe-text.ts";

/** `skillet expand MESSAGE`: the parts of a message as they would be sent. */
export const expand: Command = {
  name: "expand",
  operands: "MESSAGE…",
  least: 1,
  most: null,
  summary: "what a typed message becomes before a model gets it",
  details: [
    "Skills that the message calls by /name are given with it, several with word on how to combine them. Names in code, paths and addresses call nothing.",
    "Files that come along (--attach) and files in play (--touched) bring up the skills that are meant for them. --preload gives a skill's full text first, also one that only you may call; so does the file of the agent (--agent) with the skills that it names.",
  ],
  examples: [
    ['skillet expand "/release-notes v2.1"', "a skill with arguments"],
    ['skillet expand "sum this up" --attach report.pdf', "with a file"],
    ['skillet expand "go on" --preload sql-review --json', "the parts as data"],
  ],
  flags: ["attach", "preload"],
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const expansion = await skills.expand(context.operands.join(" "), {
    attachments: context.flags.texts("attach").map(attachment),
    preload: context.flags.texts("preload"),
    begin: true,
  });
  if (context.json) {
    context.printJson({
      version: 1,
      profile: skills.snapshot.profile,
      visibleText: expansion.visibleText,
      parts: expansion.parts,
      mentioned: expansion.mentioned,
      injected: expansion.injected,
      diagnostics: expansion.diagnostics.map(diagnosticJson),
    });
  } else {
    context.write(expansion.parts.map(({ text }) => text).join("\n\n"));
    context.write("\n");
    for (const { message, hint } of expansion.diagnostics)
      context.note(safeLine(hint === undefined ? message : `${message} ${hint}`), "warning");
  }
  return exitCode(expansion);
}

/**
 * A skill to give that does not exist is 3, one that may not be given 1; the message's own calls never fail, and neither
 * do names of an agent's file.
 */
function exitCode({ diagnostics }: Expansion): number {
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === "error" && !code.startsWith("agent/"),
  );
  if (errors.length === 0) return 0;
  return errors.some(({ code }) => code === "expand/unknown-skill") ? 3 : 1;
}

const mimeSuffix =
  /^(.+):((?:application|audio|chemical|font|image|message|model|multipart|text|video)\/[\w.+-]+)$/s;

/** `FILE` or `FILE:MIME`. */
function attachment(written: string): AttachedFile {
  const found = mimeSuffix.exec(written);
  return found === null
    ? { path: written, mime: null }
    : { path: found[1] ?? written, mime: found[2] ?? null };
}
