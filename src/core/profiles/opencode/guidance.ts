import type { GuidanceEntry, GuidanceRules } from "../../guidance/guidance.ts";
import { byCollation } from "./catalog.ts";

/**
 * The second generation's skill guidance (features O12, O13, O19): a change is one sentence and the whole list anew.
 * The program puts it behind the user's message and has no new epoch for another agent; the seed has one (decision D6).
 */
export function openCodeV2Guidance(agentSwitch: GuidanceRules["agentSwitch"]): GuidanceRules {
  return {
    changes: "message",
    agentSwitch,
    place: "section",
    entries: ({ skills }) =>
      [...skills]
        .sort(byCollation)
        .flatMap(({ skill: { name, description } }): readonly GuidanceEntry[] =>
          description === null ? [] : [{ name, text: description, told: true }],
        ),
    update: ({ catalog, after }) => ({ text: `${supersedes}\n${catalog.text ?? ""}`, entries: after }),
    removed: "Skill guidance is no longer available. Do not use any previously listed skill.",
    deliver: (update) => `<system-update>\n${escapeUpdate(update)}\n</system-update>`,
  };
}

const supersedes =
  "The available skills have changed. This list supersedes the previous available skills list.";

function escapeUpdate(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
