import type { Context } from "../command.ts";
import { displayPath, type Place } from "../output/display-path.ts";
import { skilletLine } from "../output/shell-words.ts";
import { count, trustReason } from "../output/words.ts";
import type { Finding } from "./finding.ts";

/** Says on stderr how many mended skills a model no longer gets, because they are not what the user trusted. */
export async function noteMendedWait(context: Context, mended: readonly string[]): Promise<void> {
  if (mended.length === 0) return;
  const skills = await context.skills();
  skills.reload();
  const waiting = skills.entries.filter(
    (entry) =>
      !entry.trusted &&
      trustReason(entry) === "changed" &&
      (mended.includes(entry.skill.location) || mended.includes(entry.skill.realPath)),
  ).length;
  if (waiting === 0) return;
  const line = skilletLine("trust", context.flags);
  context.note(`${count(waiting, "mended skill waits", "mended skills wait")} again: ${line}`, "warning");
}

/** Says on stderr, once, how to learn more of a code that was printed. */
export function noteCodes(context: Context, findings: readonly Finding[]): void {
  const example = findings.find(({ severity }) => severity !== "info");
  if (example !== undefined) context.note("skillet help CODE explains a code.", "dim");
}

/** Says on stderr which errors and warnings are left that no program can mend. */
export function noteByHand(context: Context, findings: readonly Finding[], place: Place): void {
  const left = findings.filter(({ severity, fix }) => severity !== "info" && fix === null);
  if (left.length === 0) return;
  const places = left.slice(0, 3).map(({ path, range, code }) => {
    const at = range === undefined ? "" : `:${range.line}`;
    return path === null ? code : `${displayPath(path, place)}${at} (${code})`;
  });
  const more = left.length > places.length ? ` and ${left.length - places.length} more` : "";
  context.note(
    `${left.length} ${left.length === 1 ? "needs" : "need"} your hand: ${places.join(", ")}${more}`,
  );
}
