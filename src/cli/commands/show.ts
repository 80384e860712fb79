import { SkilletError } from "../../core/error.ts";
import type { Command, Context } from "../command.ts";
import { findSkill } from "../find-skill.ts";
import { skillJson } from "../json/list-json.ts";
import { safeLines } from "../output/safe-text.ts";

/** `skillet show NAME`: one skill, or one file of it. */
export const show: Command = {
  name: "show",
  operands: "NAME",
  least: 1,
  summary: "one skill: fields, files, text",
  examples: [
    ["skillet show pdf", "what it says and where it comes from"],
    ["skillet show pdf --file scripts/fill.py", "one of its files"],
  ],
  flags: ["file"],
  run,
};

async function run(context: Context): Promise<number> {
  const skills = await context.skills();
  const entry = findSkill(context, skills, context.operands[0] ?? "");
  const { skill } = entry;
  const file = context.flags.text("file");
  // `deny` means that nobody gets the text; what the skill is called and where it lies is no secret.
  const denied = entry.permission === "deny" && entry.hidden !== null;
  if (denied && file !== undefined)
    throw new SkilletError("denied", entry.hidden?.message ?? "A permission rule denies it.", {
      hint: `How it came to this: skillet why ${skill.name}`,
    });
  if (!denied) await skills.retrieve(skill.name, file ?? null, { by: "user" });
  if (file !== undefined) {
    const read = skills.readFile(skill, file);
    if (read.kind === "refused")
      throw new SkilletError("not-found", `${file}: ${read.reason}`, {
        hint: `Its files: skillet show ${skill.name}`,
      });
    if (context.json)
      context.printJson({
        version: 1,
        profile: skills.snapshot.profile,
        name: skill.name,
        path: file,
        bytes: read.bytes,
        encoding: read.kind === "text" ? "utf-8" : "base64",
        content: read.kind === "text" ? read.text : Buffer.from(read.data).toString("base64"),
      });
    else if (read.kind === "text") context.write(ended(safeLines(read.text).join("\n")));
    else
      throw new SkilletError("failed", `${file} is no text (${read.bytes} bytes).`, {
        hint: "With --json it comes as base64.",
      });
    return 0;
  }
  const body = denied ? "" : skills.body(skill);
  const { files, more } = skills.files(skill);
  const { installedFrom } = await import("../install/installed-from.ts");
  const installed = installedFrom(skills, skill);
  if (context.json) {
    context.printJson({
      version: 1,
      profile: skills.snapshot.profile,
      ...skillJson(entry),
      permission: entry.permission,
      license: skill.license,
      compatibility: skill.compatibility,
      whenToUse: skill.whenToUse,
      argumentHint: skill.argumentHint,
      paths: skill.paths,
      metadata: skill.metadata,
      extra: skill.extra,
      realPath: skill.realPath,
      installed,
      files,
      moreFiles: more,
      body,
    });
    return 0;
  }
  const { printSkill } = await import("../views/skill-view.ts");
  printSkill(context, skills, { entry, body, files, more, installed });
  return 0;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}
