import { join } from "../../core/path.ts";
import type { PermissionAction } from "../../core/visibility/permission.ts";
import { cannotBeTold, dangerOf } from "./command-danger.ts";
import { commandForms, coversCommand, rememberedCommand } from "./command-memory.ts";
import { possiblePaths } from "./command-options.ts";
import { isDelicate } from "./delicate-places.ts";
import { editedFiles } from "./edited-files.ts";
import { judgeFile } from "./judge-file.ts";
import { type JudgeFacts, type Judgement, ruled, storable } from "./judgement.ts";
import { lookedAt, onlyLooks, searchedFolders } from "./looking-command.ts";
import { from, type Place, placesOf } from "./named-places.ts";
import { readShellLine, type ShellCommand } from "./shell-words.ts";

/** What one part of a line comes to. The strictest part decides. */
interface Verdict {
  readonly action: PermissionAction;
  /** Set: asked for every time. */
  readonly reason: string | null;
  /** What an "always" would store; null = nothing that would be narrow enough. */
  readonly always: string | null;
}

const free: Verdict = { action: "allow", reason: null, always: null };
const denied: Verdict = { action: "deny", reason: null, always: null };
const everyTime = (reason: string): Verdict => ({ action: "ask", reason, always: null });

/** Said where the agent may only look. */
const mayOnlyLook =
  "this agent only looks, and the command is not known to change nothing. Use commands that only look (ls, cat, grep, find, git log, git diff), or put the command into your plan";

/**
 * Decides about a command line. Only what was taken apart completely can be free: each of its commands is judged by the
 * rules for commands, each file that it writes as an edit, each file that a looking command reads as a read.
 */
export function judgeCommand(text: string, facts: JudgeFacts): Judgement {
  const { commands, plain } = facts.shell ? readShellLine(text) : { commands: [], plain: false };
  const whole = text.trim();
  const told = plain && commands.length > 0;
  const patterns = told ? commands.map(({ words }) => words.join(" ")) : [whole];
  const answer = (
    verdict: Pick<Judgement, "action" | "reason">,
    always: readonly string[] = [],
  ): Judgement => ({
    permission: "bash",
    patterns,
    always: storable(always),
    ...verdict,
  });
  if (ruled("bash", whole, facts).action === "deny") return answer(denied);
  const parts = told ? judgeParts(commands, facts) : [];
  const verdicts = told ? parts.flatMap((part) => part.verdicts) : [everyTime(harmIn(whole) ?? cannotBeTold)];
  if (facts.onlyLooks && !(told && parts.every(({ changes }) => !changes)))
    return answer({ action: "deny", reason: mayOnlyLook });
  if (verdicts.some(({ action, reason }) => action === "deny" && reason === null)) return answer(denied);
  const strange = verdicts.find(({ reason }) => reason !== null);
  if (strange !== undefined) return answer({ action: "ask", reason: strange.reason });
  const asks = verdicts.filter(({ action }) => action === "ask");
  if (asks.length === 0) return answer(free);
  const always = asks.flatMap((one) => one.always ?? []);
  return answer({ action: "ask", reason: null }, always.length < asks.length ? [] : [...new Set(always)]);
}

/** One command of a line, judged. */
interface Part {
  readonly verdicts: readonly Verdict[];
  /** Whether it may change something. */
  readonly changes: boolean;
}

function judgeParts(commands: readonly ShellCommand[], facts: JudgeFacts): readonly Part[] {
  const parts: Part[] = [];
  // A `cd` may have worked or not: paths behind it are judged from every folder they may start in.
  let folders: readonly string[] = [facts.workspace.cwd];
  for (const command of commands) {
    parts.push(judgePart(command, folders, facts));
    if (command.words[0] !== "cd") continue;
    const operands = command.words.slice(1).filter((word) => !/^-[LPe@]+$/.test(word));
    const [to = "~"] = operands;
    if (to === "-" || operands.length > 1 || command.globs.includes(to) || folders.length > 8) {
      parts.push({ verdicts: [everyTime(cannotBeTold)], changes: true });
      continue;
    }
    const entered = folders.map((folder) => facts.workspace.absolute(from(folder, to)));
    folders = [...new Set([...folders, ...entered])];
  }
  return parts;
}

