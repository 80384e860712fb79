import {
  type ExpandRequest,
  type Expansion,
  leadingCommand,
  type MessagePart,
  syntheticPart,
  systemReminder,
  userPart,
} from "../../activation/expand.ts";
import { noDiagnostics } from "../../diagnostic.ts";
import { basename, join } from "../../path.ts";
import type { VisibleSkill } from "../../profile.ts";
import { expandOpenCodeTemplate } from "../opencode/commands.ts";
import { attachmentSkills } from "./attachments.ts";
import { builtinPack } from "./bundled.ts";
import { hasChineseText } from "./commands.ts";
import { chineseText } from "./locale.ts";
import { findMimoMentions, type Mentions } from "./mentions.ts";

/**
 * What a typed message becomes (features M18–M20): the text itself, the bodies of the first three skills that it names,
 * word on how to combine them, and where the document skills for its files are. A configured command's text takes the
 * message's place and is then scanned like any other.
 */
export function mimoExpansion(request: ExpandRequest): Expansion {
  const text = submittedText(request);
  const available = request.entries.filter(
    ({ hidden, permission }) => hidden === null && permission !== "deny",
  );
  const byName = new Map(available.map((entry) => [entry.skill.name, entry]));
  const mentions = findMimoMentions(text, [...byName.keys()]);
  const injected: string[] = [];
  const bodies: MessagePart[] = [];
  for (const name of mentions.injected) {
    const part = bodyPart(request, byName.get(name));
    if (part === null) continue;
    bodies.push(part);
    injected.push(name);
  }
  const paths = attachmentPaths(request);
  return {
    visibleText: text,
    parts: [
      userPart(text),
      ...bodies,
      ...(mentions.orchestration ? [syntheticPart("orchestration", orchestration(mentions, injected))] : []),
      ...(paths.length === 0 ? [] : [syntheticPart("attachment", attachmentReminder(paths))]),
    ],
    mentioned: mentions.mentioned,
    injected,
    diagnostics: noDiagnostics,
  };
}

/** The message as the interface submits it: a Chinese name becomes the skill's own, a command's template its text. */
function submittedText({ message, entries, reserved, environment }: ExpandRequest): string {
  const command = leadingCommand(message);
  if (command === null) return message;
  const template = reserved.find(({ name }) => name === command.name)?.template;
  if (template !== undefined) return expandOpenCodeTemplate(template, command.rest);
  const meant = entries.find(
    ({ skill, hidden }) =>
      hidden === null &&
      hasChineseText(skill) &&
      chineseText(skill.name, environment.language)?.aliases.includes(command.name) === true,
  );
  return meant === undefined ? message : `/${meant.skill.name}${message.slice(1 + command.name.length)}`;
}

/** The raw body in its frame, unless the conversation has it. */
function bodyPart(request: ExpandRequest, entry: VisibleSkill | undefined): MessagePart | null {
  if (entry === undefined) return null;
  const { name } = entry.skill;
  if (request.given.some((one) => one.name === name)) return null;
  const body = request.body(entry.skill);
  if (body === null) return null;
  return syntheticPart(
    "mention",
    systemReminder(`<skill_content name="${name}">\n${body}\n</skill_content>`),
  );
}

/** The sentence by which the program knows its own reminder again. */
const orchestrationMark = "The user has explicitly referenced multiple skills in this message:";

function orchestration({ mentioned }: Mentions, loaded: readonly string[]): string {
  const waiting = mentioned.filter((name) => !loaded.includes(name));
  return systemReminder(
    [
      `${orchestrationMark} ${mentioned.map((name) => `/${name}`).join(", ")}`,
      ...(loaded.length === 0 ? [] : [`Loaded with this message: ${loaded.join(", ")}`]),
      ...(waiting.length === 0
        ? []
        : [`Not loaded yet; load each with the skill tool before you use it: ${waiting.join(", ")}`]),
      "",
      "Before you start, plan briefly, in proportion to the task:",
      "1. Read the SKILL.md of every skill named above in full first.",
      "2. Decide how they fit together: a pipeline (one works on what another made), in parallel (independent parts), or a constraint overlay (one sets rules for the work of another).",
      "3. For a pipeline, fix a contract for each intermediate artefact: what it is, its format, where it lies, who reads it.",
      "4. Where two skills contradict each other, say for each such point which one wins.",
      "5. List phase → skill → artefact, then carry the plan out.",
    ].join("\n"),
  );
}

/**
 * Lines of skill and path for the files that came along. Always the program's own copies, whatever replaced them and
 * whoever may load them; none when the general pack is off or was never extracted.
 */
function attachmentPaths({ attachments, roots }: ExpandRequest): readonly string[] {
  const pack = roots.find(({ source }) => source === builtinPack);
  if (pack === undefined) return [];
  const files = attachments.map(({ path, mime }) => ({
    filename: basename(path.replaceAll("\\", "/")),
    ...(mime === null ? {} : { mime }),
  }));
  return attachmentSkills(files).map((name) => `- ${name}: ${join(pack.path, name, "SKILL.md")}`);
}

function attachmentReminder(paths: readonly string[]): string {
  return systemReminder(
    [
      "The user attached files of kinds that built-in document skills cover. Read the SKILL.md that fits before you work on them:",
      ...paths,
    ].join("\n"),
  );
}
