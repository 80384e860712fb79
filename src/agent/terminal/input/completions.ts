import { localDescription } from "../../../core/packs/localize.ts";
import { singleLine } from "../../../core/text/single-line.ts";
import type { Skills } from "../../../host/skills.ts";
import { chatCommands } from "../chat/commands.ts";
import type { Completion, CompletionItem } from "../chat/state.ts";
import type { Editor } from "./editor.ts";
import { fuzzyRank } from "./fuzzy.ts";

/** Entries in a list; fewer are shown at once. */
const atMost = 60;

export interface CompletionSources {
  skills(): Skills;
  /** Files of the project, relative paths; folders end in a slash. */
  files(): readonly string[];
}

interface Candidate extends CompletionItem {
  readonly texts: readonly string[];
}

/**
 * What may stand in place of the word at the cursor: after a slash commands (at the beginning of a message only) and
 * skills, after `@` files. Null when the word asks for nothing. Features M22, X14.
 */
export function completionFor({ text, cursor }: Editor, sources: CompletionSources): Completion | null {
  const before = text.slice(0, cursor);
  const slash = /(?:^|\s)\/([^\s/]*)$/u.exec(before);
  if (slash !== null) {
    const typed = slash[1] ?? "";
    const from = cursor - typed.length - 1;
    const atStart = text.slice(0, from).trim() === "";
    const candidates = [...(atStart ? commandCandidates() : []), ...skillCandidates(sources.skills())];
    return completion(
      { from, to: cursor },
      fuzzyRank(typed, candidates, { texts: ({ texts }) => texts, limit: atMost }),
    );
  }
  const at = /(?:^|\s)@("?)([^\s"]*|(?<=")[^"\n]*)$/u.exec(before);
  if (at === null) return null;
  const typed = at[2] ?? "";
  const from = cursor - typed.length - (at[1] ?? "").length - 1;
  const found = fuzzyRank(typed, sources.files(), {
    texts: (path) => [path, path.slice(path.lastIndexOf("/", path.length - 2) + 1)],
    limit: atMost,
  });
  return completion(
    { from, to: cursor },
    found.map((path) => ({
      insert: /\s/.test(path) ? `@"${path}"` : `@${path}`,
      label: path,
      tag: "",
      description: "",
    })),
  );
}

function completion(
  range: { readonly from: number; readonly to: number },
  items: readonly CompletionItem[],
): Completion | null {
  return items.length === 0 ? null : { ...range, items, selected: 0 };
}

function commandCandidates(): readonly Candidate[] {
  return chatCommands.map(({ name, aliases, argument, summary }) => ({
    insert: `/${name}`,
    label: `/${name}${argument === "" ? "" : ` ${argument}`}`,
    tag: "",
    description: summary,
    texts: [name, ...aliases],
  }));
}

/**
 * Skills as slash commands, with their descriptions and names in the reader's language. Other names find them too; what
 * is put into the message is always the name, so that a model reads the same whatever was typed (feature M19).
 */
function skillCandidates(skills: Skills): readonly Candidate[] {
  const { language } = skills.environment;
  const entries = new Map(skills.entries.map((entry) => [entry.skill.name, entry.skill]));
  const waiting = new Set(skills.entries.flatMap(({ skill, trusted }) => (trusted ? [] : [skill.name])));
  const taken = new Set(chatCommands.map(({ name }) => name));
  return skills.commands().flatMap((command): Candidate[] => {
    if (command.completion === false) return [];
    const skill = entries.get(command.skill);
    const description = skill === undefined ? command.description : (localDescription(skill, language) ?? "");
    const spoken = skill === undefined ? [] : Object.values(skill.displayNames);
    const other = command.aliases.filter((alias) => isOfLanguage(alias, language));
    const known = other.length > 0 ? ` (${other.slice(0, 2).join(", ")})` : "";
    // A skill that is named like a command is reached by the command's name in the middle of a message.
    if (taken.has(command.name)) return [];
    return [
      {
        insert: `/${command.name}`,
        label: `/${command.name}${known}${command.argumentHint === null ? "" : ` ${command.argumentHint}`}`,
        tag: waiting.has(command.skill) ? "[Skill, not trusted]" : "[Skill]",
        description: singleLine(description),
        texts: [command.name, ...command.aliases, ...spoken],
      },
    ];
  });
}

/** Names in another script are shown to those who read it; all of them are found. */
function isOfLanguage(alias: string, language: string): boolean {
  return /^[\u0000-\u024f]*$/.test(alias) || language.toLowerCase().startsWith("zh");
}