function judgePart(command: ShellCommand, folders: readonly string[], facts: JudgeFacts): Part {
  const [name] = command.words;
  // A folder below may be a repository of its own, whose settings name programs.
  const looks = onlyLooks(command) && !(name === "git" && folders.length > 1);
  const changes = !looks || command.writes.length > 0;
  const places = (texts: readonly string[]) =>
    placesOf(texts, { globs: command.globs, folders, workspace: facts.workspace });
  const edited = looks ? { edits: [], more: false } : editedFiles(command.words);
  const edits = places([...command.writes, ...(edited?.edits ?? [])]);
  const reads = places(looks ? lookedAtBy(command) : command.reads);
  const touched = places(looks ? [] : possiblePaths(command.words.slice(1)));
  const searched = places(looks ? searchedFolders(command.words) : []);
  if (edits === null || reads === null || touched === null || searched === null)
    return { verdicts: [everyTime(cannotBeTold)], changes: true };
  const verdicts = [
    ...edits.map((place) => verdictOfFile("edit", place, { command, facts })),
    ...reads.map((place) => verdictOfFile("read", place, { command, facts })),
    ...searched.flatMap((place) => foundInside(place, { command, facts })),
    ...touched.flatMap((place) => verdictsOfTouched(place, { command, known: edited !== null, facts })),
  ];
  const danger = looks ? null : dangerOf(command);
  if (danger !== null) verdicts.push(everyTime(danger));
  if (edited?.more === true) verdicts.push(everyTime("which files it writes cannot be told from its text"));
  verdicts.push(verdictOfRules(command, looks, facts));
  const covered = facts.saved.some((one) => one.permission === "bash" && coversCommand(one.pattern, command));
  return {
    verdicts: covered ? verdicts.map((one) => (one.always === null ? one : free)) : verdicts,
    changes,
  };
}

function verdictOfRules(command: ShellCommand, looks: boolean, facts: JudgeFacts): Verdict {
  const forms = commandForms(command);
  const answers = forms.own.map((form) => ruled("bash", form, facts));
  const more = forms.more.map((form) => ruled("bash", form, facts));
  if ([...answers, ...more].some(({ action }) => action === "deny")) return denied;
  const asking = answers.filter(({ action }) => action === "ask");
  const onlyRedirects = command.words.length + command.assignments.length === 0;
  if (asking.every(({ byDefault }) => byDefault && (looks || onlyRedirects))) return free;
  return { action: "ask", reason: null, always: rememberedCommand(command) };
}

/** An operand of a program that changes things: where the program is not known, it may change this one. */
function verdictsOfTouched(
  { path, shown }: Place,
  {
    command,
    known,
    facts,
  }: { readonly command: ShellCommand; readonly known: boolean; readonly facts: JudgeFacts },
): readonly Verdict[] {
  const inside = path === null ? null : facts.workspace.inside(path);
  if (inside === null) return [everyTime(outsideText(shown))];
  // They put into the history what stands there, and change no file.
  const harmless = command.words[0] === "git" && /^(?:add|commit)$/.test(command.words[1] ?? "");
  if (known || harmless || !isDelicate(inside)) return [];
  return [everyTime(`a change of ${shown} can run code or move rules`)];
}

function verdictOfFile(
  kind: "edit" | "read",
  { path, shown }: Place,
  { command, facts }: { readonly command: ShellCommand; readonly facts: JudgeFacts },
): Verdict {
  if (path === null) return everyTime(outsideText(shown));
  const { action, reason } = judgeFile(kind, path, facts);
  if (action === "deny") return denied;
  if (action === "allow") return free;
  if (reason !== null) return everyTime(outside(path, facts) ? outsideText(shown) : `${shown}: ${reason}`);
  return kind === "edit"
    ? { action, reason: null, always: rememberedCommand(command) }
    : everyTime(`a rule asks before ${shown} is read`);
}

function outside(path: string, { workspace }: JudgeFacts): boolean {
  return workspace.inside(path) === null;
}

function outsideText(shown: string): string {
  return `${shown} lies outside the working folder`;
}

/** A search through a folder shows every file in it: those directly in it are judged too. */
function foundInside(
  { path }: Place,
  { command, facts }: { readonly command: ShellCommand; readonly facts: JudgeFacts },
): readonly Verdict[] {
  if (path === null) return [];
  return (
    facts.workspace
      .names(path)
      .map((name) => ({ path: join(path, name), shown: name }))
      // What leads out is not followed by a search.
      .filter((place) => !outside(place.path, facts))
      .map((place) => verdictOfFile("read", place, { command, facts }))
      .map((verdict) =>
        verdict.action === "deny" ? everyTime("a rule forbids to read what it would search") : verdict,
      )
  );
}

function lookedAtBy(command: ShellCommand): readonly string[] {
  return command.words[0] === "cd" && command.words.length === 1 ? ["~"] : lookedAt(command);
}

const harmful =
  /(?:^|[\s;&|`("'])(?:sudo|doas|su|rm|dd|shred|mkfs\S*|shutdown|reboot|kill|pkill|killall|eval|source|ssh|scp|crontab|systemctl|truncate|rmdir|unlink)(?=$|[\s;&|`)"'])|\bgit\s+(?:push|clean|reset\s+--hard)|\b(?:curl|wget)\b[^\n]*\|\s*\S*sh\b|:\(\)\s*\{/;

/** What strikes the eye in a text that could not be taken apart. */
function harmIn(text: string): string | null {
  const found = harmful.exec(text);
  return found === null
    ? null
    : `\`${found[0].trim().replace(/^[;&|`("']+\s*/, "")}\` in it can do lasting harm`;
}
