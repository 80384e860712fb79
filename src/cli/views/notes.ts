import type { Diagnostic } from "../../core/diagnostic.ts";
import { entriesOf } from "../../host/guard-results.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import { countBy } from "../count-by.ts";
import { displayPath } from "../output/display-path.ts";
import { safeLine } from "../output/safe-text.ts";
import { skilletLine } from "../output/shell-words.ts";
import { count, trustReason } from "../output/words.ts";
import { ownDiagnostics } from "../own-diagnostics.ts";

/** The one sentence about skills that wait for trust, and why; null when there is nothing to say. */
export function trustSentence(context: Context, skills: Skills): string | null {
  const { workspace } = skills;
  if (workspace === null || workspace.trusted || workspace.needsTrust === 0) return null;
  const number = workspace.needsTrust;
  const reasons = countBy(
    entriesOf(skills).filter((entry) => !entry.trusted && entry.skill.root.scope !== "mcp"),
    trustReason,
  );
  const [fresh, changed] = [reasons.get("new") ?? 0, reasons.get("changed") ?? 0];
  const trust = skilletLine("trust", context.flags);
  const wait = number === 1 ? "waits" : "wait";
  if (fresh + changed < number)
    return `${count(number, "skill")} of this project ${wait} until you trust it: ${trust}`;
  const them = number === 1 ? "it" : "they";
  const be = number === 1 ? "is" : "are";
  const since =
    fresh === 0
      ? `${them} changed since you trusted ${them === "it" ? "it" : "them"}`
      : changed === 0
        ? `${them} ${be} new since you trusted this project`
        : `${fresh} ${fresh === 1 ? "is" : "are"} new and ${changed} changed since you trusted this project`;
  return `${count(number, "skill")} ${wait}: ${since}. If that is fine: ${trust}`;
}

/** Says on stderr that the project is not trusted, if so. */
export function noteTrust(context: Context, skills: Skills): void {
  const sentence = trustSentence(context, skills);
  if (sentence !== null) context.note(sentence, "warning");
  const servers = countBy(
    entriesOf(skills).filter(({ trusted, skill }) => !trusted && skill.root.scope === "mcp"),
    ({ skill }) => skill.root.path,
  );
  for (const [server, number] of servers) {
    const wait = number === 1 ? "waits" : "wait";
    const trust = `${skilletLine("trust", context.flags)} ${server}`;
    context.note(
      `${count(number, "skill")} of ${server} ${wait} until you approve them: ${trust}`,
      "warning",
    );
  }
}

/** Says on stderr what is wrong with settings and stored decisions: they concern every answer. */
export function noteSettings(context: Context, skills: Skills): void {
  noteEach(context, skills, settingProblems(skills));
}

/** The same about one setting and its parts, for the command that the setting is made for. */
export function noteSetting(context: Context, skills: Skills, key: string): void {
  const about = settingProblems(skills).filter(
    ({ code, message, hint }) =>
      code !== "config/not-for-project" && `${message} ${hint ?? ""}`.includes(`"${key}`),
  );
  noteEach(context, skills, about);
}

/** What is wrong with settings files as a whole, so that nothing in them counts. */
export function noteIgnoredFiles(context: Context, skills: Skills): void {
  const whole = /^config\/(?:invalid-|too-large|too-deep|unreadable|managed-)/;
  const ignored = settingProblems(skills).filter(
    // A file that is a list, or a text, is wrong without any key.
    ({ code, message }) => whole.test(code) || (code === "config/wrong-type" && !message.includes('"')),
  );
  noteEach(context, skills, ignored);
}

function noteEach(context: Context, skills: Skills, problems: readonly Diagnostic[]): void {
  for (const { path, range, message, hint } of problems.slice(0, 3)) {
    const place =
      path === null ? "" : `${displayPath(path, skills.environment)}${range ? `:${range.line}` : ""}: `;
    const meant = hint?.startsWith("Did you mean") ? ` ${hint}` : "";
    context.note(`${place}${safeLine(message + meant)}`, "warning");
  }
}

/** The same, and how many other problems there are. */
export function noteProblems(context: Context, skills: Skills): void {
  noteSettings(context, skills);
  const others = grave(skills).length - Math.min(settingProblems(skills).length, 3);
  if (others > 0)
    context.note(`${count(others, "problem")}: ${skilletLine("doctor", context.flags)}`, "warning");
}

function grave(skills: Skills): readonly Diagnostic[] {
  return ownDiagnostics(skills).filter(({ severity }) => severity !== "info");
}

function settingProblems(skills: Skills): readonly Diagnostic[] {
  return grave(skills).filter(({ code }) => /^(config|permission|state|environment)\//.test(code));
}
