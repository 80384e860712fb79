import { isEachSame, isSameSnapshot } from "../../core/precedence/same-snapshot.ts";
import type { VisibleSkill } from "../../core/profile.ts";
import type { Picture } from "./survey.ts";

/** Whether anybody who asks could get another answer from the second look than from the first. */
export function answersDiffer(before: Picture, after: Picture): boolean {
  return (
    !isSameSnapshot(before.snapshot, after.snapshot) ||
    !isEachSame(before.entries, after.entries, isSameView) ||
    JSON.stringify(before.configuration) !== JSON.stringify(after.configuration)
  );
}

function isSameView(one: VisibleSkill, other: VisibleSkill): boolean {
  return (
    one.skill.location === other.skill.location &&
    one.modelInvocable === other.modelInvocable &&
    one.userInvocable === other.userInvocable &&
    one.hidden?.reason === other.hidden?.reason
  );
}
