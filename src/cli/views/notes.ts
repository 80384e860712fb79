import type { Diagnostic } from "../../core/diagnostic.ts";
import type { Skills } from "../../host/skills.ts";
import type { Context } from "../command.ts";
import { countBy } from "../count-by.ts";
import { displayPath } from "../output/display-path.ts";
import { safeLine } from "../output/safe-text.ts";
import { skilletLine } from "../output/shell-words.ts";
import { count } from "../output/words.ts";

/** The one sentence about skills that wait for trust, and why; null when there is nothing to say. */
export function trustSentence(context: Context, skills: Skills): string | null {
  const { workspace } = skills;
  if (workspace === null || workspace.trusted || workspace.needsTrust === 0) return null;
  const number = workspace.needsTrust;
  const reasons = countBy(
    skills.entries.filter((entry) => !entry.trusted),
    ({ decisions }) => decisions.find(({ stage }) => stage === "trust")?.reason ?? "untrusted",
  );
  const [fresh, changed] = [reasons.get("new") ?? 0, reasons.get("changed") ?? 0];
  const since = [fresh > 0 ? `${fresh} new` : "", changed > 0 ? `${changed} changed` : ""].filter(Boolean);
  const wait = number === 1 ? "waits" : "wait";
  const what = `${count(number, "skill")} of this project ${wait}`;
  const trust = skilletLine("trust", context.flags);
  return fresh + changed === number
    ? `${what}, ${since.join(" and ")} since you trusted it: ${trust}`
    : `${what} until you trust it: ${trust}`;
}

/** Says on stderr that the project is not trusted, if so. */
export function noteTrust(context: Context, skills: Skills): void {
  const sentence = trustSentence(context, skills);
  if (sentence !== null) context.note(sentence, "warning");
}

/** Says on stderr what is wrong with settings and stored decisions: they concern every answer. */
export function noteSettings(context: Context, skills: Skills): void {
  for (const { path, range, message } of settingProblems(skills).slice(0, 3)) {
    const place =
      path === null ? "" : `${displayPath(path, skills.environment)}${range ? `:${range.line}` : ""}: `;
    context.note(`${place}${safeLine(message)}`, "warning");
  }
}

/** The same, and how many other problems there are. */
export function noteProblems(context: Context, skills: Skills): void {
  noteSettings(context, skills);
  const others = grave(skills).length - Math.min(settingProblems(skills).length, 3);
  if (others > 0)
    context.note(`${count(others, "problem")}: ${skilletLine("doctor", context.flags)}`, "warning");
}

function grave({ diagnostics }: Skills): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity !== "info");
}

function settingProblems(skills: Skills): readonly Diagnostic[] {
  return grave(skills).filter(({ code }) => /^(config|permission|state|environment)\//.test(code));
}
