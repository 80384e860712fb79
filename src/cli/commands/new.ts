import { SkilletError } from "../../core/error.ts";
import type { FileSystem } from "../../core/file-system.ts";
import { ancestors, contains, dirname, join } from "../../core/path.ts";
import { isSkillFile } from "../check/check-targets.ts";
import type { Command, Context } from "../command.ts";
import { displayPath } from "../output/display-path.ts";
import { nextCommands } from "../output/next-commands.ts";
import { shellWord } from "../output/shell-words.ts";
import { usageError } from "../usage-error.ts";

/** `skillet new NAME`: the beginning of a skill, in the place that most agents read. */
export const newSkill: Command = {
  name: "new",
  operands: "NAME [DESCRIPTION]",
  least: 1,
  most: 2,
  summary: "begin a skill",
  details: [
    "Writes .agents/skills/NAME/SKILL.md in this project, or with --user in your home folder. Nothing that exists is overwritten.",
  ],
  examples: [
    ["skillet new csv-cleanup", "a first draft to fill in"],
    ['skillet new csv-cleanup "Repair CSV files. Use when an import fails."', "with its description"],
  ],
  flags: ["user"],
  run,
};

async function run(context: Context): Promise<number> {
  const [name = "", given] = context.operands;
  checkName(name);
  const description = given?.trim() ?? draft(name);
  if (description === "" || [...description].length > 1024)
    throw usageError("A description has 1 to 1024 characters.", null);
  const skills = await context.skills();
  const { environment } = skills;
  const user = context.flags.on("user");
  const base = user ? environment.home : (skills.workspace?.folder ?? environment.cwd);
  const path = join(base, ".agents/skills", name, "SKILL.md");
  const [{ createFileSystem }, { writeFileAtomic }] = await Promise.all([
    import("../../host/node-file-system.ts"),
    import("../../host/atomic-write.ts"),
  ]);
  refuseUnlessFree(createFileSystem(), path, user ? null : base, displayPath(path, environment));
  writeFileAtomic(path, text(name, description), { action: "write the skill" });
  skills.reload();
  const waits = !user && skills.workspace?.trusted === false;
  if (context.json) {
    context.printJson({ version: 1, name, path, trusted: !waits });
    return 0;
  }
  const { paint } = context;
  context.print(
    `${paint.green(paint.symbols.yes)} ${displayPath(path, environment)}`,
    ...nextCommands(
      [
        [`check --strict ${shellWord(displayPath(path, environment))}`, "once you have filled it in"],
        ...(waits ? ([["trust", "let models use this project's skills"]] as const) : []),
        [`show ${name}`, "how it is read"],
      ],
      context.flags,
      paint,
    ),
  );
  return 0;
}

/** Nothing is overwritten, and nothing is written through a link that leads out of the project. */
function refuseUnlessFree(fileSystem: FileSystem, path: string, inside: string | null, shown: string): void {
  const hint = "Nothing was changed. Choose another name, or edit that file.";
  const folder = fileSystem.readDirectory(dirname(path), { limit: 1000 });
  const taken = folder.kind === "directory" && folder.entries.some((entry) => isSkillFile(entry.name));
  if (taken || folder.kind === "not-directory")
    throw new SkilletError("failed", `${shown} is already there.`, { hint });
  if (inside === null) return;
  const base = fileSystem.realPath(inside);
  const nearest = ancestors(dirname(path))
    .map((parent) => fileSystem.realPath(parent))
    .find((real) => real.kind === "path");
  if (base.kind === "path" && nearest?.kind === "path" && contains(base.path, nearest.path)) return;
  throw new SkilletError("denied", `${shown} would lie outside of this project: a link leads out of it.`, {
    hint: "Nothing was changed. Replace the link by a folder, or use --user.",
  });
}

function checkName(name: string): void {
  if (name.length > 64) throw usageError("A name has at most 64 characters.", null);
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return;
  const near = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  throw usageError(
    `"${name}" is no portable name.`,
    `Lower-case letters, digits and single hyphens${near === "" ? "." : `, e.g. ${near.slice(0, 64)}`}`,
  );
}

function draft(name: string): string {
  const words = name.replaceAll("-", " ");
  return `Help with ${words}. Use when the user asks for ${words}.`;
}

function text(name: string, description: string): string {
  return `---
name: ${name}
description: ${yamlText(description)}
---

# ${title(name)}

1. What to look at first.
2. What to do, step by step.
3. How to tell that it worked, and what to do when it did not.

Long details belong in files of their own beside this one, e.g. under references/, with a link from here.
`;
}

function title(name: string): string {
  const words = name.replaceAll("-", " ");
  return (words[0]?.toUpperCase() ?? "") + words.slice(1);
}

/** Plain where every reader agrees on a plain text, else in double quotes with JSON's escapes, which YAML shares. */
function yamlText(value: string): string {
  const line = value.replace(/\s+/g, " ");
  const plain = /^[A-Za-z][^:#"'\\\p{C}]*$/u.test(line) && !/^(true|false|yes|no|on|off|null)$/i.test(line);
  return plain ? line : JSON.stringify(line);
}
